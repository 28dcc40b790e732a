'use client'
import { memo, useMemo, useRef } from 'react'
import type { HeatCell } from '@/server/api/host/view'
import { paths } from '../console/paths'
import { useRovingPlaces } from '../host/map/walk'
import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { PlainLink } from '../ui/Link'
import { toneText, toneWash } from '../ui/tone'
import { DenseHeatmap } from './DenseHeatmap'
import { HeatMarks } from './HeatMarks'
import { HeatTip } from './HeatTip'
import { type HeatMetric, heatOf, zonesOf } from './heat'
import { overviewWords as words } from './words'

/** Up to this many hosts, squares have space for their number. */
const LARGE_CELL_HOSTS = 240
export const hasLargeCells = (hosts: readonly HeatCell[]): boolean => hosts.length <= LARGE_CELL_HOSTS

export interface HeatmapProps {
  readonly hosts: readonly HeatCell[]
  readonly shade: HeatMetric
}

/** The whole fleet at a glance: a numbered square per host, marked if its state is unusual or it has migrations. */
export function Heatmap(props: HeatmapProps) {
  return hasLargeCells(props.hosts) ? <LargeCellHeatmap {...props} /> : <DenseHeatmap {...props} />
}

function LargeCellHeatmap({ hosts, shade }: HeatmapProps) {
  const root = useRef<HTMLDivElement>(null)
  const walk = useRovingPlaces(root, hosts)
  const zones = useMemo(() => zonesOf(hosts), [hosts])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the squares are links; this gathers their keys
    <div ref={root} onKeyDown={walk.onKeyDown} onFocus={walk.onFocus} className="flex flex-col gap-y-3 p-0.5">
      {zones.map(({ name, cells }) => (
        <section key={name} aria-label={name} className="min-w-0">
          <h3 className="m-0 pb-1 text-xs font-normal text-faint">{words.zone(name, cells.length)}</h3>
          <ul className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(2.5rem,1fr))] gap-1 p-0">
            {cells.map((cell) => (
              <li key={cell.id}>
                <Square cell={cell} shade={shade} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <HeatTip root={root} hosts={hosts} shade={shade} />
    </div>
  )
}

const Square = memo(function Square({ cell, shade }: { cell: HeatCell; shade: HeatMetric }) {
  const { shown, odd, text, background } = heatOf(cell, shade)
  return (
    <PlainLink
      data-place={cell.id}
      data-host={cell.id}
      href={paths.host(cell.id)}
      tabIndex={-1}
      aria-label={text}
      className={cx(
        'relative flex h-7 items-center justify-center gap-1 rounded-[3px] text-2xs text-ink ring-1 ring-edge/50 ring-inset hover:ring-2 hover:ring-ink',
        odd && toneWash[odd.tone],
        odd && toneText[odd.tone],
      )}
      style={odd ? undefined : { backgroundColor: background }}
    >
      {odd ? <Glyph shape={odd.shape} /> : shown}
      <HeatMarks cell={cell} />
    </PlainLink>
  )
})
