import {
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { type Column, type Sort, sortKey } from './column'

// TanStack Table owns the row order; sets hold the selection and the visible columns.

const clientFeatures = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
})

export interface ModelInput<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Given together, the caller sorts; otherwise the table sorts its rows. */
  readonly sort?: Sort | null
  readonly onSort?: (sort: Sort | null) => void
  /** The same for callers that sort by several columns, first by the first. */
  readonly sorts?: readonly Sort[]
  readonly onSorts?: (sorts: readonly Sort[]) => void
  /** The caller keeps the order, and the table, which has all rows, sorts by it. */
  readonly sortsItself?: boolean
}

const resolve = <T>(updater: Updater<T>, old: T): T =>
  typeof updater === 'function' ? (updater as (old: T) => T)(old) : updater

export function useTableModel<Row extends object>(input: ModelInput<Row>) {
  const { columns, rows, rowKey } = input
  const { manual, sorting, setSorting } = useSorting(input)
  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        accessorFn: (row: Row) => sortKey(column)?.(row) ?? undefined,
        enableSorting: column.sortable ?? (!manual && sortKey(column) !== undefined),
        sortUndefined: 'last' as const,
        // Figures sort largest first, names alphabetically; unknown values are no figures.
        sortDescFirst: isFigure(column, rows),
      })),
    [columns, manual, rows],
  )
  // A caller that sorts needs no library object for each of thousands of rows.
  const model = useTable({
    features: clientFeatures,
    columns: definitions,
    data: manual ? NO_ROWS : (rows as Row[]),
    getRowId: rowKey,
    manualSorting: manual,
    enableMultiSort: input.onSort === undefined,
    maxMultiSortColCount: MAX_SORTS,
    state: { sorting },
    onSortingChange: setSorting,
  })
  const { rows: modelRows } = model.getRowModel()
  const ordered = useMemo(() => (manual ? rows : modelRows.map(({ original }) => original)), [manual, rows, modelRows])
  return { model, ordered }
}

const NO_ROWS: never[] = []

const isFigure = <Row>(column: Column<Row>, rows: readonly Row[]) =>
  typeof rows
    .slice(0, 20)
    .map((row) => sortKey(column)?.(row) ?? null)
    .find((value) => value !== null) === 'number'

/** More sort columns than this cannot be followed. */
const MAX_SORTS = 4

type SortInput = Pick<ModelInput<never>, 'sort' | 'onSort' | 'sorts' | 'onSorts' | 'sortsItself'>

function useSorting({ sort, onSort, sorts, onSorts, sortsItself = false }: SortInput) {
  const [own, setOwn] = useState<SortingState>([])
  const kept = onSorts ? (sorts ?? []) : onSort && sort ? [sort] : []
  const isControlled = onSort !== undefined || onSorts !== undefined
  const sorting = isControlled ? kept.map(({ by, dir }) => ({ id: by, desc: dir === 'desc' })) : own
  const setSorting = (updater: Updater<SortingState>) => {
    const next = resolve(updater, sorting)
    if (!isControlled) return setOwn(next)
    const given = next.map(({ id, desc }) => ({ by: id, dir: desc ? ('desc' as const) : ('asc' as const) }))
    if (onSorts) onSorts(given)
    else onSort?.(given[0] ?? null)
  }
  return { manual: isControlled && !sortsItself, sorting, setSorting }
}

export type TableModel<Row extends object> = ReturnType<typeof useTableModel<Row>>['model']
