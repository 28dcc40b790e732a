import { formatFilter, parseFilter } from './grammar'

// What other parts of a page read from a filter and write into it, so that its text stays the single source.

/** The single value of this key; null when there are several, none, or all but some. */
export function onlyValue(text: string, key: string): string | null {
  const terms = parseFilter(text).filter((term) => term.key === key)
  const [term, ...more] = terms
  return term && more.length === 0 && !term.not && term.values.length === 1 ? (term.values[0] ?? null) : null
}

/** The filter with this value under the key instead of what it said there; null takes the key away. */
export function withOnly(text: string, key: string, value: string | null): string {
  const rest = parseFilter(text).filter((term) => term.key !== key)
  return formatFilter(value === null ? rest : [...rest, { key, values: [value], not: false }])
}
