import { formatFilter, parseFilter } from './grammar'

// How other parts of a page read and write a filter, so that its text stays the single source.

/** The only value the filter has for this key; null for several, none, or negated ones. */
export function onlyValue(text: string, key: string): string | null {
  const terms = parseFilter(text).filter((term) => term.key === key)
  const [term, ...more] = terms
  return term && more.length === 0 && !term.not && term.values.length === 1 ? (term.values[0] ?? null) : null
}

/** The filter with this value for the key in place of its previous terms; null removes the key. */
export function withOnly(text: string, key: string, value: string | null): string {
  const rest = parseFilter(text).filter((term) => term.key !== key)
  return formatFilter(value === null ? rest : [...rest, { key, values: [value], not: false }])
}
