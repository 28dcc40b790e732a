import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { commit } from '../commit/commit'
import { connectDatabase } from '../database/database'
import { AT, acceptMigration, build, changeOf, putHost } from '../testing/records'
import { EventFeed } from './feed'
import { type FleetEvent, forgetEventsBefore, readEventsAfter } from './read'
import { relayOnce, startRelay } from './relay'
import { listEvents, readLastSequence } from './trail-read'

const database = onFreshDatabase(({ url }) => connectDatabase({ url, connections: 20 }))

const fail = (error: unknown) => {
  throw error
}
const named = (kind: string) => ({ ...changeOf([]), event: { ...changeOf([]).event, kind } })
const ordersOf = (events: readonly FleetEvent[]) => events.map(({ sequence }) => sequence)

async function relayAll(): Promise<void> {
  while ((await relayOnce(database)) > 0);
}

test('the list of events has the newest first, by numeric sequence', async () => {
  await Promise.all(Array.from({ length: 12 }, () => commit(database, changeOf([]))))
  await relayAll()
  const sequences = (await listEvents(database, { progress: true, limit: 100 })).map(({ sequence }) => Number(sequence))
  expect(sequences).toEqual([...sequences].sort((a, b) => b - a))
  expect(sequences.length).toBeGreaterThan(10)
})

test('the reports of a long transfer do not push other events out of the list', async () => {
  const { id: host } = await putHost(database, smallHost({ n: 40 }))
  const on = (kind: string) => ({ ...named(kind), event: { ...named(kind).event, hosts: [host] } })
  await commit(database, on('migration.claimed'))
  for (let n = 0; n < 3; n++) await commit(database, on('migration.progressed'))
  await relayAll()
  const kindsOf = async (progress: boolean) =>
    (await listEvents(database, { host, progress, limit: 1 })).map(({ kind }) => kind)
  expect(await kindsOf(true)).toEqual(['migration.progressed'])
  expect(await kindsOf(false)).toEqual(['migration.claimed'])
})

describe('the relay', () => {
  test('numbers committed events, and a late commit gets a later number', async () => {
    await relayAll()
    const start = await readLastSequence(database)
    const slow = await database.pool.connect()
    await slow.query('begin')
    await slow.query(
      `insert into outbox (kind, hosts, data, raised, who, at) values ('test.slow', '{}', '{}', '{}', 't', now())`,
    )
    await commit(database, named('test.quick'))
    await relayAll()
    expect((await readEventsAfter(database, start)).map(({ kind }) => kind)).toEqual(['test.quick'])
    await slow.query('commit')
    slow.release()
    await relayAll()
    const events = await readEventsAfter(database, start)
    expect(events.map(({ kind }) => kind)).toEqual(['test.quick', 'test.slow'])
    expect(ordersOf(events)).toEqual([start + 1n, start + 2n])
  })

  test('numbers every event once and without gaps when several servers run it', async () => {
    const start = await readLastSequence(database)
    const relays = Array.from({ length: 3 }, () => startRelay(database, fail))
    await Promise.all(Array.from({ length: 200 }, () => commit(database, changeOf([]))))
    await Promise.all(relays.map((relay) => relay.stop()))
    await relayAll()
    const events = await readEventsAfter(database, start)
    expect(ordersOf(events)).toEqual(events.map((_, index) => start + 1n + BigInt(index)))
    expect(events).toHaveLength(200)
  })

  test('runs once at a time, however many callers it has', async () => {
    const start = await readLastSequence(database)
    for (let round = 0; round < 5; round++) {
      const writers = Array.from({ length: 10 }, () => commit(database, changeOf([])))
      await Promise.all([...writers, ...Array.from({ length: 10 }, () => relayOnce(database))])
    }
    await relayAll()
    expect(await readLastSequence(database)).toBe(start + 50n)
  })

  test('passes on author, reason, host and raised generations', async () => {
    await relayAll()
    const start = await readLastSequence(database)
    const host = await putHost(database, smallHost({ n: 50 }))
    const instance = await build(database, host.id)
    await relayAll()
    const [made, claimed] = await readEventsAfter(database, start)
    expect(made).toMatchObject({ kind: 'host.made', hosts: [host.id], raised: { [host.id]: 0 } })
    expect(claimed).toMatchObject({ instance, hosts: [host.id], raised: { [host.id]: 1 }, who: 'tester', at: AT })
  })
})

describe('the feed', () => {
  test('wakes several waiters, in order', async () => {
    await relayAll()
    const relay = startRelay(database, fail)
    const feed = await EventFeed.open(database, { onFailure: fail, pollMs: 60_000 })
    const after = feed.head
    const waits = [feed.waitForEvents(after), feed.waitForEvents(after), feed.waitForEvents(after + 1n)]
    await commit(database, named('test.first'))
    const [one, two] = await Promise.all(waits.slice(0, 2))
    expect(one?.map(({ kind }) => kind)).toEqual(['test.first'])
    expect(two).toEqual(one)
    await commit(database, named('test.second'))
    expect((await waits[2])?.map(({ kind }) => kind)).toEqual(['test.second'])
    expect((await feed.waitForEvents(after)).length).toBe(2)
    await relay.stop()
    await feed.stop()
  })

  test('finds events by polling when its connection is lost', async () => {
    const feed = await EventFeed.open(database, { onFailure: () => {}, pollMs: 50 })
    const waiting = feed.waitForEvents(feed.head)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'berth listener' and datname = current_database()`,
    )
    await commit(database, changeOf([]))
    await relayAll()
    expect(await waiting).toHaveLength(1)
    await feed.stop()
  })

  test('reads the table for readers far behind, and releases waiters that give up', async () => {
    const feed = await EventFeed.open(database, { onFailure: fail, keep: 2 })
    const far = await feed.waitForEvents(0n)
    expect(far.length).toBeGreaterThan(100)
    const leaving = new AbortController()
    const waiting = feed.waitForEvents(feed.head, leaving.signal)
    leaving.abort()
    expect(await waiting).toEqual([])
    const last = feed.waitForEvents(feed.head)
    await feed.stop()
    expect(await last).toEqual([])
  })
})

// Each of these once stopped the relay permanently: a duplicate number was refused, and a missing row looked like a
// relay that runs elsewhere.
test.each([
  ['missing', 'delete from relay'],
  ['behind', 'update relay set last = last - 3'],
  ['back at zero', 'update relay set last = 0'],
])('a relay whose row is %s resumes where it was, without losing an event', async (_, damage) => {
  await relayAll()
  const feed = await EventFeed.open(database, { onFailure: fail, pollMs: 50 })
  const before = await readLastSequence(database)
  await database.pool.query(damage)
  expect(await readLastSequence(database)).toBe(before)
  const opened = await EventFeed.open(database, { onFailure: fail, pollMs: 50 })
  expect(opened.head).toBe(before)
  await opened.stop()
  await commit(database, named('test.mended'))
  const relay = startRelay(database, fail)
  const events = await feed.waitForEvents(before)
  expect(events.map(({ kind, sequence }) => [kind, sequence])).toEqual([['test.mended', before + 1n]])
  await relay.stop()
  await feed.stop()
})

test('old events are deleted, audit entries are kept', async () => {
  await relayAll()
  const { pool } = database
  const entries = async () => (await pool.query('select count(*) from audit_entry')).rows[0].count
  const before = await entries()
  const gone = await forgetEventsBefore(database, AT + 1)
  expect(gone).toBeGreaterThan(0)
  expect((await readEventsAfter(database, 0n)).every(({ at }) => at > AT)).toBe(true)
  expect(await entries()).toBe(before)
})

test('events of an active migration are kept, however old', async () => {
  const host = await putHost(database, smallHost({ n: 77 }))
  const migration = await acceptMigration(database, await build(database, host.id))
  await relayAll()
  const events = async () => (await readEventsAfter(database, 0n)).filter((event) => event.migration === migration.id)
  await forgetEventsBefore(database, AT + 1)
  expect((await events()).map(({ kind }) => kind)).toEqual(['migration.accepted'])
  await database.pool.query("update migration set step = 'ended', outcome = 'failed' where id = $1", [migration.id])
  await forgetEventsBefore(database, AT + 1)
  expect(await events()).toEqual([])
})
