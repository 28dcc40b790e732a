import { expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { runCorruption } from './run'
import { complaints } from './tally'

// A small part of `npm run corrupt`, the same each time.

const EVERY = 300 // cases of which one is tried
const LIMIT_MS = 240_000

test('a bad row stops nothing but itself', { timeout: LIMIT_MS }, async () => {
  const report = await runCorruption({
    ...{ freshDatabase, every: EVERY, from: 0, batch: 60, progress: () => {} },
    modes: ['running-past-checks', 'stopped'],
  })
  expect(complaints(report)).toEqual([])
  expect(report.cases.length).toBeGreaterThan(8)
})
