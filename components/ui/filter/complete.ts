import { type FilterKey, keyNamed } from './check-terms'
import { formatTerm, parseFilter } from './grammar'

// Completions of a filter: keys while a word is started, values once the key is there.

export interface Completion {
  /** The new draft. */
  readonly text: string
  /** The option's label in the list. */
  readonly label: string
  readonly hint: string | null
  /** The term is complete and becomes a chip. A key alone still waits for its value. */
  readonly whole: boolean
}

const MAX_COMPLETIONS = 12

/** Completions of the last, unfinished term; best first. */
export function completionsOf(draft: string, keys: readonly FilterKey[]): readonly Completion[] {
  const [term] = parseFilter(draft)
  const not = term?.not ?? draft === '-'
  const sign = not ? '-' : ''
  if (!term || term.key === null) {
    const begun = draft === '-' ? '' : (term?.values[0] ?? '').toLowerCase()
    return keys
      .filter((key) => [key.id, ...(key.aliases ?? [])].some((word) => word.startsWith(begun)))
      .map((key) => ({ text: `${sign}${key.id}:`, label: `${sign}${key.id}:`, hint: key.label, whole: false }))
  }
  const key = keyNamed(keys, term.key)
  if (!key) return []
  const before = term.values.slice(0, -1)
  const begun = (term.values.at(-1) ?? '').toLowerCase()
  const possible = (key.values ?? key.known ?? []).filter((value) => !before.includes(value))
  const starts = possible.filter((value) => value.toLowerCase().startsWith(begun))
  const holds = possible.filter((value) => !starts.includes(value) && value.toLowerCase().includes(begun))
  return [...starts, ...holds].slice(0, MAX_COMPLETIONS).map((value) => ({
    text: formatTerm({ key: key.id, values: [...before, value], not }),
    label: value,
    hint: null,
    whole: true,
  }))
}
