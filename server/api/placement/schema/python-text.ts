// Formats values as in the original's messages, because clients match on these texts.

/** A body may be nested more deeply than calls may be. */
const MAX_DEPTH = 100

/** `{'total': 0, 'traits': ['A']}` */
export const pythonText = (value: unknown): string => textAt(value, 0)

function textAt(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'object' && depth === MAX_DEPTH) return '...'
  if (Array.isArray(value)) return `[${value.map((each) => textAt(each, depth + 1)).join(', ')}]`
  // JSON allows numbers beyond the range of a double, such as 1E400.
  if (value === Infinity || value === -Infinity) return value > 0 ? 'inf' : '-inf'
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).map(([key, each]) => `${quoted(key)}: ${textAt(each, depth + 1)}`)
  return `{${entries.join(', ')}}`
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`
}

/** `schema['properties']['total']` */
export const indexed = (name: string, path: readonly (string | number)[]): string =>
  name + path.map((key) => `[${pythonText(key)}]`).join('')
