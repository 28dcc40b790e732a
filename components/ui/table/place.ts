import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

// Who goes back to a list finds it where they left it. The browser keeps that for a page that scrolls; a table scrolls by
// itself, and its rows may have to come again.

/** A step back or forward whose page takes longer than this is not waited for. */
const BACK_MS = 5_000

/** By address and table: pixels from the top. */
const places = new Map<string, number>()
let cameBackAt = Number.NEGATIVE_INFINITY
globalThis.window?.addEventListener('popstate', () => {
  cameBackAt = performance.now()
})

const placeOf = (label: string) => `${location.pathname}${location.search} ${label}`

/** Keeps how far the table is scrolled, and scrolls there again when somebody comes back to its address. */
export function usePlace(scroller: RefObject<HTMLElement | null>, label: string, rows: number): void {
  const wanted = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (performance.now() - cameBackAt < BACK_MS) wanted.current = places.get(placeOf(label)) ?? null
  }, [label])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const note = () => {
      if (wanted.current === null) places.set(placeOf(label), element.scrollTop)
    }
    const letGo = () => {
      wanted.current = null
    }
    element.addEventListener('scroll', note, { passive: true })
    for (const kind of HANDS) window.addEventListener(kind, letGo, { passive: true })
    return () => {
      element.removeEventListener('scroll', note)
      for (const kind of HANDS) window.removeEventListener(kind, letGo)
    }
  }, [scroller, label])
  // The end of what is there asks for the rows that come next: so it goes on until the place is reached.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || wanted.current === null || rows === 0) return
    element.scrollTop = wanted.current
    if (element.scrollTop >= wanted.current - 1) wanted.current = null
  }, [scroller, rows])
}

/** Whoever moves on meanwhile is not pulled back. */
const HANDS = ['wheel', 'pointerdown', 'keydown'] as const
