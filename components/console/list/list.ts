import { useMemo } from 'react'
import {
  type FieldOf,
  type FilterOf,
  fieldValuesOf,
  type List,
  type MemoryList,
  type RowReader,
  sortsOf,
} from '@/lists/list'
import { whereRows } from '@/lists/rows'
import { type Condition, checkTerms, type FilterKey } from '../../ui/filter/check-terms'
import { parseFilter } from '../../ui/filter/grammar'
import { useFilterText, useSorts, useVisibleColumns } from '../url'

// A list's query and display, all from the address: filter, order, columns.

/** Additions of the screen to the list's own filters: values it has read, names it assigns. */
export type FilterOverrides<L extends List> = Readonly<Partial<Record<FilterOf<L>, Partial<FilterKey>>>>

function keysOf<L extends List>({ filters }: L, known: FilterOverrides<L> | undefined): readonly FilterKey[] {
  return Object.entries(filters).map(([id, { hint, aliases, values, known: listed }]) => {
    return { ...{ id, label: hint, aliases, values, known: listed }, ...known?.[id as FilterOf<L>] }
  })
}

function useConditions(keys: readonly FilterKey[]) {
  const [text, setText] = useFilterText()
  const conditions = useMemo<readonly Condition[]>(
    () => checkTerms(parseFilter(text), keys).flatMap(({ condition }) => condition ?? []),
    [text, keys],
  )
  return { conditions, filter: { value: text, onChange: (next: string) => void setText(next || null), keys } }
}

/** `table` is for the table, `filter` for the filter field, `where` and `order` for the API. */
export function useList<L extends List>(list: L, known?: FilterOverrides<L>) {
  const { conditions, filter } = useConditions(useMemo(() => keysOf(list, known), [list, known]))
  const { sorts, onSorts } = useSorts(useMemo(() => sortsOf(list), [list]))
  const visible = useVisibleColumns()
  // Keys were checked against the list's own, so each is one of its fields or free text.
  const where = useMemo(
    () => conditions.map(({ key, any, not }) => ({ key: key as FieldOf<L>, any: [...any], not })),
    [conditions],
  )
  return {
    input: { where: where.length > 0 ? where : undefined, order: sorts.length > 0 ? [...sorts] : undefined },
    narrowed: conditions.length > 0,
    table: { sorts, onSorts, ...visible },
    filter,
  }
}

export interface WholeList<Row> extends RowReader<Row> {
  readonly keys: readonly FilterKey[]
  /** Sortable columns. */
  readonly sortColumns: readonly string[]
}

/** The same for a list that the API returns whole: rows are filtered here and sorted by the table. */
export function useWholeList<Row>(rows: readonly Row[], { keys, fields, ids, sortColumns }: WholeList<Row>) {
  const { conditions, filter } = useConditions(keys)
  const { sorts, onSorts } = useSorts(sortColumns)
  const visible = useVisibleColumns()
  const kept = useMemo(() => whereRows(rows, conditions, { fields, ids }), [rows, conditions, fields, ids])
  return {
    rows: kept,
    narrowed: conditions.length > 0,
    filter,
    table: {
      ...{ sorts, onSorts, ...visible },
      sortsItself: true,
      rows: kept,
      total: kept.length,
      question: filter.value,
    },
  }
}

/** A list that the API pages, but with all rows loaded here. */
export const wholeListOf = <Row, L extends MemoryList<Row>>(
  list: L & MemoryList<Row>,
  known?: FilterOverrides<L>,
): WholeList<Row> => ({
  ...fieldValuesOf(list),
  keys: keysOf(list, known),
  sortColumns: sortsOf(list),
})
