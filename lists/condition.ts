// One condition of a filter, as passed from the screen over the API to memory or the database.

/**
 * The field matches any of the patterns, or with `not` none. Case does not matter, `*` matches any characters, and the
 * whole field is compared; `text` matches anywhere in names, and the start of an id.
 */
export interface Condition<Key extends string = string> {
  readonly key: Key
  readonly any: readonly string[]
  readonly not?: boolean | undefined
}

export const FREE_TEXT = 'text'
/** Below this length, an apparent id prefix is more likely a number in a name. */
export const ID_START = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i
