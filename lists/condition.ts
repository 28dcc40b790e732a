// One condition of a filter, as it goes from the screen over the API to memory or to the database.

/**
 * The field fits any of the patterns, or with `not` none of them. Case does not matter, `*` stands for any letters, and
 * the field is compared whole; `text` is looked for anywhere in names, and as the start of an id.
 */
export interface Condition<Key extends string = string> {
  readonly key: Key
  readonly any: readonly string[]
  readonly not?: boolean | undefined
}

export const FREE_TEXT = 'text'
/** Shorter than this, what looks like the start of an id is more likely a number in a name. */
export const ID_START = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i
