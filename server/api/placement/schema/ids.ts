// Ids as programs write them. The API accepts any spelling of a uuid in bodies, and in paths only the canonical one.

const HEX_32 = /^[0-9a-f]{32}$/
const DASHED = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/

const bare = (text: string) =>
  withoutBraces(text.replaceAll('urn:', '').replaceAll('uuid:', '')).replaceAll('-', '').toLowerCase()

/** Without those at its ends. An expression for them would search again from each brace of a long text. */
function withoutBraces(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isBrace(text[from])) from++
  while (to > from && isBrace(text[to - 1])) to--
  return text.slice(from, to)
}

const isBrace = (letter: string | undefined) => letter === '{' || letter === '}'

export const isUuidLike = (text: string): boolean => DASHED.test(text) || HEX_32.test(bare(text))

/** The usual spelling of what `isUuidLike`, or null. */
export function usualId(text: string): string | null {
  if (DASHED.test(text)) return text.toLowerCase()
  const hex = bare(text)
  if (!HEX_32.test(hex)) return null
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The same of what is known to be one. */
export const dashed = (text: string): string => usualId(text) ?? text

/** A provider's or consumer's id from a path or a key; null when it cannot be one. */
export const knownId = (text: string): string | null => (DASHED.test(text) ? text.toLowerCase() : null)
