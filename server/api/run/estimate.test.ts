import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Migration } from '../../engine/migration/state'
import type { PaceRow } from '../../store/migration/pace'
import type { RunMigration } from '../../store/run/row'
import { type EstimateParts, estimate } from './estimate'

// An estimate comes from earlier migrations or does not exist.

const STEPS = ['prepare', 'transfer', 'switch', 'release'] as const
const pacesOf = (operation: PaceRow['operation'], p50Ms: number, samples = 5): PaceRow[] =>
  STEPS.map((step) => {
    return { operation, step, direction: 'target', source: null, target: null, samples, p50Ms, p95Ms: 2 * p50Ms }
  })
const migration = (set: Partial<RunMigration>) =>
  ({
    n: 1,
    from: 'h-1',
    to: 'h-2',
    method: 'live-migrate',
    wave: 1,
    state: 'planned',
    migration: null,
    ...set,
  }) as RunMigration
const parts = (set: Partial<EstimateParts> = {}): EstimateParts => ({
  ...{ paces: [], live: null, migrations: new Map(), steps: [], transfers: new Map(), now: 1_000 },
  ...set,
})

test('the estimate is empty without a baseline, and names the operations that lack one', () => {
  const paces = pacesOf('cold-migrate', 10, 4)
  const migrations = [migration({}), migration({ method: 'cold-migrate' })]
  expect(estimate(migrations, parts({ paces }))).toEqual({
    ...{ leftMs: null, downtimeMs: null, causedMs: 0, without: ['live-migrate', 'cold-migrate'], calculated: 0 },
  })
})

test('a live migration between real hosts is estimated from its memory only without a baseline', () => {
  const transfers = new Map([[1, { durationMs: 40_000, downtimeMs: 300 }]])
  const migrations = [migration({}), migration({ n: 2, method: 'cold-migrate', wave: 2 })]
  const paces = pacesOf('cold-migrate', 10)
  expect(estimate(migrations, parts({ paces, transfers }))).toMatchObject({
    ...{ leftMs: { p50: 40_040, p95: 40_080 }, downtimeMs: 330, without: [], calculated: 1 },
  })
  const all = [...paces, ...pacesOf('live-migrate', 5)]
  expect(estimate(migrations, parts({ paces: all, live: 7, transfers }))).toMatchObject({
    ...{ leftMs: { p50: 60, p95: 120 }, downtimeMs: 37, calculated: 0 },
  })
})

test('batches add up with the longest migration of each, and downtime adds up over all', () => {
  const drawn = fc.array(fc.record({ wave: fc.integer({ min: 1, max: 4 }), cold: fc.boolean() }), { maxLength: 20 })
  const paces = [...pacesOf('live-migrate', 10), ...pacesOf('cold-migrate', 30)]
  fc.assert(
    fc.property(drawn, (all) => {
      const migrations = all.map(({ wave, cold }) =>
        migration({ wave, method: cold ? 'cold-migrate' : 'live-migrate' }),
      )
      const longest = new Map<number, number>()
      for (const { wave, cold } of all) longest.set(wave, Math.max(longest.get(wave) ?? 0, cold ? 120 : 40))
      const p50 = [...longest.values()].reduce((sum, each) => sum + each, 0)
      const downtimeMs = all.reduce((sum, { cold }) => sum + (cold ? 90 : 7), 0)
      const result = estimate(migrations, parts({ paces, live: 7 }))
      expect(result).toEqual({ leftMs: { p50, p95: 2 * p50 }, downtimeMs, causedMs: 0, without: [], calculated: 0 })
    }),
  )
})

test('the downtime so far is the sum of the reports, and unknown if one is missing', () => {
  const of = (set: object) =>
    ({ operation: 'live-migrate', outcome: 'completed', wasRunning: true, ...set }) as Migration
  const migrations = (downtimeMs: number | null) =>
    new Map([
      ['a', of({ progress: { downtimeMs } })],
      ['b', of({ id: 'b', operation: 'cold-migrate', progress: null })],
    ])
  const row = (step: string, startedAt: number, endedAt: number | null) => ({
    migration: 'b',
    step,
    startedAt,
    endedAt,
  })
  const steps = [row('claim', 0, 5), row('prepare', 5, 10), row('transfer', 10, 40), row('switch', 40, 41)] as never
  const ended = [
    migration({ state: 'done', migration: 'a' as never }),
    migration({ state: 'done', migration: 'b' as never }),
  ]
  expect(estimate(ended, parts({ migrations: migrations(12), steps })).causedMs).toBe(12 + 36)
  expect(estimate(ended, parts({ migrations: migrations(null), steps })).causedMs).toBeNull()
})
