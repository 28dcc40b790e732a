import { type RefObject, useEffect, useState } from 'react'
import type { HeatCell } from '@/server/api/host/view'
import { statusBadges } from '../host/state/words'
import { StateBadge } from '../ui/Badge'
import { uiWords } from '../ui/words'
import { type HeatMetric, heatOf } from './heat'

// The name of the host under the pointer or with the focus. A separate component with its own listeners, so that
// pointing over thousands of squares rerenders only this. Its text is also the square's label.

interface TipPlace {
  readonly id: string
  readonly x: number
  readonly y: number
}

interface HeatTipProps {
  /** Squares carry `data-host`. */
  readonly root: RefObject<HTMLElement | null>
  readonly hosts: readonly HeatCell[]
  readonly shade: HeatMetric
  /** The active host while the picture itself has the focus. */
  readonly active?: string | null
}

const EDGE = 120 // px: half the widest tip, which must stay on the screen

export function HeatTip({ root, hosts, shade, active = null }: HeatTipProps) {
  const place = useTipPlace(root, active)
  const cell = place && hosts.find(({ id }) => id === place.id)
  if (!place || !cell) return null
  const { odd, room, migrations, findings } = heatOf(cell, shade)
  const more = [migrations, findings].filter(Boolean)
  return (
    <div
      aria-hidden="true"
      data-heat-tip
      className="pointer-events-none fixed z-50 flex max-w-60 -translate-x-1/2 -translate-y-full flex-col rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink shadow-pop"
      style={{ left: place.x, top: place.y - 4 }}
    >
      <span className="flex items-baseline justify-between gap-3">
        <strong className="font-medium">{cell.name}</strong>
        <StateBadge badge={odd ?? statusBadges.up} />
      </span>
      <span className="text-soft">{room}</span>
      {more.length > 0 ? <span className="text-soft">{uiWords.list(more)}</span> : null}
    </div>
  )
}

function useTipPlace(root: RefObject<HTMLElement | null>, active: string | null): TipPlace | null {
  const [place, setPlace] = useState<TipPlace | null>(null)
  useEffect(() => {
    const picture = root.current
    if (!picture) return
    const square = (id: string) => picture.querySelector<HTMLElement>(`[data-host="${id}"]`)
    const showAt = (element: HTMLElement | null) => setPlace(element && placeOf(element))
    const over = ({ target }: Event) => showAt((target as HTMLElement).closest<HTMLElement>('[data-host]'))
    // The picture itself has the focus if it is one tab stop.
    const focus = (event: Event) => (event.target === picture && active ? showAt(square(active)) : over(event))
    const hide = () => setPlace(null)
    const key = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    if (document.activeElement === picture && active) showAt(square(active))
    const listeners = [
      ['pointerover', over],
      ['pointerleave', hide],
      ['focusin', focus],
      ['focusout', hide],
      ['keydown', key as (event: Event) => void],
    ] as const
    for (const [kind, listener] of listeners) picture.addEventListener(kind, listener)
    document.addEventListener('scroll', hide, { capture: true, passive: true })
    return () => {
      for (const [kind, listener] of listeners) picture.removeEventListener(kind, listener)
      document.removeEventListener('scroll', hide, { capture: true })
    }
  }, [root, active])
  return place
}

function placeOf(element: HTMLElement): TipPlace {
  const { left, width, top } = element.getBoundingClientRect()
  const x = Math.min(Math.max(left + width / 2, EDGE), window.innerWidth - EDGE)
  return { id: element.dataset.host ?? '', x, y: top }
}
