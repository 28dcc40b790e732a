import type { Term } from './grammar'

// Which typed terms a list understands. The others are not applied and are reported with what would be understood; the
// rest of the filter applies.

export interface FilterKey {
  readonly id: string
  /** Its description in the list of keys. */
  readonly label: string
  /** Aliases of the key. */
  readonly aliases?: readonly string[]
  /** The only valid values. A wildcard stands for all that it matches. */
  readonly values?: readonly string[]
  /** Known values of a key that takes any. */
  readonly known?: readonly string[]
}

/** A list's condition: any of the values, or none of them. `text` is free text. */
export interface Condition {
  readonly key: string
  readonly any: readonly string[]
  readonly not: boolean
}

export type Problem =
  | { readonly kind: 'unknown-key'; readonly key: string; readonly keys: readonly string[] }
  | { readonly kind: 'no-value'; readonly key: string; readonly values: readonly string[] | null }
  | { readonly kind: 'bad-value'; readonly key: string; readonly value: string; readonly values: readonly string[] }

export interface CheckedTerm {
  readonly term: Term
  readonly problem: Problem | null
  readonly condition: Condition | null
}

export const FREE_TEXT = 'text'

export function checkTerms(terms: readonly Term[], keys: readonly FilterKey[]): readonly CheckedTerm[] {
  return terms.map((term) => {
    if (isEmpty(term)) return { term, problem: null, condition: null }
    const found = judgeTerm(term, keys)
    return 'kind' in found ? { term, problem: found, condition: null } : { term, problem: null, condition: found }
  })
}

/** A quote that was just opened. */
const isEmpty = ({ key, values }: Term) => key === null && values.every((value) => value === '')

export function keyNamed(keys: readonly FilterKey[], name: string): FilterKey | undefined {
  return keys.find(({ id, aliases }) => id === name || aliases?.includes(name))
}

/** Case does not matter; `*` matches any characters, or none. */
export function fits(value: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'is').test(value)
}

function judgeTerm({ key: name, values, not }: Term, keys: readonly FilterKey[]): Condition | Problem {
  if (name === null) return { key: FREE_TEXT, any: values, not }
  const key = keyNamed(keys, name)
  if (!key) return { kind: 'unknown-key', key: name, keys: keys.map(({ id }) => id) }
  const given = values.filter((value) => value !== '')
  if (given.length === 0) return { kind: 'no-value', key: key.id, values: key.values ?? null }
  const { values: only } = key
  if (!only) return { key: key.id, any: given, not }
  const bad = given.find((pattern) => !only.some((value) => fits(value, pattern)))
  if (bad !== undefined) return { kind: 'bad-value', key: key.id, value: bad, values: only }
  return { key: key.id, any: only.filter((value) => given.some((pattern) => fits(value, pattern))), not }
}
