import { useMemo } from 'react'
import { parseFilter } from '../../ui/filter/grammar'
import { type Condition, type FilterKey, judge } from '../../ui/filter/judge'
import { keep, type RowFields } from '../../ui/filter/keep'
import { useFilterText, useShown, useSorts } from '../url'

// What a list is asked and how it is shown, all of it from the address: filter, order, columns.

export interface ListKey<Field extends string> extends FilterKey {
  readonly id: Field
}

function useConditions(keys: readonly FilterKey[]) {
  const [text, setText] = useFilterText()
  const conditions = useMemo<readonly Condition[]>(
    () => judge(parseFilter(text), keys).flatMap(({ condition }) => condition ?? []),
    [text, keys],
  )
  return { conditions, filter: { value: text, onChange: (next: string) => void setText(next || null), keys } }
}

/** `table` goes to the table, `filter` to the filter field, `where` and `order` to the API. */
export function useList<By extends string, Field extends string>(
  sortColumns: readonly By[],
  keys: readonly ListKey<Field>[],
) {
  const { conditions, filter } = useConditions(keys)
  const { sorts, onSorts } = useSorts(sortColumns)
  const { shown, onShown } = useShown()
  // Keys were judged by the list's own, so each is one of its fields, or free text.
  const where = useMemo(
    () => conditions.map(({ key, any, not }) => ({ key: key as Field | 'text', any: [...any], not })),
    [conditions],
  )
  return {
    input: { where: where.length > 0 ? where : undefined, order: sorts.length > 0 ? [...sorts] : undefined },
    narrowed: conditions.length > 0,
    table: { sorts, onSorts, shown, onShown },
    filter,
  }
}

export interface WholeList<Row> {
  readonly keys: readonly FilterKey[]
  /** What a row says under each key, and under `text`. */
  readonly fields: RowFields<Row>
  /** Columns that may be sorted by. */
  readonly sortColumns: readonly string[]
}

/** The same for a list that the API answers whole: rows are filtered here, and the table sorts them. */
export function useWholeList<Row>(rows: readonly Row[], { keys, fields, sortColumns }: WholeList<Row>) {
  const { conditions, filter } = useConditions(keys)
  const { sorts, onSorts } = useSorts(sortColumns)
  const { shown, onShown } = useShown()
  const kept = useMemo(() => keep(rows, conditions, fields), [rows, conditions, fields])
  return {
    rows: kept,
    narrowed: conditions.length > 0,
    filter,
    table: {
      ...{ sorts, onSorts, shown, onShown },
      sortsItself: true,
      rows: kept,
      total: kept.length,
      question: filter.value,
    },
  }
}
