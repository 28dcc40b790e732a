import { OPERATIONS, OUTCOMES } from '../engine/migration/state'
import type { Report } from './run'

// Totals of many runs. Plain data, so that processes can send and add them.

export interface Tally {
  readonly seeds: number
  readonly microSteps: number
  readonly audits: number
  /** `operation outcome` → number of migrations. */
  readonly moves: Readonly<Record<string, number>>
  readonly faults: Readonly<Record<string, number>>
  readonly broken: readonly { readonly seed: number; readonly law: string; readonly what: string }[]
}

export const EMPTY: Tally = { seeds: 0, microSteps: 0, audits: 0, moves: {}, faults: {}, broken: [] }

export function tallyOf(report: Report): Tally {
  const moves: Record<string, number> = {}
  for (const { operation, outcome } of report.moves) {
    const key = `${operation} ${outcome ?? 'unfinished'}`
    moves[key] = (moves[key] ?? 0) + 1
  }
  const { seed, microSteps, audits, faults, broken } = report
  return {
    seeds: 1,
    microSteps,
    audits,
    moves,
    faults,
    broken: broken === null ? [] : [{ seed, law: broken.law, what: broken.what }],
  }
}

export const add = (a: Tally, b: Tally): Tally => ({
  seeds: a.seeds + b.seeds,
  microSteps: a.microSteps + b.microSteps,
  audits: a.audits + b.audits,
  moves: sums(a.moves, b.moves),
  faults: sums(a.faults, b.faults),
  broken: [...a.broken, ...b.broken],
})

export function sums(a: Tally['moves'], b: Tally['moves']): Tally['moves'] {
  const all: Record<string, number> = { ...a }
  for (const [key, value] of Object.entries(b)) all[key] = (all[key] ?? 0) + value
  return all
}

/** Lines to print: what ran, how migrations ended, which faults were injected, which laws broke. */
export function tallyLines(tally: Tally, elapsedMs: number): readonly string[] {
  const perSecond = Math.round((tally.seeds * 1000) / Math.max(1, elapsedMs))
  return [
    `seeds ${tally.seeds} in ${Math.round(elapsedMs / 1000)} s (${perSecond}/s), micro-steps ${tally.microSteps}, audits ${tally.audits}`,
    '',
    ...migrationsTable(tally),
    '',
    'faults and host events',
    ...Object.entries(tally.faults)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, count]) => `  ${kind.padEnd(18)}${String(count).padStart(10)}`),
    '',
    `broken laws ${tally.broken.length}`,
    ...tally.broken.slice(0, 20).map(({ seed, law, what }) => `  seed ${seed}: ${law}: ${what}`),
  ]
}

function migrationsTable({ moves }: Tally): readonly string[] {
  const header = ['migration'.padEnd(14), ...OUTCOMES.map((outcome) => outcome.padStart(10))].join('')
  const rows = OPERATIONS.map((operation) => {
    const cells = OUTCOMES.map((outcome) => String(moves[`${operation} ${outcome}`] ?? 0).padStart(10))
    return [operation.padEnd(14), ...cells].join('')
  })
  return [header, ...rows]
}
