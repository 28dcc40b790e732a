import { expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { runCorruption } from './run'
import { complaints } from './tally'

// A small, fixed sample of `npm run corrupt`.

const EVERY = 300 // one in this many cases is tried
const LIMIT_MS = 240_000

test('a corrupt row affects nothing else', { timeout: LIMIT_MS }, async () => {
  const report = await runCorruption({
    ...{ freshDatabase, every: EVERY, from: 0, batch: 60, progress: () => {} },
    modes: ['running-past-checks', 'stopped'],
  })
  expect(complaints(report)).toEqual([])
  expect(report.cases.length).toBeGreaterThan(8)
})
