import type { HeatCell } from '@/server/api/contract-moves'
import { admissionLooks, hostWords, truthLooks } from '../host/words'
import type { StateLook } from '../ui/Badge'
import { overviewWords as words } from './words'

export type Shade = keyof typeof words.shades

/** Held of capacity, whole percent; a host without capacity counts as full, because nothing goes there. */
export function percent({ used, total }: { used: number; total: number }): number {
  return total === 0 ? 100 : Math.round((100 * used) / total)
}

/** A full host is shaded so far that its number can still be read on it, in both themes. */
const DARKEST = 0.55

export interface Heat {
  readonly held: number
  /** Null when the host is up and open, which is what one expects. */
  readonly odd: StateLook | null
  readonly moves: string
  readonly text: string
  readonly background: string
}

export function heatOf(cell: HeatCell, shade: Shade): Heat {
  const held = percent(cell[shade])
  const odd =
    cell.truth !== 'up' ? truthLooks[cell.truth] : cell.admission !== 'open' ? admissionLooks[cell.admission] : null
  const moves = cell.movesIn + cell.movesOut > 0 ? hostWords.movesInOut(cell.movesIn, cell.movesOut) : ''
  return {
    held,
    odd,
    moves,
    text: words.hostText(cell.name, (odd ?? truthLooks.up).label, words.used(held, words.shades[shade]), moves),
    background: `color-mix(in oklab, var(--map-held-alt) ${held * DARKEST}%, var(--map-free))`,
  }
}

export interface Zone {
  readonly name: string
  readonly cells: readonly HeatCell[]
}

export function zonesOf(hosts: readonly HeatCell[]): readonly Zone[] {
  const byZone = new Map<string, HeatCell[]>()
  for (const host of hosts) {
    const name = host.zone ?? words.noZone
    const cells = byZone.get(name)
    if (cells) cells.push(host)
    else byZone.set(name, [host])
  }
  return [...byZone].map(([name, cells]) => ({ name, cells })).sort((a, b) => a.name.localeCompare(b.name))
}
