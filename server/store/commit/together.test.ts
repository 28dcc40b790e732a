import { beforeEach, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change } from '../../engine/change'
import { changeOf } from '../../engine/migration/changes'
import type { Migration } from '../../engine/migration/state'
import { smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import type { HostId, MigrationId } from '../../engine/words/ids'
import { connectDatabase } from '../database/database'
import { readMigrationView } from '../migration/view'
import { untilItBlocks } from '../testing/blocking'
import { ACTOR, AT, acceptMigration, build, claimChange, heldUnits, present, putHost } from '../testing/records'
import { type CommitResult, commit, commitBatch } from './commit'
import { makeCommitQueue } from './queue'

// In a batch each change keeps its own time and relies on the result of the previous ones.

const database = onFreshDatabase(connectDatabase)

let n = 0
let a: HostId
let b: HostId
beforeEach(async () => {
  a = (await putHost(database, smallHost({ n: ++n, cells: 1, cores: 2 }))).id
  b = (await putHost(database, smallHost({ n: ++n, cells: 1, cores: 2 }))).id
})

const sql = async (text: string, values: readonly unknown[]) => (await database.pool.query(text, [...values])).rows
const expectCommitted = (result: CommitResult | null) => expect(result).toMatchObject({ ok: true })

/** An instance with a migration that was just accepted. */
async function accepted(on: HostId, vcpus = 1): Promise<MigrationId> {
  const instance = await build(database, on, { flavor: pinned(vcpus) })
  await sql(`update instance set vm_state = 'active' where id = $1`, [instance])
  return (await acceptMigration(database, instance)).id
}

async function stepOf(id: MigrationId, at: number, after: (now: Migration) => Partial<Migration>): Promise<Change> {
  const view = (await readMigrationView(database, id))!
  return changeOf({
    records: view,
    after: { ...view.migration, ...after(view.migration), seq: view.migration.seq + 1 },
    claim: null,
    fence: view.migration.fence,
    actor: ACTOR,
    at,
  })
}

/** Claims a place on the target; `raised`: how often uncommitted changes have raised the target since. */
async function claimOf(id: MigrationId, target: HostId, raised = 0): Promise<Change> {
  const change = await claimChange(database, { id, target })
  const providers = change.guards.providers.map(({ provider, generation }) => ({
    provider,
    generation: generation === null ? null : generation + raised,
  }))
  return { ...change, guards: { ...change.guards, providers } }
}

test('each history row ends, and the next one begins, at the time of its own change', async () => {
  const [one, other] = [await accepted(a), await accepted(a)]
  for (const id of [one, other]) expectCommitted(await commit(database, await claimOf(id, b)))
  const back = await Promise.all(
    (
      [
        [one, AT + 10_000],
        [other, AT + 25_000],
      ] as const
    ).map(([id, at]) => stepOf(id, at, () => ({ step: 'switch', direction: 'source' }))),
  )
  for (const result of await commitBatch(database, back)) expectCommitted(result)
  const rows = await sql(
    `select p.until, c.since from past_claim p join claim c on c.id = p.claim_id
     where p.consumer_id = any($1) and p.until > $2 order by p.until`,
    [[one, other], new Date(AT)],
  )
  expect(rows.map(({ until, since }) => [until.getTime() - AT, since.getTime() - AT])).toEqual([
    [10_000, 10_000],
    [25_000, 25_000],
  ])
  const amounts = await sql(
    `select distinct p.consumer_id, p.until from past_allocation p where p.consumer_id = any($1) and p.until > $2`,
    [[one, other], new Date(AT)],
  )
  expect(new Map(amounts.map((row) => [row.consumer_id, row.until.getTime() - AT]))).toEqual(
    new Map([
      [one, 10_000],
      [other, 25_000],
    ]),
  )
})

test('a conflicting change is skipped, and the others commit', async () => {
  const [one, other] = [await accepted(a), await accepted(a)]
  const fine = await stepOf(one, AT, () => ({ step: 'claim', nextAt: AT + 5 }))
  const stale = await stepOf(other, AT, () => ({ step: 'claim', nextAt: AT + 5 }))
  expectCommitted(await commit(database, await stepOf(other, AT, () => ({ step: 'claim', nextAt: AT + 9 }))))
  const before = await readMigrationView(database, other)
  const [left, put] = await commitBatch(database, [stale, fine])
  expect(left).toBeNull()
  expectCommitted(put ?? null)
  expect(await readMigrationView(database, other)).toEqual(before)
})

test('a skipped change also skips those that rely on it', async () => {
  const [one, other] = [await accepted(a), await accepted(a)]
  const gone = await claimOf(one, b)
  const follows = await claimOf(other, b, 1)
  await sql('update resource_provider set generation = generation + 5 where id = $1', [b])
  expect(await commitBatch(database, [gone, follows])).toEqual([null, null])
  expect(heldUnits(await present(database, b))).toEqual([])
})

test('a unit released by one change can be claimed by the next in the batch', async () => {
  // b has four CPUs: the migration that leaves holds all of them.
  const leaving = await accepted(b, 4)
  expectCommitted(await commit(database, await claimOf(leaving, a)))
  expectCommitted(await commit(database, await stepOf(leaving, AT, () => ({ step: 'release', home: 'target' }))))
  const c = (await putHost(database, smallHost({ n: ++n, cells: 1, cores: 2 }))).id
  const coming = await accepted(c, 4)
  const end = await stepOf(leaving, AT, () => ({ step: 'ended', outcome: 'completed' }))
  const empty = await putHost(database, smallHost({ n: ++n, cells: 1, cores: 2 }))
  const take = await claimOf(coming, empty.id)
  const moved = JSON.parse(JSON.stringify(take).replaceAll(empty.id, b)) as Change
  const [{ generation }] = await sql('select generation from resource_provider where id = $1', [b])
  const providers = moved.guards.providers.map((guard) => {
    return guard.provider === (b as string) ? { ...guard, generation: Number(generation) + 1 } : guard
  })
  const results = await commitBatch(database, [end, { ...moved, guards: { ...moved.guards, providers } }])
  for (const result of results) expectCommitted(result)
  expect(heldUnits(await present(database, b))).toHaveLength(4)
})

test('a provider that a consumer got while the locks were awaited is raised by every writer', async () => {
  const leaving = await accepted(b)
  expectCommitted(await commit(database, await claimOf(leaving, a)))
  expectCommitted(await commit(database, await stepOf(leaving, AT, () => ({ step: 'release', home: 'target' }))))
  const bystander = await accepted(a)
  const end = await stepOf(leaving, AT, () => ({ step: 'ended', outcome: 'completed' }))
  const step = await stepOf(bystander, AT, () => ({ step: 'claim', nextAt: AT + 5 }))
  const c = (await putHost(database, smallHost({ n: ++n, cells: 1, cores: 2 }))).id
  const [giving, raising] = [await database.pool.connect(), await database.pool.connect()]
  try {
    await giving.query('begin')
    await giving.query('select from resource_provider where id = $1 for no key update', [b])
    const queue = makeCommitQueue({ commitBatch: (changes) => commitBatch(database, changes), lanes: 1 })
    const results = Promise.all([queue.commit(end), queue.commit(step)])
    await untilItBlocks(database, giving)
    await giving.query(
      `insert into allocation (consumer_id, provider_id, resource_class, amount, since)
       select consumer_id, $2, resource_class, 1, since from allocation where consumer_id = $1 limit 1`,
      [leaving, c],
    )
    await raising.query('begin')
    await raising.query('update resource_provider set generation = generation + 1 where id = $1', [c])
    await giving.query('commit')
    await untilItBlocks(database, raising)
    await raising.query('commit')
    for (const result of await results) expectCommitted(result)
  } finally {
    giving.release()
    raising.release()
  }
  expect(await sql('select generation from resource_provider where id = $1', [c])).toEqual([{ generation: '2' }])
})
