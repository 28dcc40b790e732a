// Parts shared by several schemas of the API.

export const UUID_KEY = '^[0-9a-fA-F-]{36}$'
export const NAME = '^[A-Z0-9_]+$'
export const CUSTOM_NAME = '^CUSTOM_[A-Z0-9_]+$'
export const SUFFIX_NUMBER = '[1-9][0-9]*'
export const SUFFIX_WORD = '[a-zA-Z0-9_-]{1,64}'
export const INT_MAX = 2_147_483_647
export const FLOAT_MAX = 3.40282e38

type Part = Readonly<Record<string, unknown>>

/** An object with these properties, of which some are required, and no others. */
export const object = (properties: Part, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})

/** An object whose keys fit a pattern. */
export const keyed = (pattern: string, value: Part, more: Part = {}) => ({
  type: 'object',
  ...more,
  patternProperties: { [pattern]: value },
  additionalProperties: false,
})

export const TEXT_255 = { type: 'string', minLength: 1, maxLength: 255 }
export const UUID = { type: 'string', format: 'uuid' }

/** The last row whose version is not above the requested one. */
export function since<T>(minor: number, rows: readonly (readonly [from: number, value: T])[]): T {
  let last: readonly [from: number, value: T] | undefined
  for (const row of rows) if (row[0] <= minor) last = row
  if (!last) throw new Error(`nothing is there at 1.${minor}`)
  return last[1]
}
