import { beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import type { MigrationId } from '../../engine/words/ids'
import { commit } from '../commit/commit'
import { connectDatabase } from '../database/database'
import { AT, acceptMigration, build, changeOf, putHost } from '../testing/records'
import { acquireLease, extendLease, readDueMigrations, releaseLease, takeLease } from './lease'
import { releaseLeases } from './pending-work'

const TTL_MS = 10_000
const database = onFreshDatabase(connectDatabase)
let next = 1
let migration: MigrationId

beforeEach(async () => {
  migration = await acceptedMigration()
})

async function acceptedMigration(): Promise<MigrationId> {
  const host = await putHost(database, smallHost({ n: next++ }))
  return (await acceptMigration(database, await build(database, host.id))).id
}

const take = (owner: string, now: number) => takeLease(database, { migration, owner, ttlMs: TTL_MS, now })

describe('the lease of a migration', () => {
  test('has one owner until it expires, and each acquisition raises the fence', async () => {
    expect(await take('a', AT)).toEqual({ fence: 1 })
    expect(await take('b', AT + 1)).toBeNull()
    expect(await take('a', AT + 2)).toEqual({ fence: 2 })
    expect(await take('b', AT + 2 + TTL_MS)).toEqual({ fence: 3 })
    expect(await take('a', AT + 3 + TTL_MS)).toBeNull()
  })

  test('goes to exactly one of many concurrent servers', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => take(`server-${n}`, AT)))
    expect(answers.filter(Boolean)).toEqual([{ fence: 1 }])
  })

  test('is extended only by its owner under the same fence', async () => {
    const lease = await take('a', AT)
    const ask = { migration, owner: 'a', ttlMs: TTL_MS, now: AT + 5000, fence: lease?.fence ?? 0 }
    expect(await extendLease(database, ask)).toBe(true)
    expect(await take('b', AT + TTL_MS + 1)).toBeNull()
    expect(await extendLease(database, { ...ask, fence: ask.fence - 1 })).toBe(false)
  })

  test('is free after its release, and keeps its fence', async () => {
    await take('a', AT)
    await releaseLeases(database, 'b')
    expect(await take('b', AT)).toBeNull()
    await releaseLeases(database, 'a')
    expect(await take('b', AT)).toEqual({ fence: 2 })
  })

  test('cannot be acquired for an ended migration', async () => {
    const ended = changeOf([])
    await database.pool.query("update migration set step = 'ended', outcome = 'failed' where id = $1", [migration])
    await commit(database, ended)
    expect(await take('a', AT)).toBeNull()
  })
})

test('due migrations are those whose time has come and that no other server runs', async () => {
  const due = (owner: string, now: number) => readDueMigrations(database, { now, leasesAt: now, owner, limit: 100 })
  expect(await due('a', AT - 1)).not.toContain(migration)
  expect(await due('a', AT + 1)).toContain(migration)
  await take('b', AT)
  expect(await due('a', AT + 1)).not.toContain(migration)
  expect(await due('b', AT + 1)).toContain(migration)
  expect(await due('a', AT + TTL_MS)).toContain(migration)
})

test('a migration is due when its next time was written before the clock was set back, but not before its deadline', async () => {
  const due = (now: number) => readDueMigrations(database, { now, leasesAt: now, owner: 'a', limit: 100 })
  const [justNow, hourAgo] = [AT - 60_000, AT - 3_600_000]
  expect(await due(justNow)).not.toContain(migration)
  expect(await due(hourAgo)).toContain(migration)
  await database.pool.query('update migration set due_at = next_at where id = $1', [migration])
  expect(await due(hourAgo)).not.toContain(migration)
})

test('a task runs on one server at a time', async () => {
  const ask = (owner: string, now: number) => acquireLease(database, { name: 'survey', owner, ttlMs: TTL_MS, now })
  expect(await ask('a', AT)).toEqual({ fence: 1 })
  expect(await ask('b', AT)).toBeNull()
  expect(await ask('a', AT + 1)).toEqual({ fence: 1 })
  await releaseLease(database, 'survey', 'a')
  expect(await ask('b', AT + 2)).toEqual({ fence: 2 })
})
