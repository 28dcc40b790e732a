import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { isLong, ROW_HEIGHT } from './column'

// Only the rows of a long table that are in view are in the document. All rows of a table have one height, so a
// division finds them.

/** Rows beyond the view, so that a scroll does not outrun rendering. */
const AROUND = 10
/** A scroll rerenders after this many rows, not at each one. */
const STEP = 4
const HEAD_HEIGHT = 28

interface View {
  readonly top: number
  readonly height: number
}

/** The initial view. The table is measured before it is painted, so few rows avoid wasted rendering. */
const UNMEASURED: View = { top: 0, height: 6 * ROW_HEIGHT }
/** An unmeasured table has no height; it is rendered as if on a tall screen. */
const FALLBACK_HEIGHT = 60 * ROW_HEIGHT

export interface RowsOfTable {
  readonly count: number
  /** Pixels. */
  readonly rowHeight: number
}

export interface Range {
  readonly first: number
  readonly last: number
}

export function rowsInView({ top, height }: View, { count, rowHeight }: RowsOfTable): Range {
  // The scroll position may be past the end by now.
  const from = Math.min(top, Math.max(0, count * rowHeight - height)) / rowHeight
  const first = Math.floor((from - AROUND) / STEP) * STEP
  const last = Math.ceil((from + height / rowHeight + AROUND) / STEP) * STEP
  return { first: Math.max(0, first), last: Math.min(count - 1, last) }
}

/** The row that Tab and j reach: the last focused one, or one in view if that is no longer rendered. */
export const stopOf = (active: number, { first, last }: Range): number =>
  active >= first && active <= last ? active : Math.min(last, first + AROUND + STEP - 1)

const sameRows = (one: View, other: View, rows: RowsOfTable) => {
  const [a, b] = [rowsInView(one, rows), rowsInView(other, rows)]
  return a.first === b.first && a.last === b.last
}

/**
 * The rendered rows of a table in `body`, and a function that scrolls to any row; null if all are rendered. Finds the
 * scroller from within: its own ref is not set yet when the rows can be measured.
 */
export function useRowsInView(body: RefObject<HTMLElement | null>, { count, rowHeight }: RowsOfTable) {
  const long = isLong(count)
  const [view, setView] = useState(UNMEASURED)
  useLayoutEffect(() => {
    const element = scrollerOf(body)
    if (long && element) setView(viewOf(element))
  }, [long, body])
  useEffect(() => {
    const element = scrollerOf(body)
    if (!long || !element) return
    const update = () =>
      setView((old) => {
        const next = viewOf(element)
        return sameRows(old, next, { count, rowHeight }) ? old : next
      })
    // Rendered within the scroll's frame, or the frame would show blank rows.
    const onScroll = () => flushSync(update)
    const sizes = new ResizeObserver(update)
    sizes.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [long, count, rowHeight, body])
  const reveal = (index: number) => {
    const element = scrollerOf(body)
    if (element) revealRow(element, index, rowHeight)
  }
  return {
    ...(long ? rowsInView(view, { count, rowHeight }) : { first: 0, last: count - 1 }),
    reveal: long ? reveal : null,
  }
}

const scrollerOf = (body: RefObject<HTMLElement | null>) =>
  body.current?.closest<HTMLElement>('[data-scroller]') ?? null

const viewOf = ({ scrollTop, clientHeight }: HTMLElement): View => ({
  top: scrollTop,
  height: clientHeight || FALLBACK_HEIGHT,
})

function revealRow(element: HTMLElement, index: number, rowHeight: number): void {
  const top = index * rowHeight
  const bottom = top + rowHeight + HEAD_HEIGHT
  if (top < element.scrollTop) element.scrollTop = top
  else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
}
