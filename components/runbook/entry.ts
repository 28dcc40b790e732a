/** Facts about one kind of finding for an on-call operator, in the order of need. */
export interface RunbookEntry {
  /** One or two sentences in the field's words. */
  readonly means: string
  /** Causes, most common first. */
  readonly comes: readonly string[]
  readonly risk: string
  /** Berth's automatic response, and actions that it never takes. */
  readonly berth: string
  /** Steps for the operator, in order. */
  readonly you: readonly string[]
  /** How to tell that it is resolved. */
  readonly verified: string
}
