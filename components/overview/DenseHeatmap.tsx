'use client'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import type { HeatCell } from '@/server/api/contract-moves'
import { paths } from '../console/paths'
import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { toneText } from '../ui/tone'
import type { HeatmapProps } from './Heatmap'
import { heatOf, type Shading, zonesOf } from './heat'
import { overviewWords as words } from './words'

const PITCH = 15
const STEPS: Readonly<Record<string, 'next' | 'previous' | 'down' | 'up' | 'first' | 'last'>> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  ArrowDown: 'down',
  ArrowUp: 'up',
  Home: 'first',
  End: 'last',
}

// Thousands of links would be thousands of stops and targets too small to hit. The picture is one stop that is walked
// with the arrows; the host that has the keyboard is said under it. The list of hosts is its table twin.
export function DenseHeatmap({ hosts, shade }: HeatmapProps) {
  const router = useRouter()
  const root = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const zones = useMemo(() => zonesOf(hosts), [hosts])
  const order = useMemo(() => zones.flatMap((zone) => zone.cells), [zones])
  const current = order[Math.min(active, order.length - 1)]
  const currentId = current?.id
  useEffect(() => {
    if (root.current === document.activeElement)
      document.getElementById(`heat-${currentId}`)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && current) router.push(paths.host(current.id))
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const perLine = Math.max(1, Math.floor((root.current?.clientWidth ?? PITCH) / PITCH))
    const by = { next: 1, previous: -1, down: perLine, up: -perLine, first: -order.length, last: order.length }[step]
    setActive((at) => Math.min(order.length - 1, Math.max(0, at + by)))
  }
  return (
    <div className="flex flex-col gap-2">
      <div
        ref={root}
        role="listbox"
        tabIndex={0}
        aria-label={words.fleet}
        aria-activedescendant={current ? `heat-${current.id}` : undefined}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const id = (event.target as HTMLElement).closest('[data-host]')?.getAttribute('data-host')
          if (id) router.push(paths.host(id))
        }}
        className="group/fleet flex max-h-[440px] flex-col gap-2 overflow-auto rounded-sm p-0.5"
      >
        {zones.map(({ name, cells }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a listbox
          <div key={name} role="group" aria-label={name}>
            <p className="m-0 pb-1 text-xs text-faint">{words.zone(name, cells.length)}</p>
            <div className="flex flex-wrap gap-[3px]">
              {cells.map((cell) => (
                <Dot key={cell.id} cell={cell} shade={shade} active={cell.id === current?.id} />
              ))}
            </div>
          </div>
        ))}
      </div>
      <p className="m-0 truncate text-xs text-soft">{current ? heatOf(current, shade).text : ''}</p>
    </div>
  )
}

const Dot = memo(function Dot({ cell, shade, active }: { cell: HeatCell; shade: Shading; active: boolean }) {
  const { odd, moves, findings, text, background } = heatOf(cell, shade)
  return (
    <span
      id={`heat-${cell.id}`}
      role="option"
      aria-selected={active}
      aria-label={text}
      tabIndex={-1}
      data-host={cell.id}
      title={text}
      className={cx(
        'relative flex size-3 items-center justify-center rounded-[2px] ring-1 ring-edge/40 ring-inset hover:ring-2 hover:ring-ink',
        odd && toneText[odd.tone],
        active && 'group-focus/fleet:ring-2 group-focus/fleet:ring-accent',
      )}
      style={odd ? undefined : { backgroundColor: background }}
    >
      {odd ? <Glyph shape={odd.shape} /> : null}
      {findings ? <span className="size-1.5 rotate-45 bg-bad-fill ring-1 ring-surface" /> : null}
      {moves && !odd && !findings ? (
        <span className="size-1.5 rounded-full bg-map-incoming ring-1 ring-surface" />
      ) : null}
    </span>
  )
})
