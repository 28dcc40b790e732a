import { type KeyboardEvent, type RefObject, useCallback, useEffect } from 'react'

// One place is in the tab order; arrows walk the rest. Left and right follow the document order, up and down follow the
// picture, because cores wrap differently on every screen.

const SELECTOR = '[data-place]'

function nearestBelow(from: DOMRect, all: readonly HTMLElement[], up: boolean): HTMLElement | null {
  const x = from.left + from.width / 2
  let best: { element: HTMLElement; distance: number } | null = null
  for (const element of all) {
    const box = element.getBoundingClientRect()
    const dy = up ? from.top - box.bottom : box.top - from.bottom
    if (dy < -2) continue
    // Height counts three times: the next line, slightly aside, is nearer than the same column far away.
    const distance = Math.max(0, dy) * 3 + Math.abs(box.left + box.width / 2 - x)
    if (!best || distance < best.distance) best = { element, distance }
  }
  return best?.element ?? null
}

/** The place that a key leads to in the same picture; null if there is none. */
export function placeByKey(key: string, current: HTMLElement, all: readonly HTMLElement[]): HTMLElement | null {
  const at = all.indexOf(current)
  if (key === 'ArrowRight') return all[at + 1] ?? null
  if (key === 'ArrowLeft') return all[at - 1] ?? null
  if (key === 'Home') return all[0] ?? null
  if (key === 'End') return all.at(-1) ?? null
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    return nearestBelow(current.getBoundingClientRect(), all, key === 'ArrowUp')
  }
  return null
}

/** Makes one place reachable by Tab; repeated when the places change. */
export function useRovingPlaces(root: RefObject<HTMLElement | null>, change: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new picture has new places
  useEffect(() => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>(SELECTOR) ?? [])]
    if (all.length > 0 && !all.some((element) => element.tabIndex === 0)) all[0]?.setAttribute('tabindex', '0')
  }, [root, change])
  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      const current = (event.target as HTMLElement).closest<HTMLElement>(SELECTOR)
      if (!current || !root.current) return
      const all = [...root.current.querySelectorAll<HTMLElement>(SELECTOR)]
      const next = placeByKey(event.key, current, all)
      if (!next) return
      event.preventDefault()
      next.focus()
    },
    [root],
  )
  const onFocus = useCallback(
    (event: { target: EventTarget }) => {
      const current = (event.target as HTMLElement).closest<HTMLElement>(SELECTOR)
      if (!current) return
      for (const other of root.current?.querySelectorAll<HTMLElement>(`${SELECTOR}[tabindex="0"]`) ?? [])
        other.setAttribute('tabindex', '-1')
      current.setAttribute('tabindex', '0')
    },
    [root],
  )
  return { onKeyDown, onFocus }
}
