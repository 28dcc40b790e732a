import { memo, type RefObject, useEffect, useRef } from 'react'
import { cx } from '../cx'
import { Checkbox } from '../field/Checkbox'
import { uiWords } from '../words'
import { cellClasses, shownBy, WithPreview } from './cell'
import { type Column, isLong, ROW_HEIGHT, sortKey, TALL_ROW_HEIGHT } from './column'
import { SecondLine, secondLineSpace } from './SecondLine'
import { stopOf, useRowsInView } from './view'

export interface RowsProps<Row> {
  readonly columns: readonly Column<Row>[]
  /** On a second line of each row. */
  readonly second: readonly Column<Row>[]
  readonly rows: readonly { readonly key: string; readonly row: Row }[]
  readonly removedKeys: ReadonlySet<string>
  readonly active: number
  readonly selected: ReadonlySet<string> | null
  readonly rowName: (row: Row) => string
  readonly onToggle: (key: string) => void
  readonly whyNotSelect?: (row: Row) => string | null
  readonly onNearEnd?: () => void
  readonly picked: string | null
  readonly onPick?: (row: Row) => void
  readonly onPreview?: (row: Row) => void
  readonly reveal: RefObject<((index: number) => void) | null>
}

export function Rows<Row>(props: RowsProps<Row>) {
  const { rows, onNearEnd, reveal } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const rowHeight = props.second.length > 0 ? TALL_ROW_HEIGHT : ROW_HEIGHT
  const { first, last, reveal: revealRow } = useRowsInView(body, { count: rows.length, rowHeight })
  const span = props.columns.length + (props.selected ? 1 : 0)
  const part = revealRow !== null
  const stop = stopOf(props.active, { first, last })
  useEffect(() => {
    reveal.current = revealRow
  })
  useEffect(() => {
    // A table rendered whole is at its end from the start.
    if (!part || last >= rows.length - NEAR_END) onNearEnd?.()
  }, [part, last, rows.length, onNearEnd])
  return (
    <tbody ref={body}>
      <Spacer height={first * rowHeight} columns={span} />
      {rows.slice(first, last + 1).map(({ key, row }, offset) => (
        <TableRow
          key={key}
          rowKey={key}
          index={first + offset}
          row={row}
          {...flags(props, key, first + offset === stop)}
        />
      ))}
      <Spacer height={(rows.length - last - 1) * rowHeight} columns={span} />
    </tbody>
  )
}

function flags<Row>(props: RowsProps<Row>, key: string, focusable: boolean) {
  return {
    columns: props.columns,
    second: props.second,
    rowName: props.rowName,
    onPick: props.onPick,
    onPreview: props.onPreview,
    picked: props.onPick ? props.picked === key : null,
    onToggle: props.onToggle,
    whyNotSelect: props.whyNotSelect,
    gone: props.removedKeys.has(key),
    focusable,
    wrapped: !isLong(props.rows.length),
    selected: props.selected ? props.selected.has(key) : null,
  }
}

/** The next rows are requested this many rows before the end: a fast scroll outruns the response. */
const NEAR_END = 150

/** Text for the tooltip of a cell that is cut off. */
const textOf = (value: string | number | null | undefined) => (typeof value === 'string' ? value : undefined)

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  )
}

interface TableRowProps<Row> extends ReturnType<typeof flags<Row>> {
  readonly rowKey: string
  readonly index: number
  readonly row: Row
}

// Only rows whose data or flags changed rerender: one event in a list of thousands costs one row.
const TableRow = memo(DrawnRow) as typeof DrawnRow

function DrawnRow<Row>(props: TableRowProps<Row>) {
  const { row, rowKey, index, columns, second, selected } = props
  const tall = second.length > 0
  const whyNot = props.whyNotSelect?.(row) ?? null
  return (
    <tr
      data-row={index}
      aria-rowindex={index + 2}
      tabIndex={props.focusable ? 0 : -1}
      aria-selected={props.picked ?? undefined}
      onClick={props.onPick ? () => props.onPick?.(row) : undefined}
      className={cx(
        tall ? 'relative h-13' : 'h-[30px]',
        'group/row isolate outline-offset-[-2px] hover:bg-hover focus-visible:bg-hover',
        selected && 'bg-accent-wash',
        props.picked && 'bg-accent-wash shadow-[inset_2px_0_0_var(--accent)]',
        props.gone && 'opacity-50',
      )}
    >
      {selected !== null ? (
        <td className={cx('border-b border-line/60 px-2', tall && secondLineSpace)} title={whyNot ?? undefined}>
          <Checkbox
            hideLabel
            label={uiWords.selectRow(props.rowName(row), whyNot)}
            isSelected={selected}
            isDisabled={whyNot !== null}
            onChange={() => props.onToggle(rowKey)}
          />
        </td>
      ) : null}
      {columns.map((column, at) => (
        <td
          key={column.id}
          title={textOf(sortKey(column)?.(row))}
          className={cx(cellClasses(column, props.wrapped), tall && secondLineSpace)}
        >
          {at === 0 && props.onPreview ? (
            <WithPreview name={props.rowName(row)} onPreview={() => props.onPreview?.(row)}>
              {shownBy(column, row)}
            </WithPreview>
          ) : (
            shownBy(column, row)
          )}
          {at === 0 && tall ? <SecondLine columns={second} row={row} indented={selected !== null} /> : null}
        </td>
      ))}
    </tr>
  )
}
