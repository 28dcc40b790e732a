'use client'
import type { ReactElement } from 'react'
import { Button } from '../Button'
import { cx } from '../cx'
import { StaleLine } from '../Message'
import { Skeleton } from '../Skeleton'
import { uiWords } from '../words'
import { Bar } from './Bar'
import { idOf, isLong, ROW_HEIGHT, type RowWithId } from './column'
import { leastWidth, SELECT_WIDTH } from './fit'
import { Head } from './Head'
import { NewRowsButton } from './NewRowsButton'
import { Rows } from './Rows'
import { type KeyedRows, type TableProps, useTableState } from './state'

export type { KeyedRows, TableProps }

export function Table<Row extends RowWithId>(props: TableProps<Row>): ReactElement
export function Table<Row extends object>(props: TableProps<Row> & KeyedRows<Row>): ReactElement
export function Table<Row extends object>(props: TableProps<Row>) {
  const state = useTableState(props)
  const { keyed, walk, shown, selected, steady, hold } = state
  const bare = props.bare || props.frameless
  const arrived = <NewRowsButton steady={steady} onShow={hold.showAll} />
  return (
    <div
      className={cx('flex min-w-0 flex-col', props.fill && 'flex-1')}
      onPointerEnter={hold.onPointerEnter}
      onPointerLeave={hold.onPointerLeave}
    >
      {bare ? null : (
        <Bar
          label={props.label}
          filters={props.filters}
          columns={props.columns}
          hidden={state.hidden}
          onHidden={state.setHidden}
          rows={steady.rows}
          allRows={props.allRows}
          total={state.loading ? null : (props.total ?? keyed.length)}
          failed={state.failed}
          arrived={arrived}
        />
      )}
      {props.failure && !state.failed ? <StaleLine>{uiWords.staleRows}</StaleLine> : null}
      <div
        ref={walk.scroller}
        data-scroller
        onScroll={hold.onScroll}
        className={cx(
          'overflow-auto bg-surface',
          !props.frameless && 'rounded-md border border-line',
          // No height of its own, or a long list would be as high as its rows; but room for some, whatever is above it.
          props.fill
            ? 'h-0 min-h-44 flex-[1_1_0px] print:h-auto print:flex-none'
            : isLong(keyed.length) && 'max-h-[70vh]',
          // Only the rows in view are drawn: on paper the space of the others would be blank pages.
          isLong(keyed.length) && 'print:max-h-[90vh]',
        )}
      >
        <table
          aria-label={props.label}
          aria-rowcount={(props.total ?? keyed.length) + 1}
          aria-busy={state.loading}
          className="w-full table-fixed border-separate border-spacing-0 text-sm"
          style={{
            minWidth: shown.reduce(
              (sum, column) => sum + leastWidth(column) * state.fit.shrink,
              selected ? SELECT_WIDTH : 0,
            ),
          }}
          onFocus={(event) => {
            walk.onFocus(event)
            hold.onFocus(event)
          }}
          onBlur={hold.onBlur}
          onKeyDown={state.onKeyDown}
        >
          <colgroup>
            {selected ? <col style={{ width: SELECT_WIDTH }} /> : null}
            {shown.map((column) => (
              <col key={column.id} style={{ width: state.fit.widthOf(column) }} />
            ))}
          </colgroup>
          <Head model={state.model} columns={shown} ticks={selected === null ? null : state} />
          <Rows
            columns={shown}
            second={state.fit.second}
            rows={keyed}
            removedKeys={steady.removedKeys}
            active={walk.active}
            selected={selected}
            rowName={props.rowName ?? props.rowKey ?? idOf}
            onToggle={state.toggle}
            whyNotSelect={props.whyNotSelect}
            onNearEnd={props.onNearEnd}
            reveal={walk.reveal}
            picked={props.picked ?? null}
            onPick={props.onPick}
            onPreview={props.onPreview}
          />
        </table>
        {bare ? <div className="sticky bottom-0 flex justify-center">{arrived}</div> : null}
        {state.loading ? <Waiting /> : null}
        {state.failed ? <div className="p-3">{props.failure}</div> : null}
        {!state.loading && !state.failed && keyed.length === 0 ? <div className="px-4 py-8">{props.empty}</div> : null}
      </div>
      {state.fit.hasMore > 0 && keyed.length > 0 ? <MoreColumns {...state.fit} /> : null}
    </div>
  )
}

interface MoreColumnsProps {
  readonly hasMore: number
  readonly wantsAll: boolean
  readonly setWantsAll: (wantsAll: boolean) => void
}

function MoreColumns({ hasMore, wantsAll, setWantsAll }: MoreColumnsProps) {
  return (
    <p className="m-0 flex min-h-8 items-center gap-2 px-2 text-xs text-soft">
      {wantsAll ? null : uiWords.columnsWithoutRoom(hasMore)}
      <Button size="sm" variant="quiet" onPress={() => setWantsAll(!wantsAll)}>
        {wantsAll ? uiWords.fitColumns : uiWords.showAllColumns}
      </Button>
    </p>
  )
}

/** Placeholder rows; real rows replace them and move nothing. */
function Waiting() {
  return (
    <div aria-hidden="true" className="appear-late" style={{ height: ROW_HEIGHT * 6 }}>
      {Array.from({ length: 6 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={row} className="flex h-[30px] items-center gap-6 border-b border-line/60 px-2">
          <Skeleton className="w-1/5" />
          <Skeleton className="w-1/6" />
          <Skeleton className="w-1/3" />
        </div>
      ))}
    </div>
  )
}
