'use client'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import type { HeatCell } from '@/server/api/host/view'
import { paths } from '../console/paths'
import { placeByKey } from '../host/map/walk'
import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { toneText, toneWash } from '../ui/tone'
import { HeatMarks } from './HeatMarks'
import type { HeatmapProps } from './Heatmap'
import { HeatTip } from './HeatTip'
import { type HeatMetric, heatOf, zonesOf } from './heat'
import { overviewWords as words } from './words'

const hostAt = (target: EventTarget) => (target as HTMLElement).closest('[data-host]')?.getAttribute('data-host')

// Thousands of links would be thousands of tab stops and targets too small to hit. The picture is one tab stop walked
// with the arrows; the host that is pointed at or focused is named beside it.
export function DenseHeatmap({ hosts, shade }: HeatmapProps) {
  const router = useRouter()
  const root = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<string | null>(null)
  const zones = useMemo(() => zonesOf(hosts), [hosts])
  const current = hosts.find(({ id }) => id === active) ?? zones[0]?.cells[0]
  useEffect(() => {
    if (active && root.current === document.activeElement)
      document.getElementById(`heat-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && current) router.push(paths.host(current.id))
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[data-host]') ?? [])]
    const here = all.find((dot) => dot.getAttribute('data-host') === current?.id)
    const next = here && placeByKey(event.key, here, all)
    if (!next) return
    event.preventDefault()
    setActive(next.getAttribute('data-host'))
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
          const id = hostAt(event.target)
          if (id) router.push(paths.host(id))
        }}
        className="group/fleet flex max-h-[600px] flex-col gap-2 overflow-auto rounded-sm p-0.5"
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
      <HeatTip root={root} hosts={hosts} shade={shade} active={current?.id ?? null} />
    </div>
  )
}

const Dot = memo(function Dot({ cell, shade, active }: { cell: HeatCell; shade: HeatMetric; active: boolean }) {
  const { odd, text, background } = heatOf(cell, shade)
  return (
    <span
      id={`heat-${cell.id}`}
      role="option"
      aria-selected={active}
      aria-label={text}
      tabIndex={-1}
      data-host={cell.id}
      className={cx(
        'relative flex size-4 items-center justify-center rounded-[2px] ring-1 ring-edge/40 ring-inset hover:ring-2 hover:ring-ink',
        odd && toneWash[odd.tone],
        odd && toneText[odd.tone],
        active && 'group-focus/fleet:ring-2 group-focus/fleet:ring-accent',
      )}
      style={odd ? undefined : { backgroundColor: background }}
    >
      {odd ? <Glyph shape={odd.shape} /> : null}
      <HeatMarks dense cell={cell} />
    </span>
  )
})
