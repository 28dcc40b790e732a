import type { FitCountView } from '@/server/api/capacity/router'
import type { HeatCell } from '@/server/api/host/view'
import { hostMigrationsText, schedulingBadges, statusBadge, statusBadges } from '../host/state/words'
import type { BadgeContent } from '../ui/Badge'
import { runBadges, overviewWords as words } from './words'

export type Shade = keyof typeof words.shades

/** What shades the squares: a held share, or how many more of a shape fit. */
export type HeatMetric =
  | { readonly by: Exclude<Shade, 'room'> }
  | { readonly by: 'room'; readonly what: string; readonly fits: ReadonlyMap<string, CellFitCount> }
export type CellFitCount = Pick<FitCountView['hosts'][number], 'more' | 'exact'>

/** Held share of capacity in whole percent; a host without capacity counts as full, because nothing fits there. */
export function percent({ used, total }: { used: number; total: number }): number {
  return total === 0 ? 100 : Math.round((100 * used) / total)
}

/** Limits the shade of a full host so that its number stays legible in both themes. */
const DARKEST = 0.55

/** From this many on, a square has its full colour: differences above it do not matter. */
export const FULL_SHADE_COUNT = 8
const FULL: CellFitCount = { more: 0, exact: true }

export interface Heat {
  /** The number on the square: percent held, or how many more fit. */
  readonly shown: number
  /** Null if the host is up, enabled and answers. */
  readonly odd: BadgeContent | null
  /** Text for a host in its usual state. */
  readonly state: string
  readonly room: string
  readonly migrations: string
  readonly findings: string
  /** All of it in one sentence. */
  readonly text: string
  readonly background: string
}

export function heatOf(cell: HeatCell, shading: HeatMetric): Heat {
  const odd = unusualBadge(cell)
  const migrations = cell.movesIn + cell.movesOut > 0 ? hostMigrationsText(cell.movesIn, cell.movesOut) : ''
  const findings = words.findings(cell.findings)
  const { shown, room, background } = shading.by === 'room' ? fitShade(cell, shading) : shareShade(cell, shading.by)
  const state = (odd ?? statusBadges.up).label
  const text = words.hostText(cell.name, state, room, [migrations, findings])
  return { shown, odd, state, room, migrations, findings, text, background }
}

/** The host's most important fact. A run on it says more than the disabled scheduling that the run causes. */
function unusualBadge({ status, scheduling, run, contact }: HeatCell): BadgeContent | null {
  const badge = statusBadge({ status, contact })
  if (badge !== statusBadges.up) return badge
  if (run) return { ...runBadges[run.kind], label: words.runs[run.kind](run.done, run.total) }
  return scheduling === 'enabled' ? null : schedulingBadges[scheduling]
}

function shareShade(cell: HeatCell, by: Exclude<Shade, 'room'>) {
  const shown = percent(cell[by])
  const background = shadeAt(by, shown / 100)
  return { shown, background, room: words.used(shown, words.shades[by]) }
}

function fitShade({ id }: HeatCell, { what, fits }: Extract<HeatMetric, { by: 'room' }>) {
  const { more, exact } = fits.get(id) ?? FULL
  const background = shadeAt('room', Math.min(more, FULL_SHADE_COUNT) / FULL_SHADE_COUNT)
  return { shown: more, background, room: words.room(more, exact, what) }
}

/** The colour of a share between nothing (0) and everything (1). */
export function shadeAt(by: Shade, part: number): string {
  const full = by === 'room' ? 'var(--map-incoming)' : 'var(--map-held-alt)'
  return `color-mix(in oklab, ${full} ${(100 * part * DARKEST).toFixed(1)}%, var(--map-free))`
}

/** Fleet total: how many more, on how many hosts; a lower bound if counting stopped at its limit. */
export function fitsInAll(fits: Iterable<CellFitCount>): {
  readonly more: number
  readonly hosts: number
  exact: boolean
} {
  const sum = { more: 0, hosts: 0, exact: true }
  for (const { more, exact } of fits) {
    sum.more += more
    sum.hosts += more > 0 ? 1 : 0
    sum.exact &&= exact
  }
  return sum
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
