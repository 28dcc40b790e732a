'use client'
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useState } from 'react'
import { cx } from '../cx'
import { Bar } from './Bar'
import { type Column, ROW_HEIGHT, type Sort, VIRTUAL_FROM } from './column'
import { useRowFocus } from './focus'
import { Head } from './Head'
import { onRowKey } from './keys'
import { useTableModel } from './model'
import { Rows } from './Rows'
import { useSteadyRows } from './steady'

export interface TableProps<Row extends object> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** `undefined` while nothing is known yet: the table keeps its room. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  readonly rowName?: (row: Row) => string
  readonly total?: number
  readonly sort?: Sort | null
  readonly onSort?: (sort: Sort | null) => void
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (keys: ReadonlySet<string>) => void
  readonly onNearEnd?: () => void
  /** Names the question the rows answer, so that another filter starts a fresh table. */
  readonly question?: string
  readonly filters?: ReactNode
  readonly empty?: ReactNode
  /** Takes the height that is left instead of its rows' height. */
  readonly fill?: boolean
  readonly bare?: boolean
  /** Inside a panel, which has a frame already. */
  readonly frameless?: boolean
  /** A row can be picked for a panel beside the table; Enter or a click picks it. */
  readonly picked?: string | null
  readonly onPick?: (row: Row) => void
}

const NO_ROWS: readonly never[] = []

export function Table<Row extends object>(props: TableProps<Row>) {
  const state = useTableState(props)
  const { keyed, walk, shown, selected, steady } = state
  return (
    <div className={cx('flex min-w-0 flex-col', props.fill && 'min-h-0 flex-1')}>
      {props.bare ? null : (
        <Bar
          label={props.label}
          filters={props.filters}
          columns={props.columns}
          hidden={state.hidden}
          onHidden={state.setHidden}
          rows={steady.rows}
          total={state.loading ? null : (props.total ?? keyed.length)}
          arrived={steady.arrived}
        />
      )}
      <div
        ref={walk.scroller}
        className={cx(
          'overflow-auto bg-surface',
          !props.frameless && 'rounded-md border border-line',
          props.fill ? 'min-h-0 flex-1' : keyed.length > VIRTUAL_FROM && 'max-h-[70vh]',
        )}
      >
        <table
          aria-label={props.label}
          aria-rowcount={(props.total ?? keyed.length) + 1}
          aria-busy={state.loading}
          className="w-full table-fixed border-separate border-spacing-0 text-sm"
          style={{
            minWidth: shown.reduce((sum, column) => sum + (column.width ?? column.minWidth ?? 150), selected ? 32 : 0),
          }}
          onPointerEnter={(event) => event.pointerType === 'mouse' && state.setHeld(true)}
          onPointerLeave={() => state.setHeld(false)}
          onFocus={walk.onFocus}
          onKeyDown={state.onKeyDown}
        >
          <colgroup>
            {selected ? <col style={{ width: 32 }} /> : null}
            {shown.map((column) => (
              <col key={column.id} style={column.width ? { width: column.width } : undefined} />
            ))}
          </colgroup>
          <Head model={state.model} columns={shown} selectable={selected !== null} />
          <Rows
            columns={shown}
            rows={keyed}
            gone={steady.gone}
            active={walk.active}
            selected={selected}
            rowName={props.rowName ?? props.rowKey}
            onToggle={state.toggle}
            scroller={walk.scroller}
            onNearEnd={props.onNearEnd}
            reveal={walk.reveal}
            picked={props.picked ?? null}
            onPick={props.onPick}
          />
        </table>
        {state.loading ? <Waiting /> : null}
        {!state.loading && keyed.length === 0 ? <div className="px-4 py-8">{props.empty}</div> : null}
      </div>
    </div>
  )
}

function useTableState<Row extends object>(props: TableProps<Row>) {
  const { columns, rowKey, onSelect } = props
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => hiddenAtFirst(columns))
  const [held, setHeld] = useState(false)
  const shown = useMemo(() => columns.filter((column) => !hidden.has(column.id)), [columns, hidden])
  const model = useTableModel({ ...props, rows: props.rows ?? NO_ROWS, hidden })
  const modelRows = model.getRowModel().rows
  const ordered = useMemo(() => modelRows.map((row) => row.original), [modelRows])
  const question = `${props.question ?? ''} ${JSON.stringify(model.state.sorting)}`
  const steady = useSteadyRows({ rows: ordered, rowKey, held, question })
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
  const walk = useRowFocus(keyed.length)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) =>
    onRowKey(event, {
      count: keyed.length,
      active: walk.active,
      focusRow: walk.focusRow,
      toggle: onSelect ? (index) => keyed[index] && toggle(keyed[index].key) : null,
    })
  const loading = props.rows === undefined
  return { hidden, setHidden, setHeld, shown, model, steady, keyed, selected, toggle, walk, onKeyDown, loading }
}

const hiddenAtFirst = (columns: readonly { readonly id: string; readonly hidden?: boolean }[]) =>
  new Set(columns.filter((column) => column.hidden).map((column) => column.id))

function Waiting() {
  return <div aria-hidden="true" style={{ height: ROW_HEIGHT * 6 }} className="bg-sunken/40" />
}
