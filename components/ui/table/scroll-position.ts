import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

// Restores scroll position on back/forward navigation. Browsers do so for a scrolling page; a table scrolls by itself,
// and its rows may have to load again.

/** Back or forward navigation slower than this is not restored. */
const BACK_MS = 5_000

/** By address and table: pixels from the top. */
const places = new Map<string, number>()
let cameBackAt = Number.NEGATIVE_INFINITY
globalThis.window?.addEventListener('popstate', () => {
  cameBackAt = performance.now()
})

const placeOf = (label: string) => `${location.pathname}${location.search} ${label}`

/** Remembers a table's scroll position and restores it when its address is revisited. */
export function useScrollPosition(scroller: RefObject<HTMLElement | null>, label: string, rows: number): void {
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
  // Reaching the end of the loaded rows requests the next ones, so this repeats until the position is reached.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || wanted.current === null || rows === 0) return
    element.scrollTop = wanted.current
    if (element.scrollTop >= wanted.current - 1) wanted.current = null
  }, [scroller, rows])
}

/** Input that cancels the restore, so that the user is not pulled back. */
const HANDS = ['wheel', 'pointerdown', 'keydown'] as const
