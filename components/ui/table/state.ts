import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  type UIEvent,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type AllRows, type Column, idOf, ROW_HEIGHT, type Sort } from './column'
import { useFit } from './fit'
import { onRowKey } from './keys'
import { useTableModel } from './model'
import { useScrollPosition } from './scroll-position'
import { useSteadyRows } from './steady'

// Props of a table, and its state while mounted.

/** Additional props for rows without an id. */
export type KeyedRows<Row extends object> = Required<Pick<TableProps<Row>, 'rowKey'>>

export interface TableProps<Row extends object> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** `undefined` while loading: the table keeps its space. */
  readonly rows: readonly Row[] | undefined
  /** If omitted, the row's id. */
  readonly rowKey?: (row: Row) => string
  readonly rowName?: (row: Row) => string
  readonly total?: number
  readonly sort?: Sort | null
  readonly onSort?: (sort: Sort | null) => void
  readonly sorts?: readonly Sort[]
  readonly onSorts?: (sorts: readonly Sort[]) => void
  readonly sortsItself?: boolean
  /** Ids of visible columns; null means the defaults. Without `onVisibleColumns` the table keeps them itself. */
  readonly visibleColumns?: readonly string[] | null
  readonly onVisibleColumns?: (visibleColumns: readonly string[] | null) => void
  /** All rows of the query, including those not loaded yet; if omitted, the export uses the loaded rows. */
  readonly allRows?: AllRows<Row>
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (keys: ReadonlySet<string>) => void
  /** Why a row cannot be selected; null if it can. It is listed all the same, with the reason on its checkbox. */
  readonly whyNotSelect?: (row: Row) => string | null
  readonly onNearEnd?: () => void
  /** Names the query of the rows, so that another filter starts a fresh table. */
  readonly question?: string
  readonly filters?: ReactNode
  readonly empty?: ReactNode
  /** Why the rows could not be read. Filter and columns stay, so that the query can be changed. */
  readonly failure?: ReactNode
  /** Takes the remaining height instead of its rows' height. */
  readonly fill?: boolean
  /** Without the bar of filters, columns and export. */
  readonly bare?: boolean
  /** Bare and inside a panel, which already has a frame. */
  readonly frameless?: boolean
  /** The row picked for a panel beside the table; Enter or a click picks. */
  readonly picked?: string | null
  readonly onPick?: (row: Row) => void
  /** Opens a preview over the list; Space does, and a button in the row's first cell. */
  readonly onPreview?: (row: Row) => void
}

const NO_ROWS: readonly never[] = []

export function useTableState<Row extends object>(props: TableProps<Row>) {
  const { columns, rowKey = idOf, onSelect, onPreview } = props
  const [hidden, setHidden] = useHidden(props)
  const hold = useHold()
  const chosen = useMemo(() => columns.filter((column) => !hidden.has(column.id)), [columns, hidden])
  const { model, ordered } = useTableModel({ ...props, rowKey, rows: props.rows ?? NO_ROWS })
  const question = `${props.question ?? ''} ${JSON.stringify(model.state.sorting)}`
  const steady = useSteadyRows({ rows: ordered, rowKey, frozen: hold.held, question: `${question} ${hold.round}` })
  const keyed = useMemo(() => steady.rows.map((row) => ({ key: rowKey(row), row })), [steady.rows, rowKey])
  const selected = props.selected ?? null
  const toggle = useCallback(
    (key: string) => {
      const next = new Set(selected)
      if (!next.delete(key)) next.add(key)
      onSelect?.(next)
    },
    [selected, onSelect],
  )
  const isFree = (row: Row) => !props.whyNotSelect?.(row)
  const free = selected ? keyed.filter(({ key, row }) => isFree(row) && !steady.removedKeys.has(key)) : []
  const ticked = free.filter(({ key }) => selected?.has(key)).length
  const tickAll = (on: boolean) => {
    const next = new Set(selected)
    for (const { key } of free) on ? next.add(key) : next.delete(key)
    onSelect?.(next)
  }
  const walk = useRowFocus(keyed.length)
  const fit = useFit(walk.scroller, chosen, selected !== null)
  const shown = useMemo(() => chosen.filter(({ id }) => !fit.dropped.has(id)), [chosen, fit.dropped])
  useTopOf(walk.scroller, question)
  useScrollPosition(walk.scroller, props.label, keyed.length)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) =>
    onRowKey(event, {
      count: keyed.length,
      active: walk.active,
      focusRow: walk.focusRow,
      preview: onPreview ? (index) => keyed[index] && onPreview(keyed[index].row) : null,
      toggle: onSelect ? (index) => keyed[index] && isFree(keyed[index].row) && toggle(keyed[index].key) : null,
    })
  const failed = props.rows === undefined && Boolean(props.failure)
  const loading = props.rows === undefined && !failed
  return {
    ...{
      failed,
      loading,
      hidden,
      setHidden,
      hold,
      shown,
      fit,
      model,
      steady,
      keyed,
      selected,
      toggle,
      allTicked: ticked > 0 && ticked === free.length,
      someTicked: ticked > 0,
      tickAll,
      walk,
      onKeyDown,
    },
  }
}

/** Hidden columns, kept here or by the caller. */
function useHidden<Row extends object>({ columns, visibleColumns, onVisibleColumns }: TableProps<Row>) {
  const [own, setOwn] = useState<ReadonlySet<string>>(() => hiddenAtFirst(columns))
  const hidden = useMemo(
    () => (onVisibleColumns ? hiddenBy(columns, visibleColumns ?? null) : own),
    [columns, visibleColumns, onVisibleColumns, own],
  )
  const setHidden = (next: ReadonlySet<string>) => {
    if (!onVisibleColumns) return setOwn(next)
    const first = hiddenAtFirst(columns)
    const asAtFirst = first.size === next.size && [...next].every((id) => first.has(id))
    onVisibleColumns(asAtFirst ? null : columns.filter(({ id }) => !next.has(id)).map(({ id }) => id))
  }
  return [hidden, setHidden] as const
}

function hiddenBy<Row>(columns: readonly Column<Row>[], shown: readonly string[] | null): ReadonlySet<string> {
  // A selection that names no column of this table belongs to another table.
  if (!columns.some(({ id }) => shown?.includes(id))) return hiddenAtFirst(columns)
  return new Set(columns.filter(({ id, fixed }) => !fixed && !shown?.includes(id)).map(({ id }) => id))
}

const hiddenAtFirst = (columns: readonly { readonly id: string; readonly hidden?: boolean }[]) =>
  new Set(columns.filter((column) => column.hidden).map((column) => column.id))

/** The focused row. One row is in the tab order at a time; j and k reach the rest. */
function useRowFocus(count: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const reveal = useRef<((index: number) => void) | null>(null)
  const [wanted, setActive] = useState(0)
  const active = Math.min(wanted, Math.max(0, count - 1))
  const focusRow = useCallback((index: number) => {
    setActive(index)
    reveal.current?.(index)
    // The row may have to be rendered first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const row = scroller.current?.querySelector<HTMLElement>(`tr[data-row="${index}"]`)
        row?.focus({ preventScroll: true })
        row?.scrollIntoView({ block: 'nearest' })
      }),
    )
  }, [])
  const onFocus = useCallback((event: { target: EventTarget }) => {
    const row = (event.target as HTMLElement).closest('tr[data-row]')
    if (row) setActive(Number(row.getAttribute('data-row')))
  }, [])
  return { scroller, reveal, active, focusRow, onFocus }
}

/** Another filter or order starts at the top, even if its rows arrive in the same render. */
function useTopOf(scroller: RefObject<HTMLElement | null>, question: string): void {
  const shown = useRef(question)
  useLayoutEffect(() => {
    if (shown.current === question) return
    shown.current = question
    if (scroller.current) scroller.current.scrollTop = 0
  }, [scroller, question])
}

// A table in use keeps its rows in place: while the pointer is over it, while a row has the focus, or while it is
// scrolled away from its top. `round` counts the requests to show rows that arrived meanwhile.

function useHold() {
  const [by, setBy] = useState({ pointer: false, keyboard: false, scroll: false })
  const [round, setRound] = useState(0)
  const set = (what: Partial<typeof by>) =>
    setBy((old) => {
      const next = { ...old, ...what }
      return next.pointer === old.pointer && next.keyboard === old.keyboard && next.scroll === old.scroll ? old : next
    })
  return {
    held: by.pointer || by.keyboard || by.scroll,
    round,
    showAll: () => setRound((times) => times + 1),
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && set({ pointer: true }),
    onPointerLeave: () => set({ pointer: false }),
    // A click also sets the focus, so only keyboard focus keeps the table in use after the pointer has left.
    onFocus: ({ target }: FocusEvent<HTMLElement>) =>
      set({ keyboard: target.closest('tbody') !== null && target.matches(':focus-visible') }),
    onBlur: () => set({ keyboard: false }),
    onScroll: ({ currentTarget }: UIEvent<HTMLElement>) => set({ scroll: currentTarget.scrollTop > ROW_HEIGHT }),
  }
}
