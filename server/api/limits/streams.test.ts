import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../boot/test-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import type { HostId } from '../../engine/words/ids'
import { connectDatabase } from '../../store/database/database'
import { EventFeed } from '../../store/event/feed'
import { putHost } from '../../store/testing/records'
import type { Role } from '../permit/roles'
import { openTestApi, type TestApi } from '../testing/api'
import { isEvents, isHead, openStream } from '../testing/stream'
import { makeStreamCounts } from './call-slots'
import type { SessionEnd } from './session-watch'

// Limits of streams: how many a user and an address may have, and that each ends with its session under load. The load
// is a fleet that never catches up, a pool without a free connection, a backlog of events.

let fresh: FreshDatabase
let api: TestApi
let endSession: (why: SessionEnd) => void = () => {}
let isOpen = true
const undo: (() => unknown)[] = []
beforeEach(async () => {
  isOpen = true
  fresh = await freshDatabase()
})
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
  await api.close()
  await fresh.drop()
})

async function start(set: Parameters<typeof openTestApi>[1] = {}): Promise<void> {
  api = await openTestApi(fresh, set)
  await putHost(api.database, smallHost())
  await api.settle()
}

const watchByHand = {
  watch: (_: unknown, onEnd: (why: SessionEnd) => void) => {
    endSession = onEnd
    return () => {}
  },
  stop: async () => {},
}

async function changeHost(): Promise<void> {
  isOpen = !isOpen
  const scheduling = isOpen ? 'enabled' : 'disabled'
  await api.as('operator').host.setScheduling({ id: hostId(1), scheduling, reason: 'cabling' })
  await api.settle()
}

/** Resolves when a stream waits for the fleet that never catches up. */
function neverSettles(): Promise<void> {
  const { fleet } = api.services
  return new Promise((waitedFor) => {
    const settled = () => {
      waitedFor()
      return new Promise<void>(() => {})
    }
    const asked = {
      hosts: () => fleet.hosts(),
      host: (id: HostId) => fleet.host(id),
      hostsAhead: () => fleet.hostsAhead(),
    }
    Object.assign(api.services, { fleet: { ...asked, settled } })
  })
}

/** Takes all connections of the pool. */
async function holdAllConnections(): Promise<void> {
  const { pool } = api.database
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  undo.push(() => held.map((connection) => connection.release()))
}

test('a stream ends with its session, even without a free connection and with a fleet that lags', async () => {
  await start()
  const beside = connectDatabase({ url: fresh.url, connections: 1 })
  undo.push(() => beside.close())
  const stream = await openStream(api)
  await stream.next(isHead)
  const waitedFor = neverSettles()
  await changeHost()
  await waitedFor
  await holdAllConnections()
  await beside.prisma.session.deleteMany({ where: { user: { username: 'the_viewer' } } })
  expect(await stream.next(({ event }) => event === 'serialized-error')).toMatchObject({
    data: { data: { code: 'UNAUTHORIZED' } },
  })
})

test('a stream delivers nothing after its session ended, even if events wait for the fleet', async () => {
  await start({ sessionWatch: watchByHand })
  const stream = await openStream(api)
  await stream.next(isHead)
  const waitedFor = neverSettles()
  await changeHost()
  await waitedFor
  endSession('signed-out')
  expect(await stream.next()).toMatchObject({ event: 'serialized-error', data: { data: { code: 'UNAUTHORIZED' } } })
})

test('a stream delivers nothing after its session ended, even if more events have arrived', async () => {
  await start({ sessionWatch: watchByHand })
  const stream = await openStream(api)
  await stream.next(isHead)
  await changeHost()
  await stream.next(isEvents)
  await changeHost()
  endSession('role-changed')
  const more = await stream.next()
  expect(more).toMatchObject({ event: 'serialized-error', data: { data: { code: 'SERVICE_UNAVAILABLE' } } })
})

test('a wait for old events ends with the session, even without a free connection', async () => {
  await start()
  const feed = await EventFeed.open(api.database, { onFailure: () => {} })
  undo.push(() => feed.stop())
  await holdAllConnections()
  const session = new AbortController()
  const waiting = feed.waitForEvents(0n, session.signal)
  session.abort()
  expect(await waiting).toEqual([])
})

test('streams are limited per user and per address', async () => {
  await start({ streamCounts: makeStreamCounts({ perPerson: 2, perAddress: 3 }) })
  const isLetIn = async (role: Role, from: string) => {
    const stream = await openStream(api, { role, headers: { 'x-forwarded-for': from } })
    const head = await stream.next(isHead)
    undo.push(() => stream.close())
    return head?.data.is === 'beat'
  }
  expect(await isLetIn('viewer', '192.0.2.1')).toBe(true)
  expect(await isLetIn('viewer', '192.0.2.2')).toBe(true)
  expect(await isLetIn('viewer', '192.0.2.3'), 'a third of one person, from anywhere').toBe(false)
  expect(await isLetIn('support', '192.0.2.1')).toBe(true)
  expect(await isLetIn('operator', '192.0.2.1')).toBe(true)
  expect(await isLetIn('admin', '192.0.2.1'), 'a fourth of one address, of anybody').toBe(false)
  expect(await isLetIn('admin', '192.0.2.4')).toBe(true)
  // One client may use a whole /64 network.
  for (const last of ['1', '2']) expect(await isLetIn('operator', `2001:db8::${last}`)).toBe(last === '1')
})
