import { beforeEach, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import type { HostId } from '../../engine/words/ids'
import { putHost } from '../../store/testing/records'
import { HOST, openTestApi } from '../testing/api'
import { isEvents, isHead, openStream } from '../testing/stream'

// The event stream as a browser reads it: over HTTP, resumed by the id of the last event, ended by a stop so that the
// browser reconnects, and ended for good with the session.

const api = onFreshDatabase(openTestApi, { each: true })
beforeEach(async () => {
  await putHost(api.database, smallHost())
  await api.settle()
})

const open = (headers: Record<string, string> = {}) => openStream(api, { headers })
const disable = () =>
  api.as('operator').host.setScheduling({ id: hostId(1), scheduling: 'disabled', reason: 'cabling' })
const enable = () => api.as('operator').host.setScheduling({ id: hostId(1), scheduling: 'enabled' })

test('a stream needs a session', async () => {
  const stream = await open({ cookie: '' })
  const refused = stream.status === 401 || (await stream.next(({ event }) => event === 'serialized-error')) !== null
  expect(refused).toBe(true)
})

test('a stream begins with a beat and delivers each event as it occurs', async () => {
  const stream = await open()
  expect(await stream.next(({ data }) => data.is !== undefined)).toMatchObject({ data: { is: 'beat' } })
  await disable()
  await api.settle()
  const message = await stream.next(isEvents)
  expect(message).toMatchObject({ data: { events: [{ kind: 'host.scheduling', hosts: [hostId(1)] }] } })
  expect(message!.id).toBe(message!.data.seq)
  stream.close()
})

test('a resumed stream starts with the missed events, once and in order', async () => {
  const stream = await open()
  await disable()
  await api.settle()
  const last = await stream.next(isEvents)
  stream.close()
  await enable()
  await disable()
  await api.settle()
  const again = await open({ 'last-event-id': last!.id })
  const missed = await again.next(isEvents)
  const next = [Number(last!.id) + 1, Number(last!.id) + 2]
  expect(missed!.data.events!.map(({ seq }) => Number(seq))).toEqual(next)
  expect(Number(missed!.id), 'what a browser goes on after').toBe(next[1])
  again.close()
})

test('an event waits until the fleet in memory has applied it', async () => {
  const order: string[] = []
  const { fleet } = api.services
  const settled = async () => {
    await fleet.settled()
    order.push('settled')
  }
  Object.assign(api.services, {
    fleet: {
      hosts: () => fleet.hosts(),
      host: (id: HostId) => fleet.host(id),
      hostsAhead: () => fleet.hostsAhead(),
      settled,
    },
  })
  const stream = await open()
  await disable()
  await api.settle()
  await stream.next(isEvents)
  expect([...order, 'notified']).toEqual(['settled', 'notified'])
  stream.close()
})

test('an id from another database starts at the end of this one', async () => {
  const stream = await open({ 'last-event-id': '999999' })
  expect(await stream.next(({ data }) => data.is !== undefined)).toMatchObject({ data: { seq: String(api.feed.head) } })
  stream.close()
})

test('a server stop ends the stream with an error that makes browsers reconnect', async () => {
  const stream = await open()
  await stream.next(({ data }) => data.is === 'beat')
  await api.feed.stop()
  const ended = await stream.next(({ event }) => event === 'serialized-error' || event === 'return')
  expect(ended).toMatchObject({ event: 'serialized-error', data: { data: { code: 'SERVICE_UNAVAILABLE' } } })
})

/** Endless events, so that the stream is never idle. */
async function generateEvents(until: AbortSignal): Promise<void> {
  for (let on = true; !until.aborted; on = !on) {
    await (on ? disable() : enable())
    await api.settle()
  }
}

const sessionOf = async (username: string) => ({ where: { user: { username } } })

test.each<[title: string, end: () => Promise<unknown>, code: string]>([
  [
    'its session is deleted',
    async () => api.database.prisma.session.deleteMany(await sessionOf('the_viewer')),
    'UNAUTHORIZED',
  ],
  ['its user signs out', () => signOut(), 'UNAUTHORIZED'],
  ['its user is deleted', () => api.database.prisma.user.delete({ where: { username: 'the_viewer' } }), 'UNAUTHORIZED'],
  [
    'its session expires',
    async () =>
      api.database.prisma.session.updateMany({ ...(await sessionOf('the_viewer')), data: { expiresAt: new Date(0) } }),
    'UNAUTHORIZED',
  ],
  [
    'the role of its user changes',
    () => api.database.prisma.user.update({ where: { username: 'the_viewer' }, data: { role: 'support' } }),
    'SERVICE_UNAVAILABLE',
  ],
])('a stream of a busy fleet ends when %s', async (_, end, code) => {
  const busy = new AbortController()
  const stream = await open()
  const working = generateEvents(busy.signal)
  await stream.next(isEvents)
  await end()
  // Events go on until it has ended. The session watch polls each second; the speed of this machine is not tested.
  const ended = await stream.next(({ event }) => event === 'serialized-error')
  expect(ended).toMatchObject({ data: { data: { code } } })
  busy.abort()
  await working
})

const signOut = () =>
  api.endpoints.auth(
    new Request(`http://${HOST}/api/auth/sign-out`, {
      method: 'POST',
      headers: { host: HOST, cookie: api.cookie('viewer'), 'content-type': 'application/json' },
      body: '{}',
    }),
  )

test('a thousand streams of one viewer are refused beyond the limit and delay no other user', async () => {
  const opened = await Promise.all(Array.from({ length: 1_000 }, () => open()))
  const heads = await Promise.all(opened.map((stream) => stream.next(isHead)))
  const accepted = heads.filter((head) => head?.data.is === 'beat')
  expect(accepted.length).toBe(250)
  const refused = heads.find((head) => head?.event === 'serialized-error')
  expect(refused).toMatchObject({ data: { data: { code: 'TOO_MANY_REQUESTS' } } })
  await disable() // all of them are still open
  for (const stream of opened) stream.close()
  const isIn = async () => {
    const again = await open()
    const head = await again.next(isHead)
    again.close()
    return head?.data.is
  }
  await expect.poll(isIn, { message: 'a place that was given back' }).toBe('beat')
})

test('a stream beats while nothing happens', async () => {
  const stream = await open()
  await stream.next(({ data }) => data.is === 'beat')
  expect(await stream.next(({ data }) => data.is === 'beat')).not.toBeNull()
  stream.close()
})

test('a browser without a stream polls the missed events, and resumes after the last beat', async () => {
  const browser = api.as('viewer')
  const [first, ...rest] = await browser.event.since({})
  expect([first?.is, rest]).toEqual(['beat', []])
  await disable()
  await api.settle()
  const missed = await browser.event.since({ after: first!.seq })
  const kinds = missed.flatMap((item) => (item.is === 'events' ? item.events.map(({ kind }) => kind) : item.is))
  expect(kinds).toEqual(['host.scheduling', 'beat'])
  expect(await browser.event.since({ after: missed.at(-1)!.seq })).toHaveLength(1)
  expect(await browser.event.since({ after: '999999' })).toMatchObject([{ is: 'beat', seq: String(api.feed.head) }])
})
