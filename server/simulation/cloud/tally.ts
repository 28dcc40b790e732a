import { sums } from '../tally'
import type { CloudRun } from './run'

// Totals of many runs of a watched cloud.

export interface CloudTally {
  readonly seeds: number
  readonly polls: number
  readonly requests: number
  readonly counts: Readonly<Record<'events' | 'findings' | 'actions', Readonly<Record<string, number>>>>
  readonly broken: readonly { readonly seed: number; readonly law: string; readonly what: string }[]
}

const NONE = { events: {}, findings: {}, actions: {} } as const
export const NO_CLOUDS: CloudTally = { seeds: 0, polls: 0, requests: 0, counts: NONE, broken: [] }

export const cloudTally = ({ seed, polls, requests, broken, ...counts }: CloudRun): CloudTally => ({
  ...{ seeds: 1, polls, requests, counts },
  broken: broken === null ? [] : [{ seed, ...broken }],
})

export const addClouds = (one: CloudTally, other: CloudTally): CloudTally => ({
  seeds: one.seeds + other.seeds,
  polls: one.polls + other.polls,
  requests: one.requests + other.requests,
  counts: {
    events: sums(one.counts.events, other.counts.events),
    findings: sums(one.counts.findings, other.counts.findings),
    actions: sums(one.counts.actions, other.counts.actions),
  },
  broken: [...one.broken, ...other.broken],
})

const MAX_LISTED_FAILURES = 20

export function cloudLines({ seeds, polls, requests, counts, broken }: CloudTally, elapsedMs: number): string[] {
  const table = (what: keyof typeof NONE) => [
    '',
    what,
    ...Object.entries(counts[what])
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([kind, count]) => `  ${kind.padEnd(36)}${String(count).padStart(9)}`),
  ]
  return [
    `seeds ${seeds} in ${Math.round(elapsedMs / 1000)} s, polls ${polls}, requests ${requests}`,
    ...[...table('events'), ...table('findings'), ...table('actions')],
    ...['', `broken laws ${broken.length}`],
    ...broken.slice(0, MAX_LISTED_FAILURES).map(({ seed, law, what }) => `  seed ${seed}: ${law}: ${what}`),
  ]
}
