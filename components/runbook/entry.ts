/** What a person who was woken by one kind of finding wants to read, in the order in which they ask. */
export interface RunbookEntry {
  /** In one or two sentences, without Berth's own words. */
  readonly means: string
  /** How it comes about, most usual first. */
  readonly comes: readonly string[]
  readonly risk: string
  /** What Berth does about it by itself, and what it never does. */
  readonly berth: string
  /** Steps for the person, in order. */
  readonly you: readonly string[]
  /** How one knows that it is over. */
  readonly verified: string
}
