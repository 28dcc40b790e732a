import { useMemo } from 'react'
import { parseFilter } from '../ui/filter/grammar'
import { type FilterKey, judge } from '../ui/filter/judge'
import { useFilterText, useShown, useSorts } from './url'

// What a list is asked and how it is shown, all of it from the address: filter, order, columns.

export interface ListKey<Field extends string> extends FilterKey {
  readonly id: Field
}

/** `table` goes to the table, `filter` to the filter field, `where` and `order` to the API. */
export function useList<By extends string, Field extends string>(
  sortColumns: readonly By[],
  keys: readonly ListKey<Field>[],
) {
  const [text, setText] = useFilterText()
  const { sorts, onSorts } = useSorts(sortColumns)
  const { shown, onShown } = useShown()
  const where = useMemo(() => {
    const conditions = judge(parseFilter(text), keys).flatMap(({ condition }) => condition ?? [])
    // Keys were judged by the list's own, so each is one of its fields, or free text.
    return conditions.map(({ key, any, not }) => ({ key: key as Field | 'text', any: [...any], not }))
  }, [text, keys])
  return {
    input: { where: where.length > 0 ? where : undefined, order: sorts.length > 0 ? [...sorts] : undefined },
    table: { sorts, onSorts, shown, onShown },
    filter: { value: text, onChange: (next: string) => void setText(next || null), keys },
  }
}
