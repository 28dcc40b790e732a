/** What an on-call operator needs to know about one kind of finding, in the order in which they ask. */
export interface RunbookEntry {
  /** One or two sentences in the field's words. */
  readonly means: string
  /** Causes, most common first. */
  readonly comes: readonly string[]
  readonly risk: string
  /** What Berth does about it on its own, and what it never does. */
  readonly berth: string
  /** Steps for the operator, in order. */
  readonly you: readonly string[]
  /** How to tell that it is resolved. */
  readonly verified: string
}
