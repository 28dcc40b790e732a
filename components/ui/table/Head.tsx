import { ArrowDown, ArrowUp } from 'lucide-react'
import { cx } from '../cx'
import { Checkbox } from '../field/Checkbox'
import { useClockZone } from '../time/zone'
import { uiWords } from '../words'
import type { Column } from './column'
import type { TableModel } from './model'

const cellBase = 'sticky top-0 z-10 h-7 border-b border-line bg-sunken px-2 text-left text-xs font-medium text-soft'

export function Head<Row extends object>(props: {
  readonly model: TableModel<Row>
  readonly columns: readonly Column<Row>[]
  /** Selects all rows at once; null if none can be selected. */
  readonly ticks: {
    readonly allTicked: boolean
    readonly someTicked: boolean
    readonly tickAll: (on: boolean) => void
  } | null
}) {
  const { model, columns, ticks } = props
  return (
    <thead>
      <tr>
        {ticks ? (
          <th scope="col" className={cx(cellBase, 'w-8')}>
            <Checkbox
              hideLabel
              label={uiWords.selectAll}
              isSelected={ticks.allTicked}
              isIndeterminate={ticks.someTicked && !ticks.allTicked}
              onChange={ticks.tickAll}
            />
          </th>
        ) : null}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} model={model} />
        ))}
      </tr>
    </thead>
  )
}

function HeadCell<Row extends object>({ column, model }: { column: Column<Row>; model: TableModel<Row> }) {
  const { zone } = useClockZone()
  const head = column.absolute ? uiWords.headInZone(column.head, zone) : column.head
  const own = model.getColumn(column.id)
  const sorted = own?.getIsSorted() || false
  const several = model.state.sorting.length > 1
  const place = sorted && several ? (own?.getSortIndex() ?? 0) + 1 : null
  // Assistive technology supports one sorted column; the others state their position in words.
  const aria = sorted && (place ?? 1) === 1 ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined
  return (
    <th
      scope="col"
      aria-sort={aria}
      title={column.help ?? head}
      className={cx(cellBase, column.align === 'end' && 'pr-3.5 text-right')}
    >
      {own?.getCanSort() ? (
        <button
          type="button"
          // Shift and a click, or Shift and Enter, adds a sort column.
          onClick={(event) => own.toggleSorting(undefined, event.shiftKey)}
          className={cx(
            'inline-flex max-w-full cursor-default items-center gap-1 rounded-sm align-middle hover:text-ink',
            column.align === 'end' && 'flex-row-reverse',
            sorted && 'text-ink',
          )}
        >
          <span className="truncate">{head}</span>
          <SortMark sorted={sorted} place={place} atEnd={column.align === 'end'} />
        </button>
      ) : (
        <span className="block truncate">{head}</span>
      )}
    </th>
  )
}

interface SortMarkProps {
  readonly sorted: false | 'asc' | 'desc'
  readonly place: number | null
  /** The figures of the column end at its right, and its mark is left of its name. */
  readonly atEnd: boolean
}

// The mark keeps its space in an unsorted column, and the place is in the padding of the cell: sorting moves nothing and
// cuts no name.
function SortMark({ sorted, place, atEnd }: SortMarkProps) {
  const Icon = sorted === 'desc' ? ArrowDown : ArrowUp
  return (
    <span className="relative shrink-0">
      <Icon size={11} aria-hidden="true" className={cx('block', !sorted && 'invisible')} />
      {sorted && place !== null ? (
        <span
          className={cx('absolute inset-y-0 flex items-center text-2xs text-soft', atEnd ? 'right-full' : 'left-full')}
        >
          <span aria-hidden="true">{place}</span>
          <span className="sr-only">{uiWords.sortPlace(place, sorted)}</span>
        </span>
      ) : null}
    </span>
  )
}
