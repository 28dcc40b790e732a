import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change, Guards } from '../../engine/change'
import { IN_FLIGHT_STEPS } from '../../engine/migration/operations'
import { groupId, smallHost } from '../../engine/testing/hosts'
import { flavor } from '../../engine/testing/instances'
import type { HostId, MigrationId } from '../../engine/words/ids'
import { putGroups } from '../catalog/policy'
import { connectDatabase } from '../database/database'
import { acceptMigration, build, buildOf, changeOf, claimChange, present, putHost } from '../testing/records'
import { changeRow } from './change-row'
import { commitOn } from './commit'

// Transactions that claim at once, without `untilNoDeadlock`: none of them may have to be repeated.

const database = onFreshDatabase(connectDatabase)

const open: pg.Client[] = []
async function connection(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  open.push(client)
  return client
}
afterEach(async () => {
  for (const client of open.splice(0)) await client.end()
})

let n = 0
beforeEach(async () => {
  await database.pool.query('truncate resource_provider, host, instance, migration, consumer cascade')
})

const newHost = async (): Promise<HostId> => (await putHost(database, smallHost({ n: ++n, shared: 4 }))).id

/** A migration and its target, on hosts that no other one uses. */
async function accepted(): Promise<{ id: MigrationId; target: HostId }> {
  const instance = await build(database, await newHost(), { flavor: flavor(1) })
  await database.pool.query(`update instance set vm_state = 'active' where id = $1`, [instance])
  return { id: (await acceptMigration(database, instance)).id, target: await newHost() }
}

const claimsOf = async (count: number, most: number) =>
  Promise.all(
    (await Promise.all(Array.from({ length: count }, accepted))).map((each) =>
      claimChange(database, { ...each, fleetLimit: most }),
    ),
  )

async function inFlight(): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int as n from migration where step = any($1)', [
    IN_FLIGHT_STEPS,
  ])
  return rows[0].n
}

/** Resolves when that many transactions wait for locks. */
async function untilBlocked(count: () => number): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and pg_blocking_pids(pid) <> '{}'`
  while ((await database.pool.query(text)).rowCount !== count()) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('the limit is exact however many transactions claim at once', async () => {
  const most = 16
  const claims = await claimsOf(most + 4, most)
  let answered = 0
  const commits = claims.map(async (change) => {
    const client = await connection()
    await client.query('begin')
    const { ok } = await commitOn(client, change)
    answered++
    // None commits before each is answered or waits for one that is.
    if (answered <= most) await untilBlocked(() => claims.length - answered)
    await client.query('commit')
    return ok
  })
  expect((await Promise.all(commits)).filter((ok) => ok)).toHaveLength(most)
  expect(await inFlight()).toBe(most)
})

test('transactions that waited while the limit came near do not deadlock', async () => {
  const most = 64
  const [one, other, ...many] = await claimsOf(7, most)
  const first = await connection()
  await first.query('begin')
  await first.query('select count_before_claims($1, $2)', [many.length, most])
  const waiting = [one!, other!].map(async (change) => commitOn(await connection(), change))
  await untilBlocked(() => 2)
  for (const change of many) expect(await commitOn(first, change)).toMatchObject({ ok: true })
  await first.query('commit')
  for (const result of await Promise.all(waiting)) expect(result).toMatchObject({ ok: true })
  expect(await inFlight()).toBe(7)
})

test('a claim near the limit waits for those that claimed far from it', async () => {
  const [far, near] = await claimsOf(2, 16)
  const first = await connection()
  await first.query('begin')
  expect(await commitOn(first, far!)).toMatchObject({ ok: true })
  const waiting = commitOn(await connection(), { ...near!, guards: { ...near!.guards, fleetLimit: 1 } })
  await untilBlocked(() => 1)
  await first.query('commit')
  expect(await waiting).toMatchObject({ ok: false, conflict: { on: 'limit', found: '1' } })
})

describe('a batch that is sent change by change', () => {
  const commitChanges = async (client: pg.Client, changes: readonly Change[]) => {
    const { rows } = await client.query('select commit_changes($1) as answers', [
      JSON.stringify(changes.map(changeRow)),
    ])
    return rows[0].answers
  }
  const ok = { raised: expect.anything() }

  /** Holds up the write that makes this consumer. */
  async function holdUp(id: string): Promise<pg.Client> {
    const client = await connection()
    await client.query('begin')
    await client.query(`insert into consumer (id, type) values ($1, 'INSTANCE')`, [id])
    return client
  }

  test('counts once for all its claims', async () => {
    const claims = await claimsOf(10, 64) // the first four of each batch are far from the limit
    const held = await holdUp(claims[0]!.guards.migration!.id)
    const first = commitChanges(await connection(), claims.slice(0, 5))
    await untilBlocked(() => 1)
    const second = commitChanges(await connection(), claims.slice(5))
    await untilBlocked(() => 2)
    await held.query('rollback')
    expect(await first).toEqual(Array(5).fill(ok))
    expect(await second).toEqual(Array(5).fill(ok))
  })

  const guardsOf = {
    groups: async (n: number): Promise<Partial<Guards>> => {
      const id = groupId(n)
      await putGroups(database, [{ id, name: `group-${n}`, policy: 'anti-affinity', maxPerHost: 1 }])
      return { group: { id, generation: 1 } }
    },
    'instances of repairs': async (): Promise<Partial<Guards>> => {
      const id = await build(database, await newHost())
      const [row] = (await database.pool.query('select generation from instance where id = $1', [id])).rows
      return { furtherInstances: [{ id, generation: Number(row.generation) }] }
    },
  }
  test.each(Object.entries(guardsOf))('locks its %s in order, like its other rows', async (_, guards) => {
    const [one, other] = [await guards(1), await guards(2)]
    const held = buildOf(await present(database, await newHost()))
    const within = await holdUp(held.instance)
    const first = commitChanges(await connection(), [
      { ...held, guards: { ...held.guards, ...one } },
      changeOf([], other),
    ])
    await untilBlocked(() => 1)
    const second = commitChanges(await connection(), [changeOf([], other), changeOf([], one)])
    await untilBlocked(() => 2)
    await within.query('rollback')
    expect(await first).toEqual([ok, ok])
    expect((await second).map((answer: object) => Object.keys(answer)[0])).toEqual(['conflict', 'conflict'])
  })
})
