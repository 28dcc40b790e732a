'use client'
import { useMemo, useRef } from 'react'
import { Link } from 'react-aria-components'
import type { HeatCell } from '@/server/api/contract-moves'
import { paths } from '../console/paths'
import { useRovingPlaces } from '../host/map/walk'
import { hostWords, truthLooks } from '../host/words'
import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { overviewWords as words } from './words'

export type Shade = keyof typeof words.shades

/** Held of capacity, whole percent; a host without capacity counts as full, because nothing goes there. */
export function percent({ used, total }: { used: number; total: number }): number {
  return total === 0 ? 100 : Math.round((100 * used) / total)
}

/** The whole fleet in one look: a square a host, darker where more is held, marked where something is odd. */
export function Heatmap({ hosts, shade }: { hosts: readonly HeatCell[]; shade: Shade }) {
  const root = useRef<HTMLDivElement>(null)
  const walk = useRovingPlaces(root, hosts)
  const zones = useMemo(() => {
    const byZone = new Map<string, HeatCell[]>()
    for (const host of hosts) byZone.set(host.zone ?? '–', [...(byZone.get(host.zone ?? '–') ?? []), host])
    return [...byZone].sort(([a], [b]) => a.localeCompare(b))
  }, [hosts])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the squares are links; this gathers their keys
    <div
      ref={root}
      onKeyDown={walk.onKeyDown}
      onFocus={walk.onFocus}
      className="flex max-h-[420px] flex-wrap gap-x-8 gap-y-3 overflow-auto p-0.5"
    >
      {zones.map(([zone, cells]) => (
        <section key={zone} aria-label={zone} className="min-w-0">
          <h3 className="m-0 pb-1 text-xs font-normal text-faint">
            {zone} <span className="pl-1">{cells.length}</span>
          </h3>
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

function Square({ cell, shade }: { cell: HeatCell; shade: Shade }) {
  const held = percent(cell[shade])
  const odd = cell.truth !== 'up' || cell.admission !== 'open'
  const look = truthLooks[cell.truth]
  const moves = cell.movesIn + cell.movesOut > 0 ? hostWords.movesInOut(cell.movesIn, cell.movesOut) : ''
  const text = words.hostText(cell.name, look.label, words.used(held, words.shades[shade]), moves)
  return (
    <Link
      data-place={cell.id}
      href={paths.host(cell.id)}
      aria-label={text}
      className="relative block size-5 rounded-[3px] ring-1 ring-line ring-inset hovered:ring-2 hovered:ring-ink"
      style={{ backgroundColor: `color-mix(in oklab, var(--map-held-alt) ${held}%, var(--map-free))` }}
      render={(props) => <a {...(props as object)} title={text} />}
    >
      {odd ? (
        <span
          className={cx('absolute inset-0 flex items-center justify-center rounded-[3px] bg-surface', oddText(cell))}
        >
          <Glyph shape={cell.truth === 'up' ? 'pause' : look.shape} />
        </span>
      ) : moves ? (
        <span
          aria-hidden="true"
          className="absolute right-0.5 bottom-0.5 size-1.5 rounded-full bg-map-incoming ring-1 ring-surface"
        />
      ) : null}
    </Link>
  )
}

const oddText = ({ truth }: HeatCell) => (truth === 'down' || truth === 'gone' ? 'text-bad' : 'text-warn')
