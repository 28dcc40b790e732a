import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { type Column, columnWidth } from './column'

// A list keeps the columns that fit, the first ones first, so that nobody scrolls sideways to find out what is wrong, and
// says how many it leaves out.

/** Pixels of a column that shares what is left. */
const SHARED_WIDTH = 150
export const SELECT_WIDTH = 32

export const leastWidth = <Row>(column: Column<Row>): number => columnWidth(column) ?? column.minWidth ?? SHARED_WIDTH

/** Ids of the columns that have no room; those that must stay take theirs before the others. */
export function columnsWithoutRoom<Row>(columns: readonly Column<Row>[], room: number): ReadonlySet<string> {
  const stays = columns.filter(({ fixed, keep }) => fixed || keep)
  let left = stays.reduce((rest, column) => rest - leastWidth(column), room)
  let full = false
  return new Set(
    columns.flatMap((column) => {
      if (stays.includes(column)) return []
      left -= leastWidth(column)
      // A later column that would still fit is not shown before an earlier one.
      full ||= left < 0
      return full ? [column.id] : []
    }),
  )
}

/** `dropped` is empty while somebody wants all columns. */
export function useFit<Row>(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column<Row>[],
  selectable: boolean,
) {
  const [room, setRoom] = useState<number | null>(null)
  const [wantsAll, setWantsAll] = useState(false)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || typeof ResizeObserver !== 'function') return
    const measure = () => setRoom(element.clientWidth > 0 ? element.clientWidth : null)
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [scroller])
  const without = useMemo(
    () => (room === null ? NONE : columnsWithoutRoom(columns, room - (selectable ? SELECT_WIDTH : 0))),
    [columns, room, selectable],
  )
  return { dropped: wantsAll ? NONE : without, hasMore: without.size, wantsAll, setWantsAll }
}

const NONE: ReadonlySet<string> = new Set()
