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
  /** The same for callers that sort by several columns, first by the first. */
  readonly sorts?: readonly Sort[]
  readonly onSorts?: (sorts: readonly Sort[]) => void
  /** The caller keeps the order, and the table, which has all rows, sorts by it. */
  readonly sortsItself?: boolean
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (keys: ReadonlySet<string>) => void
  readonly whyNotSelect?: (row: Row) => string | null
  readonly hidden: ReadonlySet<string>
}

const resolve = <T>(updater: Updater<T>, old: T): T =>
  typeof updater === 'function' ? (updater as (old: T) => T)(old) : updater

export function useTableModel<Row extends object>(input: ModelInput<Row>) {
  const { columns, rows, rowKey, onSelect } = input
  const { manual, sorting, setSorting } = useSorting(input)
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
        // Figures are looked at for the most, names for their place; nothing known yet is no figure.
        sortDescFirst: isFigure(column, rows),
      })),
    [columns, manual, rows],
  )
  const columnVisibility = useMemo(() => Object.fromEntries([...input.hidden].map((id) => [id, false])), [input.hidden])
  // Who orders the rows and selects none of them needs no object of the library for each of thousands.
  const plain = manual && onSelect === undefined
  const model = useTable({
    features: clientFeatures,
    columns: definitions,
    data: plain ? NO_ROWS : (rows as Row[]),
    getRowId: rowKey,
    manualSorting: manual,
    enableMultiSort: input.onSort === undefined,
    maxMultiSortColCount: SORTS_MOST,
    enableRowSelection: (row: { readonly original: Row }) => !input.whyNotSelect?.(row.original),
    state: { sorting, rowSelection, columnVisibility },
    onSortingChange: setSorting,
    onRowSelectionChange: (updater: Updater<RowSelectionState>) => {
      const next = resolve(updater, rowSelection)
      onSelect?.(new Set(Object.keys(next).filter((key) => next[key])))
    },
  })
  const { rows: modelRows } = model.getRowModel()
  const ordered = useMemo(() => (plain ? rows : modelRows.map(({ original }) => original)), [plain, rows, modelRows])
  return { model, ordered }
}

const NO_ROWS: never[] = []

const isFigure = <Row>(column: Column<Row>, rows: readonly Row[]) =>
  typeof rows
    .slice(0, 20)
    .map((row) => column.value?.(row) ?? null)
    .find((value) => value !== null) === 'number'

/** More columns than this nobody can follow. */
const SORTS_MOST = 4

type Sorting = Pick<ModelInput<never>, 'sort' | 'onSort' | 'sorts' | 'onSorts' | 'sortsItself'>

function useSorting({ sort, onSort, sorts, onSorts, sortsItself = false }: Sorting) {
  const [own, setOwn] = useState<SortingState>([])
  const kept = onSorts ? (sorts ?? []) : onSort && sort ? [sort] : []
  const told = onSort !== undefined || onSorts !== undefined
  const sorting = told ? kept.map(({ by, dir }) => ({ id: by, desc: dir === 'desc' })) : own
  const setSorting = (updater: Updater<SortingState>) => {
    const next = resolve(updater, sorting)
    if (!told) return setOwn(next)
    const given = next.map(({ id, desc }) => ({ by: id, dir: desc ? ('desc' as const) : ('asc' as const) }))
    if (onSorts) onSorts(given)
    else onSort?.(given[0] ?? null)
  }
  return { manual: told && !sortsItself, sorting, setSorting }
}

export type TableModel<Row extends object> = ReturnType<typeof useTableModel<Row>>['model']
