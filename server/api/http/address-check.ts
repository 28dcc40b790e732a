// An address is text in UTF-8 without the character NUL, or nobody's: PostgreSQL refuses such text, and routes differ in
// what they make of it.

const ESCAPES = /(?:%[0-9a-f]{2})+/gi

/** Why the address cannot be read; null when it can. */
export function whyUnreadable(url: string): string | null {
  if (!url.startsWith('/')) return 'The address must begin with a slash.'
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (!isDecodable(path)) return 'The path is not percent-encoded UTF-8.'
  const escapes = url.match(ESCAPES) ?? []
  if (!escapes.every(isDecodable)) return 'The query is not percent-encoded UTF-8.'
  if (/%00/.test(url)) return 'The address has the character NUL, which is in no name and no id.'
  return null
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
