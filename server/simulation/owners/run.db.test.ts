import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { connectDatabase } from '../../store/database/database'
import { specOf } from '../../store/testing/records'
import { Chance } from '../chance'
import { runOwners } from './run'

// BERTH_OWNER_WRITES=1000 runs it in full.
const WRITES = Number(process.env.BERTH_OWNER_WRITES ?? 60)
const SEED = Number(process.env.BERTH_OWNER_SEED ?? 1)

const database = onFreshDatabase(connectDatabase)

test('repairs and rules change no row of a client that shares the database', async () => {
  const hosts = [1, 2, 3, 4].map((n) =>
    specOf(smallHost({ n, layout: n % 2 ? 'nested' : 'flat', cells: 2, cores: 32, memoryMib: 262_144, diskGib: 1000 })),
  )
  const report = await runOwners({ database, hosts, chance: new Chance(SEED), writes: WRITES })
  console.log(JSON.stringify({ ...report, changed: report.changed.length }))
  expect(report.changed).toEqual([])
  // The test means something only if Berth repaired rows of its own, found rows of the client and refused some writes.
  expect(report.repaired).toBeGreaterThan(0)
  expect(report.foreign).toBeGreaterThan(0)
  expect(report.byStatus['409']).toBeGreaterThan(0)
})
