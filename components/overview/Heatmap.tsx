'use client'
import { useMemo, useRef } from 'react'
import { Link } from 'react-aria-components'
import type { HeatCell } from '@/server/api/contract-moves'
import { paths } from '../console/paths'
import { useRovingPlaces } from '../host/map/walk'
import { admissionLooks, hostWords, truthLooks } from '../host/words'
import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { toneText, toneWash } from '../ui/tone'
import { overviewWords as words } from './words'

/** A full host is shaded so far that its number can still be read on it, in both themes. */
const DARKEST = 0.55
/** Up to so many hosts the squares have room for their number. */
const ROOMY_HOSTS = 240

export type Shade = keyof typeof words.shades

/** Held of capacity, whole percent; a host without capacity counts as full, because nothing goes there. */
export function percent({ used, total }: { used: number; total: number }): number {
  return total === 0 ? 100 : Math.round((100 * used) / total)
}

/** The whole fleet in one look: a square a host with the percentage held, marked where something is odd or moves. */
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
          <h3 className="m-0 pb-1 text-xs font-normal text-faint">{words.zone(zone, cells.length)}</h3>
          <ul className="m-0 flex list-none flex-wrap gap-1 p-0">
            {cells.map((cell) => (
              <li key={cell.id}>
                <Square cell={cell} shade={shade} roomy={hosts.length <= ROOMY_HOSTS} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Square({ cell, shade, roomy }: { cell: HeatCell; shade: Shade; roomy: boolean }) {
  const held = percent(cell[shade])
  const odd = cell.truth !== 'up' || cell.admission !== 'open'
  const look = cell.truth === 'up' ? admissionLooks[cell.admission] : truthLooks[cell.truth]
  const moves = cell.movesIn + cell.movesOut > 0 ? hostWords.movesInOut(cell.movesIn, cell.movesOut) : ''
  const text = words.hostText(cell.name, look.label, words.used(held, words.shades[shade]), moves)
  return (
    <Link
      data-place={cell.id}
      href={paths.host(cell.id)}
      aria-label={text}
      className={cx(
        'relative flex items-center justify-center rounded-[3px] text-[10px] text-ink ring-1 ring-edge/50 ring-inset hovered:ring-2 hovered:ring-ink',
        roomy ? 'h-6 w-8' : 'size-4',
      )}
      style={{ backgroundColor: `color-mix(in oklab, var(--map-held-alt) ${held * DARKEST}%, var(--map-free))` }}
      render={(props) => <a {...(props as object)} title={text} />}
    >
      {odd ? (
        <span
          className={cx(
            'absolute inset-0 flex items-center justify-center rounded-[3px]',
            toneWash[look.tone],
            toneText[look.tone],
          )}
        >
          <Glyph shape={look.shape} />
        </span>
      ) : roomy ? (
        held
      ) : null}
      {moves ? (
        <span
          aria-hidden="true"
          className="absolute -top-0.5 -right-0.5 size-2 rounded-full bg-map-incoming ring-2 ring-surface"
        />
      ) : null}
    </Link>
  )
}
