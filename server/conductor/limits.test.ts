import fc, { type Scheduler } from 'fast-check'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { unconnected } from '../drivers/registry'
import { IN_FLIGHT_STEPS } from '../engine/migration/operations'
import { smallHost } from '../engine/testing/hosts'
import { pinned } from '../engine/testing/instances'
import type { MigrationId } from '../engine/words/ids'
import { openFleet } from '../fleet/testing/open-fleet'
import { commitBatch } from '../store/commit/commit'
import { makeCommitQueue } from '../store/commit/queue'
import { connectDatabase } from '../store/database/database'
import { AT, acceptMigration, build, putHost } from '../store/testing/records'
import { knownFleet } from './fleet'
import { DEFAULT_OPTIONS, type Limits } from './options'
import { recordsOf } from './records'
import { runTick } from './run'
import { migrationTick } from './tick'

// Several servers claim at once on different hosts, so no generation of a host tells one of the other's claim. The limit
// of the whole fleet holds all the same, and a slot that is free is used.

const RUNS = Number(process.env.BERTH_LIMIT_RUNS ?? 12)

const database = onFreshDatabase(connectDatabase)

let now = AT + 60_000

async function serverOf(name: string, limits: Limits, scheduler: Scheduler) {
  const { fleet, stop } = await openFleet(database)
  const { commit } = makeCommitQueue({
    commitBatch: async (batch) => {
      await scheduler.schedule(Promise.resolve())
      return commitBatch(database, batch)
    },
  })
  const options = { ...DEFAULT_OPTIONS, limits, maxActions: 2 }
  const records = recordsOf({
    ...{ database, owner: name, options: async () => options, concurrency: 64, fleet: knownFleet(fleet) },
    drivers: {
      simulated: unconnected('simulated'),
      libvirt: unconnected('libvirt'),
      openstack: unconnected('openstack'),
    },
    clock: { now: () => now, sleep: () => ({ done: new Promise(() => {}), wake: () => {} }) },
    commit: (change) => fleet.commit(change, commit),
    onError: (_, error) => Promise.reject(error),
  })
  const context = {
    records,
    driverOf: async () => unconnected('simulated'),
    stopping: () => false,
    keepLease: () => () => {},
    onFault: () => {},
  }
  return { stop, tick: (id: MigrationId) => runTick(migrationTick(id, name, options), context) }
}

async function inFlight(): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int as n from migration where step = any($1)', [
    IN_FLIGHT_STEPS,
  ])
  return rows[0].n
}

/** Migrations between hosts of their own, so that nothing but the limit is shared. */
async function accepted(count: number): Promise<MigrationId[]> {
  await database.pool.query('truncate resource_provider, host, instance, migration, consumer cascade')
  const migrations: MigrationId[] = []
  for (let n = 1; n <= count; n++) {
    const source = await putHost(database, smallHost({ n }))
    const target = await putHost(database, smallHost({ n: 100 + n }))
    const instance = await build(database, source.id, { flavor: pinned(1) })
    await database.pool.query(`update instance set vm_state = 'active' where id = $1`, [instance])
    const { id } = await acceptMigration(database, instance)
    await database.pool.query('update migration set requested_target = $2 where id = $1', [id, target.id])
    migrations.push(id)
  }
  return migrations
}

const load = fc.record({
  servers: fc.integer({ min: 2, max: 4 }),
  fleet: fc.integer({ min: 1, max: 6 }),
  migrations: fc.integer({ min: 4, max: 10 }),
})

test(
  'no number of servers claims more at once than the limit of the fleet, and each free slot is used',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), load, async (scheduler, { servers: count, fleet, migrations }) => {
        const all = await accepted(migrations)
        const limits = { perSource: 9, perTarget: 9, fleet }
        const servers = await Promise.all(
          Array.from({ length: count }, (_, n) => serverOf(`server-${n}`, limits, scheduler)),
        )
        try {
          await scheduler.waitFor(Promise.all(all.map((id, n) => servers[n % count]!.tick(id))))
          expect(await inFlight()).toBeLessThanOrEqual(fleet)
          now += 60_000
          for (const [n, id] of all.entries()) await scheduler.waitFor(servers[n % count]!.tick(id))
          expect(await inFlight()).toBe(Math.min(fleet, migrations))
        } finally {
          for (const { stop } of servers) await stop()
        }
      }),
      { numRuns: RUNS },
    )
  },
  60_000 + RUNS * 4_000,
)
