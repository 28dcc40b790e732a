import { expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { runCorruption } from './run'
import { complaints } from './tally'

// A fixed sample of `npm run corrupt`.

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

// A migration that adds a column of free text has to say what a wrong text there does.
test('an unknown text in any column is refused, found or known to be harmless', { timeout: LIMIT_MS }, async () => {
  const report = await runCorruption({
    ...{ freshDatabase, every: 1, from: 0, batch: 80, progress: () => {} },
    ...{ only: / unknown-word /, modes: ['running'] },
  })
  expect(complaints(report)).toEqual([])
  expect(report.cases.length).toBeGreaterThan(100)
})
