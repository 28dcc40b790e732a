import { expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { runWithWrongClocks } from './run'

// A short version of `npm run simulate -- --clocks`.

test('servers with wrong and drifting clocks, one of them killed, break no law and stall no task', async () => {
  const report = await runWithWrongClocks({ freshDatabase, seed: 1, migrations: 7, killEvery: 4, progress: () => {} })
  expect(report.broken).toEqual([])
  expect(report).toMatchObject({ migrations: 7, kills: 1, discarded: 0 })
  expect(report.completed).toBeGreaterThan(0)
}, 180_000)
