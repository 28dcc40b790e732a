import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import { type Column, columnWidth } from './column'

// A list keeps the columns that fit, first ones first, so that no one scrolls sideways to find a problem, and states
// how many it drops. On a phone that would be most of them, and on a tablet held upright the reason or the finding, so
// the next ones share a second line of the row.

/** Width in pixels of a column that shares the remaining space. */
const SHARED_WIDTH = 150
export const SELECT_WIDTH = 32

export const leastWidth = <Row>(column: Column<Row>): number => columnWidth(column) ?? column.minWidth ?? SHARED_WIDTH

/** Ids of the columns without space; columns that must stay are placed before the others. */
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

/**
 * Below this width, rows may have two lines: more facts of one row are worth more than more rows. The largest tablets
 * are 834 pixels wide when they are held upright.
 */
const NARROW = 835

/** The dropped columns that a narrow table shows on a second line. */
export function secondLineOf<Row>(columns: readonly Column<Row>[], room: number): readonly Column<Row>[] {
  const without = columnsWithoutRoom(columns, room)
  return room < NARROW ? columns.filter(({ id, secondLine }) => secondLine && without.has(id)) : []
}

/** Factor by which each column shrinks if even those that stay do not fit; 1 if they do. */
export function shrinkFactor<Row>(columns: readonly Column<Row>[], room: number): number {
  const least = columns.reduce((sum, column) => sum + leastWidth(column), 0)
  return room > 0 && least > room ? room / least : 1
}

const MAX_STRETCH = 1.75
/** A column that shares the remaining space has the longest texts: it gets this many pixels first. */
const SHARED_ENOUGH = 400
/** Sentences get more: with less, every row grows by a line. */
const SENTENCES_ENOUGH = 800

/** Text may be cut; figures, ages and states are as wide as they ever get. */
const isStretched = <Row>({ width, align, timestamp, fits, badge }: Column<Row>) =>
  width !== undefined && align !== 'end' && !timestamp && !fits && !badge

/** Factor by which columns of text widen in a wide window, before one column gets more than it needs; 1 or more. */
export function stretchFactor<Row>(columns: readonly Column<Row>[], room: number): number {
  const enough = (column: Column<Row>) => {
    const shared = column.wraps ? SENTENCES_ENOUGH : SHARED_ENOUGH
    return Math.max(leastWidth(column), column.width === undefined ? shared : 0)
  }
  const spare = room - columns.reduce((sum, column) => sum + enough(column), 0)
  const text = columns.filter(isStretched).reduce((sum, column) => sum + leastWidth(column), 0)
  return spare <= 0 || text === 0 ? 1 : Math.min(MAX_STRETCH, 1 + spare / text)
}

/** `dropped` is empty while all columns are requested; only then is a table wider than its container. */
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
  const forColumns = room === null ? null : room - (selectable ? SELECT_WIDTH : 0)
  const without = useMemo(
    () => (forColumns === null ? NONE : columnsWithoutRoom(columns, forColumns)),
    [columns, forColumns],
  )
  const second = useMemo(
    () => (forColumns === null || wantsAll ? [] : secondLineOf(columns, forColumns)),
    [columns, forColumns, wantsAll],
  )
  const dropped = wantsAll ? NONE : without
  const rest = columns.filter(({ id }) => !dropped.has(id))
  const fitted = forColumns !== null && !wantsAll
  const shrink = fitted ? shrinkFactor(rest, forColumns) : 1
  const stretch = fitted ? stretchFactor(rest, forColumns) : 1
  /** Undefined: shares the remaining space. */
  const widthOf = (column: Column<Row>) => {
    const width = columnWidth(column)
    return width === undefined ? undefined : width * shrink * (isStretched(column) ? stretch : 1)
  }
  return { dropped, second, shrink, widthOf, hasMore: without.size - second.length, wantsAll, setWantsAll }
}

const NONE: ReadonlySet<string> = new Set()
