'use client'
import Link from 'next/link'
import { useMemo, useRef } from 'react'
import type { HeatCell } from '@/server/api/contract-moves'
import { paths } from '../console/paths'
import { useRovingPlaces } from '../host/map/walk'
import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { toneText, toneWash } from '../ui/tone'
import { DenseHeatmap } from './DenseHeatmap'
import { heatOf, type Shading, zonesOf } from './heat'
import { overviewWords as words } from './words'

/** Up to so many hosts the squares have room for their number. */
const ROOMY_HOSTS = 240

export interface HeatmapProps {
  readonly hosts: readonly HeatCell[]
  readonly shade: Shading
}

/** The whole fleet in one look: a square a host with the percentage held, marked where something is odd or moves. */
export function Heatmap(props: HeatmapProps) {
  return props.hosts.length > ROOMY_HOSTS ? <DenseHeatmap {...props} /> : <RoomyHeatmap {...props} />
}

function RoomyHeatmap({ hosts, shade }: HeatmapProps) {
  const root = useRef<HTMLDivElement>(null)
  const walk = useRovingPlaces(root, hosts)
  const zones = useMemo(() => zonesOf(hosts), [hosts])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the squares are links; this gathers their keys
    <div ref={root} onKeyDown={walk.onKeyDown} onFocus={walk.onFocus} className="flex flex-wrap gap-x-8 gap-y-3 p-0.5">
      {zones.map(({ name, cells }) => (
        <section key={name} aria-label={name} className="min-w-0">
          <h3 className="m-0 pb-1 text-xs font-normal text-faint">{words.zone(name, cells.length)}</h3>
          <ul className="m-0 flex list-none flex-wrap gap-1 p-0">
            {cells.map((cell) => (
              <li key={cell.id}>
                <Square cell={cell} shade={shade} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Square({ cell, shade }: { cell: HeatCell; shade: Shading }) {
  const { shown, odd, moves, findings, text, background } = heatOf(cell, shade)
  return (
    <Link
      data-place={cell.id}
      href={paths.host(cell.id)}
      prefetch={false}
      tabIndex={-1}
      title={text}
      aria-label={text}
      className="relative flex h-6 w-8 items-center justify-center rounded-[3px] text-[10px] text-ink ring-1 ring-edge/50 ring-inset hover:ring-2 hover:ring-ink"
      style={{ backgroundColor: background }}
    >
      {odd ? (
        <span
          className={cx(
            'absolute inset-0 flex items-center justify-center rounded-[3px]',
            toneWash[odd.tone],
            toneText[odd.tone],
          )}
        >
          <Glyph shape={odd.shape} />
        </span>
      ) : (
        shown
      )}
      {moves ? (
        <span
          aria-hidden="true"
          className="absolute -top-0.5 -right-0.5 size-2 rounded-full bg-map-incoming ring-2 ring-surface"
        />
      ) : null}
      {findings ? (
        <span
          aria-hidden="true"
          className="absolute -right-0.5 -bottom-0.5 size-2 rotate-45 bg-bad-fill ring-2 ring-surface"
        />
      ) : null}
    </Link>
  )
}
