import { beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import type { Snapshot } from '../engine/audit/snapshot'
import type { Host } from '../engine/host'
import { providerId, smallHost } from '../engine/testing/hosts'
import { pinned } from '../engine/testing/instances'
import type { HostId, InstanceId } from '../engine/words/ids'
import { commit } from '../store/commit/commit'
import { connectDatabase } from '../store/database/database'
import { relayOnce } from '../store/event/relay'
import { noteSurvey } from '../store/survey/survey'
import { AT, build, changeOf, newMigrationId, ON_SHARED_DISK, putHost } from '../store/testing/records'
import { makeSnapshotCache, type SnapshotCache } from './memory'

// The cache kept between audits equals what a fresh server would read.

const database = onFreshDatabase(connectDatabase)
let memory: SnapshotCache
let inMemory: readonly Host[]
let now = AT
let n = 0
beforeEach(async () => {
  inMemory = []
  now += 1_000
  memory = newMemory()
  await memory.read()
})

const newMemory = () =>
  makeSnapshotCache({
    database,
    fleet: { hosts: () => inMemory, adopt: () => {} },
    forest: { audited: async () => [] },
    now: () => now,
  })
const put = (set: Parameters<typeof smallHost>[0] = {}) => putHost(database, smallHost({ n: ++n, ...set }))
const sql = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])
const hostIn = ({ hosts }: Snapshot, id: HostId) => hosts.find((host) => host.id === id)

/** Rows have no order. */
const plain = ({ hosts, instances, migrations, hostSurveys, strayAllocations }: Snapshot) => ({
  hosts,
  instances: [...instances].sort((a, b) => (a.id < b.id ? -1 : 1)),
  migrations: [...migrations].sort((a, b) => (a.id < b.id ? -1 : 1)),
  surveys: [...(hostSurveys ?? [])].sort((a, b) => (a.host < b.host ? -1 : 1)),
  strays: strayAllocations,
})

async function readCheckedSnapshot(): Promise<Snapshot> {
  const warm = await memory.read()
  const cold = await newMemory().read()
  expect([warm.cold, cold.cold]).toEqual([false, true])
  expect(plain(warm.snapshot)).toEqual(plain(cold.snapshot))
  return warm.snapshot
}

describe('reading changes into memory', () => {
  test('includes a change with a sequence number and one still in the outbox', async () => {
    const [one, two] = [await put(), await put()]
    await memory.read()
    const first = await build(database, one.id)
    while ((await relayOnce(database)) > 0);
    const second = await build(database, two.id)
    const { instances } = await readCheckedSnapshot()
    expect(instances.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]))
  })

  test('keeps the same object for everything that did not change', async () => {
    const [one, two] = [await put(), await put()]
    await build(database, one.id)
    while ((await relayOnce(database)) > 0);
    const before = (await memory.read()).snapshot
    await build(database, two.id)
    const after = (await memory.read()).snapshot
    expect(hostIn(after, one.id)).toBe(hostIn(before, one.id))
    expect(hostIn(after, two.id)).not.toBe(hostIn(before, two.id))
    expect(after.instances.find(({ host }) => host === one.id)).toBe(
      before.instances.find(({ host }) => host === one.id),
    )
  })

  test('forgets a deleted instance', async () => {
    const host = await put()
    const gone = await build(database, host.id)
    await memory.read()
    const change = changeOf([
      { do: 'release', consumer: gone },
      { do: 'delete-instance', id: gone },
    ])
    await commit(database, { ...change, event: { ...change.event, instance: gone } })
    expect((await readCheckedSnapshot()).instances.some(({ id }) => id === gone)).toBe(false)
  })

  test('reads a sharing provider once and counts it on all its hosts', async () => {
    const [here, there] = [await put(ON_SHARED_DISK), await put(ON_SHARED_DISK)]
    await memory.read()
    await build(database, here.id, { flavor: pinned(1, {}, { diskGib: 10 }) })
    const seen = hostIn(await readCheckedSnapshot(), there.id)
    expect(seen?.providers.find(({ sharing }) => sharing)?.inventories[0]?.used).toBe(10)
  })

  test('shares one object between equal flavors', async () => {
    const host = await put()
    const [a, b] = [await build(database, host.id), await build(database, host.id)]
    const { instances } = (await memory.read()).snapshot
    const flavorOf = (id: InstanceId) => instances.find((each) => each.id === id)?.flavor
    expect(flavorOf(a)).toBe(flavorOf(b))
  })
})

describe('a row written without Berth', () => {
  test('is found by the next full read, or at once if its host is named', async () => {
    const host = await put()
    const instance = await build(database, host.id)
    await memory.read()
    await sql('update allocation set amount = amount + 1 where consumer_id = $1', [instance])
    const amounts = (snapshot: Snapshot) => hostIn(snapshot, host.id)?.holdings[0]?.body.amounts[0]?.amount
    const before = amounts((await memory.read()).snapshot)
    expect(amounts((await memory.read({ hosts: [host.id] })).snapshot)).toBe((before ?? 0) + 1)
    await sql('update allocation set amount = amount + 1 where consumer_id = $1', [instance])
    const other = newMemory()
    expect(amounts((await other.read()).snapshot)).toBe((before ?? 0) + 2)
    now += 10 * 60_000
    const cold = await memory.read()
    expect([cold.cold, amounts(cold.snapshot)]).toEqual([true, (before ?? 0) + 2])
  })

  test('is a stray allocation unless it belongs to a claim', async () => {
    const host = await put()
    const instance = await build(database, host.id)
    const stray = newMigrationId()
    await sql(`insert into consumer (id, type, owner_kind) values ($1, 'MIGRATION', 'berth')`, [stray])
    await sql(
      `insert into allocation (consumer_id, provider_id, resource_class, amount) values ($1, $2, 'MEMORY_MB', 64)`,
      [stray, host.id],
    )
    const { strayAllocations, looseConsumers } = await readCheckedSnapshot()
    const expected = {
      consumer: stray,
      type: 'MIGRATION',
      provider: host.id,
      host: host.id,
      resourceClass: 'MEMORY_MB',
    }
    expect(strayAllocations?.filter((each) => each.host === host.id)).toEqual([
      { ...expected, amount: 64, owner: null },
    ])
    expect(looseConsumers).toContainEqual({ id: stray, type: 'MIGRATION' })
    expect(strayAllocations?.some(({ consumer }) => consumer === instance)).toBe(false)
  })

  test('is no stray allocation when Nova owns it in its own tree, but is one of our instance there', async () => {
    const tree = providerId(778)
    const [novas, ours] = [newMigrationId(), await build(database, (await put()).id)]
    await sql(`insert into resource_provider (id, name, root_id) values ($1, 'kept-by-nova', $1)`, [tree])
    await sql(
      `insert into inventory (provider_id, resource_class, total, reserved, min_unit, max_unit, step_size, allocation_ratio)
       values ($1, 'VCPU', 16, 0, 1, 16, 1, 1)`,
      [tree],
    )
    await sql(`insert into consumer (id, type, owner_kind) values ($1, 'INSTANCE', 'token')`, [novas])
    await sql('delete from claim where consumer_id = $1', [ours])
    await sql(
      `insert into allocation (consumer_id, provider_id, resource_class, amount)
       values ($1, $3, 'VCPU', 4), ($2, $3, 'VCPU', 2)`,
      [novas, ours, tree],
    )
    const { strayAllocations } = (await newMemory().read()).snapshot
    expect(strayAllocations?.filter(({ provider }) => provider === tree).map(({ consumer }) => consumer)).toEqual([
      ours,
    ])
    await sql('delete from allocation where provider_id = $1', [tree])
    await sql('delete from inventory where provider_id = $1', [tree])
    await sql('delete from resource_provider where id = $1', [tree])
  })

  test('is reported for a root provider without a host, unless that one shares', async () => {
    const id = providerId(777)
    await sql(`insert into resource_provider (id, name, root_id) values ($1, 'nowhere', $1)`, [id])
    expect((await memory.read()).snapshot.looseRoots).toEqual([{ provider: id, name: 'nowhere' }])
  })
})

describe('observed states', () => {
  test('are the last two surveys, and silence keeps the earlier one with its age', async () => {
    const host = await put()
    const instance = {
      instance: await build(database, host.id),
      migration: null,
      observedState: 'running',
      claim: null,
    } as const
    const looksOf = async () => (await readCheckedSnapshot()).hostSurveys?.find((each) => each.host === host.id)
    const note = (at: number, domains: [typeof instance] | [] | null) =>
      noteSurvey(database, [{ host: host.id, at, guests: domains }])
    const seen = [{ instance: instance.instance, migration: null, observedState: 'running', body: null }]
    await note(AT + 1, [instance])
    expect(await looksOf()).toMatchObject({ latest: { at: AT + 1, answered: true, domains: seen }, earlier: null })
    await note(AT + 2, [instance])
    await note(AT + 3, [instance])
    expect(await looksOf()).toMatchObject({
      latest: { at: AT + 3, domains: seen },
      earlier: { at: AT + 2, domains: seen },
    })
    await note(AT + 4, null)
    expect(await looksOf()).toMatchObject({
      latest: { at: AT + 4, answered: false, domains: [] },
      earlier: { at: AT + 3, answered: true, domains: seen },
    })
    await note(AT + 5, [])
    expect(await looksOf()).toMatchObject({
      latest: { at: AT + 5, answered: true, domains: [] },
      earlier: { at: AT + 3, domains: seen },
    })
  })
})

describe('the fleet in memory', () => {
  const projectedOf = async (id: HostId) => (await memory.read()).snapshot.projected?.find(({ host }) => host === id)

  test('is in step when briefly behind, and out of step when it misses older changes', async () => {
    const host = await put()
    inMemory = [host]
    expect(await projectedOf(host.id)).toMatchObject({ differsSince: null })
    for (let round = 0; round < 3; round++) {
      await build(database, host.id)
      now += 1_000
      expect(await projectedOf(host.id), 'a moment behind').toMatchObject({ differsSince: now })
      inMemory = (await newMemory().read()).snapshot.hosts
    }
    expect(await projectedOf(host.id), 'caught up').toMatchObject({ differsSince: null })
    inMemory = [host]
    now += 60_000
    const stuckSince = now
    await projectedOf(host.id)
    now += 60_000
    await build(database, host.id)
    expect(await projectedOf(host.id)).toMatchObject({ memory: 0, differsSince: stuckSince })
    inMemory = []
    expect(await projectedOf(host.id)).toMatchObject({ memory: null })
  })
})

test('the snapshot leaves out migrations that ended long ago, unless they still hold something', async () => {
  const host = await put()
  const instance = await build(database, host.id)
  const [old, holding] = [newMigrationId(), newMigrationId()]
  for (const id of [old, holding]) {
    await sql(
      `insert into migration (id, instance_id, operation, new_flavor, new_image, old_flavor, old_image, was_running, step,
        direction, home, handed_over, forced, keeps_claim, outcome, tried, attempt, seq, step_since, created_at, updated_at,
        ended_at, next_at)
      select $1, $2, 'live-migrate', flavor, image, flavor, image, true, 'ended', 'target', 'target', false, false, false,
        'completed', '{}', 0, 1, t, t, t, t, t from instance, (select 'epoch'::timestamptz as t) e where id = $2`,
      [id, instance],
    )
  }
  await sql(`insert into consumer (id, type, owner_kind) values ($1, 'MIGRATION', 'berth')`, [holding])
  await sql(
    `insert into claim (id, consumer_id, consumer_kind, instance_id, host_id, taken_at)
     values (gen_random_uuid(), $1, 'migration', $2, $3, now())`,
    [holding, instance, host.id],
  )
  const ids = (await memory.read()).snapshot.migrations.map(({ id }) => id)
  expect([ids.includes(old), ids.includes(holding)]).toEqual([false, true])
})
