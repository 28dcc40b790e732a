import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Which row has the keyboard. One row is in the tab order at a time; the rest are reached by j and k. */
export function useRowFocus(count: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const reveal = useRef<((index: number) => void) | null>(null)
  const [wanted, setActive] = useState(0)
  const active = Math.min(wanted, Math.max(0, count - 1))
  const focusRow = useCallback((index: number) => {
    setActive(index)
    reveal.current?.(index)
    // The row may have to be drawn first.
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

/** Another filter or order is read from its top, also when its rows are there in the same moment. */
export function useTopOf(scroller: RefObject<HTMLElement | null>, question: string): void {
  const shown = useRef(question)
  useLayoutEffect(() => {
    if (shown.current === question) return
    shown.current = question
    if (scroller.current) scroller.current.scrollTop = 0
  }, [scroller, question])
}
