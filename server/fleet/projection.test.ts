import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { type Change, type Guards, NO_GUARDS, type Write } from '../engine/change'
import type { Host } from '../engine/host'
import { startBuild } from '../engine/lifecycle'
import type { Provider } from '../engine/resources/inventory'
import { claimId, hostId, instanceId, migrationId, type SmallHost, smallHost } from '../engine/testing/hosts'
import { demandFor, IMAGE, pinned, planOn } from '../engine/testing/instances'
import type { InstanceId, MigrationId } from '../engine/words/ids'
import { commit } from '../store/commit/commit'
import { connectDatabase } from '../store/database/database'
import { EventFeed } from '../store/event/feed'
import { type Relay, relayOnce, startRelay } from '../store/event/relay'
import { readHosts } from '../store/host/read'
import { putHosts } from '../store/host/write'
import { readInstanceView } from '../store/migration/view'
import { migrationOf, ON_SHARED_DISK } from '../store/testing/records'
import { Projection } from './projection'

const ACTOR = { who: 'tester', request: null, reason: null }
const AT = Date.UTC(2026, 10, 21)
const fail = (error: unknown) => {
  throw error
}

const database = onFreshDatabase(connectDatabase)
let relay: Relay
let next = 1
let serial = 1

beforeAll(async () => {
  relay = startRelay(database, fail)
})
afterAll(async () => {
  await relay.stop()
})

/** A server: its own feed and projection. */
async function server() {
  const feed = await EventFeed.open(database, { onFailure: fail, pollMs: 50 })
  const projection = await Projection.open({ database, feed, onFailure: fail })
  return { feed, projection }
}
let one: Awaited<ReturnType<typeof server>>
let two: Awaited<ReturnType<typeof server>>
let host: Host

beforeEach(async () => {
  host = await put({})
  one = await server()
  two = await server()
})
afterEach(async () => {
  await settled()
  // In the end memory and tables are equal, whatever happened.
  const tables = (await readHosts(database)).map(sorted)
  expect(one.projection.hosts().map(sorted)).toEqual(tables)
  expect(two.projection.hosts().map(sorted)).toEqual(tables)
  expect(one.projection.hostsAhead().map(sorted)).toEqual(tables)
  for (const { projection, feed } of [one, two]) {
    await projection.stop()
    await feed.stop()
  }
})

/** Amounts and holdings are unordered. */
const sorted = (of: Host): Host => ({
  ...of,
  holdings: of.holdings
    .map((holding) => {
      const amounts = holding.body.amounts.toSorted((a, b) => (a.resourceClass < b.resourceClass ? -1 : 1))
      return { ...holding, body: { ...holding.body, amounts } }
    })
    .toSorted((a, b) => (a.claim < b.claim ? -1 : 1)),
})
const inTables = async (id: Host['id']) => (await readHosts(database, [id])).map(sorted)[0]
const inMemory = (found: Host | null) => found && sorted(found)

async function put(set: SmallHost): Promise<Host> {
  const made = smallHost({ n: next++, ...set })
  const { providers, numaNodes, devices, holdings: _, leftovers: __, ...frame } = made
  await putHosts(database, [{ frame, providers, numaNodes, devices }], { actor: ACTOR, at: AT })
  const [read] = await readHosts(database, [made.id])
  if (!read) throw new Error('no host')
  return read
}

async function settled(): Promise<void> {
  const left = () => database.pool.query('select last, (select count(*)::int from outbox) as waiting from relay')
  let { rows } = await left()
  while (rows[0].waiting > 0) {
    await relayOnce(database) // the background relay may be running: then this does nothing
    rows = (await left()).rows
  }
  for (const { feed, projection } of [one, two]) {
    while (feed.head < BigInt(rows[0].last)) await feed.waitForEvents(feed.head)
    await projection.settled()
  }
}

function buildOn(seen: Host, flavor = pinned(1)): Change {
  const n = serial++
  const plan = planOn(seen, demandFor(flavor))
  const instance = { id: instanceId(n), name: `g${n}`, project: 'p', flavor, image: IMAGE, zone: null, group: null }
  return startBuild(instance, { id: claimId(n), plan }, { actor: ACTOR, at: AT })
}

function changeOf(writes: readonly Write[], guards: Partial<Guards> = {}): Change {
  const event = { kind: 'test.changed', hosts: [host.id], instance: null, migration: null, data: {} }
  return { guards: { ...NO_GUARDS, ...guards }, writes, event, actor: ACTOR, at: AT }
}

const send = (change: Change) => commit(database, change)

describe('a commit of this server', () => {
  test('is visible at once to its next decision, and to readers only once committed', async () => {
    const first = one.projection.commit(buildOn(host), send)
    expect(one.projection.ahead(host.id)?.holdings).toHaveLength(1)
    expect(one.projection.host(host.id)?.holdings).toHaveLength(0)
    const second = one.projection.commit(buildOn(one.projection.ahead(host.id) as Host), async (change) => {
      await first
      return send(change)
    })
    expect(one.projection.ahead(host.id)?.holdings).toHaveLength(2)
    expect(await Promise.all([first, second])).toMatchObject([{ ok: true }, { ok: true }])
    expect(one.projection.host(host.id)?.holdings).toHaveLength(2)
  })

  test('that conflicts leaves nothing behind, nor decisions based on it', async () => {
    const stale = buildOn(host)
    await send(buildOn(host))
    const lost = one.projection.commit(stale, send)
    const onTop = buildOn(one.projection.ahead(host.id) as Host)
    expect(await lost).toMatchObject({ ok: false })
    expect(one.projection.ahead(host.id)?.holdings).toHaveLength(1)
    expect(inMemory(one.projection.ahead(host.id))).toEqual(await inTables(host.id))
    // Another write has raised it to the host's generation again.
    expect(await one.projection.commit(onTop, send)).toMatchObject({ ok: false, conflict: { on: 'provider' } })
  })

  test('whose result is lost is read again', async () => {
    const change = buildOn(host)
    const losing = one.projection.commit(change, async (sent) => {
      await send(sent)
      throw new Error('connection lost')
    })
    await expect(losing).rejects.toThrow('connection lost')
    await settled()
    expect(one.projection.host(host.id)?.holdings).toHaveLength(1)
  })

  test.each<[string, readonly Write[]]>([
    ['a status', [{ do: 'set-host', id: hostId(0), set: { status: 'down' } }]],
    ['an exchange', [{ do: 'exchange', instance: instanceId(0), migration: migrationId(1) }]],
    ['a release', [{ do: 'release', consumer: instanceId(0) }]],
    ['remains', [{ do: 'note-remains', host: hostId(0), instance: instanceId(5), migration: null, side: 'source' }]],
    [
      'remains noted and cleared',
      [
        { do: 'note-remains', host: hostId(0), instance: instanceId(5), migration: null, side: 'source' },
        { do: 'clear-remains', host: hostId(0), instance: instanceId(5), migration: null },
      ],
    ],
  ])('of %s is applied in memory, with and without a guard', async (_, writes) => {
    const n = serial
    await one.projection.commit(buildOn(host), send)
    const root = host.providers[0]?.id as Provider['id']
    const migration = writes.some((write) => write.do === 'exchange') ? await migrating(instanceId(n)) : null
    const here = writes.map((write): Write => {
      if (write.do === 'set-host') return { ...write, id: host.id }
      if (write.do === 'exchange') return { ...write, instance: instanceId(n), migration: migration ?? write.migration }
      if (write.do === 'release') return { ...write, consumer: instanceId(n) }
      return { ...write, host: host.id } as Write
    })
    expect(await one.projection.commit(changeOf(here), send)).toMatchObject({ ok: true })
    await settled()
    expect(inMemory(one.projection.host(host.id))).toEqual(await inTables(host.id))
    const guards = { providers: [{ provider: root, generation: null }] }
    expect(await one.projection.commit(changeOf([], guards), send)).toMatchObject({ ok: true })
  })
})

/** Accepts a migration of this instance, which alone may exchange claims with it. */
async function migrating(instance: InstanceId): Promise<MigrationId> {
  const view = await readInstanceView(database, instance)
  if (view === null) throw new Error(`${instance} is not there`)
  const { migration, change } = migrationOf(view.instance, one.projection.ahead(host.id) as Host)
  expect(await one.projection.commit(change, send)).toMatchObject({ ok: true })
  return migration.id
}

describe('a commit of another server', () => {
  test('arrives with its event, and listeners get its hosts', async () => {
    const notified: string[] = []
    two.projection.onChange((hosts) => void notified.push(...hosts))
    await one.projection.commit(buildOn(host), send)
    await settled()
    expect(two.projection.host(host.id)?.holdings).toHaveLength(1)
    expect(notified).toContain(host.id)
  })

  test('causes one retry, which decides on the current state', async () => {
    await one.projection.commit(buildOn(host), send)
    const stale = buildOn(host)
    expect(await two.projection.commit(stale, send)).toMatchObject({ ok: false, conflict: { on: 'provider' } })
    const again = buildOn(two.projection.ahead(host.id) as Host)
    expect(await two.projection.commit(again, send)).toMatchObject({ ok: true })
  })

  test('adds new hosts', async () => {
    const late = await put({})
    await settled()
    expect(one.projection.host(late.id)).toEqual(late)
  })
})

test('a claim on shared storage is seen on every host that shares it', async () => {
  const [here, there] = [await put(ON_SHARED_DISK), await put(ON_SHARED_DISK)]
  await settled()
  const seen = one.projection.ahead(here.id) as Host
  const claim = buildOn(seen, pinned(1, {}, { diskGib: 10 }))
  expect(await one.projection.commit(claim, send)).toMatchObject({ ok: true })
  await settled()
  for (const { projection } of [one, two]) {
    const shared = projection.host(there.id)?.providers.find(({ sharing }) => sharing)
    expect(shared?.inventories[0]?.used).toBe(10)
  }
})

test('hosts that were read before a claim on shared storage do not undo it', async () => {
  const [here, there] = [await put(ON_SHARED_DISK), await put(ON_SHARED_DISK)]
  await settled()
  const early = await readHosts(database, [there.id])
  const claim = buildOn(one.projection.ahead(here.id) as Host, pinned(1, {}, { diskGib: 10 }))
  expect(await one.projection.commit(claim, send)).toMatchObject({ ok: true })
  await settled()
  one.projection.adopt(early)
  await settled()
  expect(inMemory(one.projection.host(there.id))).toEqual(await inTables(there.id))
})
