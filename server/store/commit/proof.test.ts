import { beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { deleted } from '../../engine/lifecycle'
import { smallHost } from '../../engine/testing/hosts'
import { demandFor, pinned, planOn } from '../../engine/testing/instances'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { connectDatabase } from '../database/database'
import { readInstanceView } from '../migration/view'
import { ACTOR, AT, acceptMigration, build, changeOf, present, putHost, rowCounts, takeFor } from '../testing/records'
import { commit } from './commit'

// The commit's proof detects rows that SQL corrupted after the writer had read them.

const database = onFreshDatabase(connectDatabase)

interface TransferFixture {
  readonly web: InstanceId
  readonly db: InstanceId
  readonly move: MigrationId
  readonly a: HostId
  readonly b: HostId
  readonly c: HostId
}

let n = 0
let at: TransferFixture
/** A migration of `web` from a to b in transfer: the instance holds b, the migration a. `db` is at rest on a. */
beforeEach(async () => {
  const [a, b, c] = [smallHost({ n: ++n }), smallHost({ n: ++n }), smallHost({ n: ++n })]
  for (const host of [a, b, c]) await putHost(database, host)
  const web = await build(database, a.id, { name: `web-${n}`, flavor: pinned(1) })
  const db = await build(database, a.id, { name: `db-${n}`, flavor: pinned(1) })
  const migration = await acceptMigration(database, web)
  const plan = planOn(await present(database, b.id), demandFor(pinned(1)))
  const moved = { ...migration, target: b.id, step: 'transfer' } as const
  const writes = [
    { do: 'put-migration', migration: moved },
    { do: 'exchange', instance: web, migration: migration.id },
    takeFor(web, web, plan),
  ] as const
  expect(await commit(database, changeOf(writes))).toMatchObject({ ok: true })
  at = { web, db, move: migration.id, a: a.id, b: b.id, c: c.id }
})

const sql = (text: string, values: readonly unknown[] = []) => database.pool.query(text, [...values])
const release = (consumer: InstanceId | MigrationId) => changeOf([{ do: 'release', consumer }])
const exchange = () => changeOf([{ do: 'exchange', instance: at.web, migration: at.move }])

/** Expects a conflict that names the law, and nothing written. */
async function refused(change: ReturnType<typeof changeOf>): Promise<void> {
  const before = await rowCounts(database)
  expect(await commit(database, change)).toMatchObject({ ok: false, conflict: { on: 'law' } })
  expect(await rowCounts(database)).toEqual(before)
}

describe('the release of a claim by its migration', () => {
  const lies: readonly (readonly [title: string, text: string, values: () => unknown[]])[] = [
    [
      'the migration belongs to another instance',
      'update migration set instance_id = $2 where id = $1',
      () => [at.move, at.db],
    ],
    [
      'its current host is the host of the claim',
      `update migration set home = 'target' where id = $1`,
      () => [at.move],
    ],
    ['its target is another host', 'update migration set target = $2 where id = $1', () => [at.move, at.c]],
    [
      'the claim belongs to another instance',
      'update claim set instance_id = $2 where consumer_id = $1',
      () => [at.move, at.db],
    ],
    ['the claim is on another host', 'update claim set host_id = $2 where consumer_id = $1', () => [at.move, at.c]],
  ]
  // Aborted: the instance stays on a, so b is given back by the migration after the exchange.
  const aborted = async () => {
    await sql(`update migration set direction = 'source' where id = $1`, [at.move])
    expect(await commit(database, exchange())).toMatchObject({ ok: true })
  }

  test.each(lies)('is refused when %s', async (_, text, values) => {
    await aborted()
    await sql(text, values())
    await refused(release(at.move))
  })

  test('is refused while the instance holds nothing on its current host', async () => {
    await refused(release(at.move))
  })

  test('succeeds when the records agree', async () => {
    await aborted()
    expect(await commit(database, release(at.move))).toMatchObject({ ok: true })
  })
})

describe('an exchange of claims', () => {
  test.each<readonly [title: string, text: string, values: () => unknown[]]>([
    ['the migration is not rolling back', 'select 1', () => []],
    [
      'the migration has ended',
      `update migration set step = 'ended', outcome = 'failed', direction = 'source' where id = $1`,
      () => [at.move],
    ],
    [
      'a claim is on a third host',
      `with m as (update migration set direction = 'source' where id = $1)
       update claim set host_id = $2 where consumer_id = $1`,
      () => [at.move, at.c],
    ],
  ])('is refused when %s', async (_, text, values) => {
    await sql(text, values())
    await refused(exchange())
  })
})

test('an instance with a claim on another host cannot be deleted', async () => {
  await sql(`update instance set vm_state = 'deleting', host_id = $2 where id = $1`, [at.db, at.c])
  const view = (await readInstanceView(database, at.db))!
  await refused(deleted(view, { actor: ACTOR, at: AT }))
})

test('a leftover of an instance on its current host cannot be removed', async () => {
  await sql(`insert into host_remain (host_id, instance_id, side, since) values ($1, $2, 'source', now())`, [
    at.a,
    at.db,
  ])
  await refused(changeOf([{ do: 'clear-remains', host: at.a, instance: at.db, migration: null }]))
})
