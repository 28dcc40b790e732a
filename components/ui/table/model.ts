import {
  columnVisibilityFeature,
  createSortedRowModel,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import type { Column, Sort } from './column'

// TanStack Table owns order, selection and visible columns; the marks on the screen are ours.

const clientFeatures = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
})

export interface ModelInput<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Given together, the caller sorts; otherwise the table sorts what it has. */
  readonly sort?: Sort | null
  readonly onSort?: (sort: Sort | null) => void
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (keys: ReadonlySet<string>) => void
  readonly hidden: ReadonlySet<string>
}

const resolve = <T>(updater: Updater<T>, old: T): T =>
  typeof updater === 'function' ? (updater as (old: T) => T)(old) : updater

export function useTableModel<Row extends object>(input: ModelInput<Row>) {
  const { columns, rows, rowKey, onSort, onSelect } = input
  const [ownSort, setOwnSort] = useState<SortingState>([])
  const manual = onSort !== undefined
  const sorting = manual ? (input.sort ? [{ id: input.sort.by, desc: input.sort.dir === 'desc' }] : []) : ownSort
  const rowSelection: RowSelectionState = useMemo(
    () => Object.fromEntries([...(input.selected ?? [])].map((key) => [key, true as const])),
    [input.selected],
  )
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: (row: Row) => column.value?.(row) ?? undefined,
        enableSorting: column.sortable ?? (!manual && column.value !== undefined),
        sortUndefined: 'last' as const,
      })),
    [columns, manual],
  )
  const columnVisibility = useMemo(() => Object.fromEntries([...input.hidden].map((id) => [id, false])), [input.hidden])
  return useTable({
    features: clientFeatures,
    columns: definitions,
    data: rows as Row[],
    getRowId: rowKey,
    manualSorting: manual,
    enableMultiSort: false,
    state: { sorting, rowSelection, columnVisibility },
    onSortingChange: (updater: Updater<SortingState>) => {
      const [first] = resolve(updater, sorting)
      if (!onSort) setOwnSort(first ? [first] : [])
      else onSort(first ? { by: first.id, dir: first.desc ? 'desc' : 'asc' } : null)
    },
    onRowSelectionChange: (updater: Updater<RowSelectionState>) => {
      const next = resolve(updater, rowSelection)
      onSelect?.(new Set(Object.keys(next).filter((key) => next[key])))
    },
  })
}

export type TableModel<Row extends object> = ReturnType<typeof useTableModel<Row>>
