import { Fragment } from 'react'
import { cx } from '../cx'
import { dash } from '../dash'
import { shownBy } from './cell'
import { type Column, sortKey } from './column'

/** Space under each cell of a row for its second line. */
export const secondLineSpace = 'pb-5.5'

interface SecondLineProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly row: Row
  /** The row begins with a checkbox. */
  readonly indented: boolean
}

/**
 * What does not fit beside the other cells of a narrow row, across its whole width. It belongs to the first cell, so that
 * a reader hears it with the name of the row, and the row stays one row for keys and selection.
 */
export function SecondLine<Row>({ columns, row, indented }: SecondLineProps<Row>) {
  const cells = columns
    .filter((column) => hasValue(column, row))
    .map((column) => ({ column, shown: shownBy(column, row) }))
  return (
    <span className={cx(classes, indented ? 'left-10' : 'left-2')}>
      {cells
        .filter(({ shown }) => shown !== dash)
        .map(({ column: { id, head, secondLine }, shown }, at) => (
          <Fragment key={id}>
            {at > 0 ? <span className="text-faint"> · </span> : null}
            <span className={secondLine === 'named' ? 'text-faint' : 'sr-only'}>{head} </span>
            {shown}
          </Fragment>
        ))}
    </span>
  )
}

function hasValue<Row>(column: Column<Row>, row: Row): boolean {
  const value = sortKey(column)?.(row)
  return value !== null && value !== ''
}

// The first cell may end its figures at the right. A cell may be a flex box, which would begin a line of its own, or not fit and become an ellipsis.
const classes =
  'absolute right-2 bottom-1 truncate text-start text-xs leading-4 text-soft [&_.flex]:inline-flex [&_.flex]:max-w-48 [&_.flex]:gap-1 [&_.flex]:overflow-hidden'
