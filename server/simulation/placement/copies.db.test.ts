import { expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { runCopies } from './copies'

// A short version of the runs of `npm run simulate -- --placement`.

test('four copies of the Placement API under many writers, one of them killed, break no law', async () => {
  const [report] = await runCopies({ freshDatabase, from: 1, seeds: 1, clients: 4, rounds: 20, progress: () => {} })
  expect(report?.broken).toEqual([])
  expect(report?.writes.done).toBeGreaterThan(0)
  expect(report?.reads).toBeGreaterThan(0)
}, 120_000)
