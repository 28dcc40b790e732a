import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Host, HostSpec } from '../../engine/host'
import type { Provider } from '../../engine/resources/inventory'
import { hostId, instanceId, type SmallHost, smallHost } from '../../engine/testing/hosts'
import { demandFor, pinned } from '../../engine/testing/instances'
import { commit } from '../commit/commit'
import { connectDatabase } from '../database/database'
import { ACTOR, AT, build, buildOf, changeOf, ON_SHARED_DISK, present, putHost, specOf } from '../testing/records'
import { readConnection } from './facts'
import { readHost, readHosts } from './read'
import { putHosts } from './write'

const database = onFreshDatabase(connectDatabase)
let next = 1

const put = (...specs: HostSpec[]) => putHosts(database, specs, { actor: ACTOR, at: AT })
const fresh = (set: SmallHost = {}) => smallHost({ n: next++, ...set })

/** Everything written is read back, except generations, which start at 0; children are compared by name. */
function written(host: Host): Host {
  const [root, ...rest] = host.providers.map((each) => byClass({ ...each, generation: 0 }))
  const children = rest.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { ...host, providers: root ? [root, ...children] : [] }
}

const byClass = (provider: Provider): Provider => ({
  ...provider,
  inventories: provider.inventories.toSorted((a, b) => (a.resourceClass < b.resourceClass ? -1 : 1)),
})

describe('a host', () => {
  test.each<[string, SmallHost]>([
    ['flat', {}],
    ['with shared CPUs and huge pages', { shared: 4, hugePages: 512, reservedMib: 512 }],
    ['with NICs, a GPU and persistent memory', { vfs: 3, vgpus: 2, pmems: 2, vfTags: { physical_network: 'a' } }],
    ['nested', { layout: 'nested', vgpus: 2 }],
    ['with traits and aggregates', { traits: ['HW_CPU_X86_AVX2'], aggregates: ['rack-1', hostId(7)] }],
  ])('%s is read back as it was stored', async (_, set) => {
    const host = fresh(set)
    await put(specOf(host))
    const read = await readHost(database, host.id)
    expect(read).toEqual(written(host))
  })

  test('stored again is unchanged, and nothing is written', async () => {
    const host = fresh({ vfs: 1 })
    expect(await put(specOf(host))).toEqual([{ host: host.id, did: 'made' }])
    const before = await present(database, host.id)
    expect(await put(specOf(host))).toEqual([{ host: host.id, did: 'unchanged' }])
    expect(await present(database, host.id)).toEqual(before)
  })

  // As claims and surveys do. Providers of a tree may come before its root.
  test.each([
    ['providers', 'select id from resource_provider where root_id = any($1) order by id'],
    ['hosts', 'select id from host where id = any($1) order by id'],
  ])('is overwritten beside a writer that locks its %s in the order of their ids', async (_, ordered) => {
    const numbers = [next++, next++]
    const specs = (cores: number) =>
      numbers.map((n) => {
        const { providers, ...spec } = specOf(smallHost({ n, cores, layout: 'nested' }))
        const early = providers.map((each) => ({ ...each, id: each.id.replace('-8006-', '-8000-') as typeof each.id }))
        return { ...spec, providers: early }
      })
    await put(...specs(4))
    const ids = numbers.map(hostId)
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`${ordered} limit 1 for no key update`, [ids])
    const putting = put(...specs(8).toReversed())
    const waiting =
      'select count(*)::int as waits from pg_stat_activity where wait_event_type = $1 and datname = current_database()'
    await expect.poll(async () => (await database.pool.query(waiting, ['Lock'])).rows[0].waits).toBe(1)
    await client.query(`${ordered} for no key update`, [ids])
    await client.query('commit')
    client.release()
    expect((await putting).map(({ did }) => did)).toEqual(['changed', 'changed'])
  })

  test('that changed is overwritten without claims, and raises its generation', async () => {
    const host = fresh()
    await put(specOf(host))
    const decided = buildOf(await present(database, host.id))
    const larger = smallHost({ n: next - 1, cores: 8, vfs: 2 })
    expect(await put(specOf(larger))).toEqual([{ host: host.id, did: 'changed' }])
    const after = await present(database, host.id)
    expect(after.devices).toHaveLength(6)
    expect(after.numaNodes[0]?.dedicatedCpus).toHaveLength(16)
    expect(await commit(database, decided)).toMatchObject({ ok: false, conflict: { on: 'provider' } })
  })

  test('that changed is refused while it has claims', async () => {
    const host = fresh()
    await put(specOf(host))
    await build(database, host.id)
    const before = await present(database, host.id)
    const larger = smallHost({ n: next - 1, cores: 8 })
    expect(await put(specOf(larger))).toEqual([{ host: host.id, did: 'refused', why: 'held' }])
    expect(await put(specOf(host))).toEqual([{ host: host.id, did: 'unchanged' }])
    expect(await present(database, host.id)).toEqual(before)
  })

  test('with the name of another is refused, and the others of the batch are written', async () => {
    const [one, two] = [fresh(), fresh()]
    await put(specOf(one))
    const renamed = { ...specOf(fresh()), frame: { ...specOf(fresh()).frame, name: one.name } }
    const answers = await put(renamed, specOf(two))
    expect(answers.map(({ did }) => did)).toEqual(['refused', 'made'])
  })

  test('keeps driver, machine and, while enabled, control, whatever is imported under its name', async () => {
    const drivers = fc.constantFrom('simulated' as const, 'libvirt' as const, 'openstack' as const)
    const puts = fc.array(
      fc.record({
        ...{ driver: drivers, machine: fc.constantFrom(null, 'a', 'b'), cores: fc.constantFrom(4, 8) },
        readOnly: fc.boolean(),
      }),
      {
        minLength: 2,
        maxLength: 5,
      },
    )
    const property = fc.asyncProperty(puts, async (wanted) => {
      const n = next++
      let kept: { readonly driver: string; readonly machine: string | null } | null = null
      for (const { driver, machine: drawn, cores, readOnly } of wanted) {
        const machine = drawn && `${drawn} of ${n}`
        const spec = specOf(smallHost({ n, cores }))
        const connections = new Map([[spec.frame.id, { stored: { machine }, readOnly, machine, auditData: {} }]])
        const own = { ...spec, frame: { ...spec.frame, driver } }
        const [answer] = await putHosts(database, [own], { actor: ACTOR, at: AT, connections })
        // Scheduling was enabled by the first import, so a second one does not take control away.
        const isRefused =
          kept !== null &&
          (readOnly ||
            kept.driver !== driver ||
            (kept.machine !== null && machine !== null && kept.machine !== machine))
        expect(answer?.did === 'refused').toBe(isRefused)
        if (!isRefused) kept = { driver, machine }
        expect((await present(database, spec.frame.id)).driver).toBe(kept?.driver)
        expect(await readConnection(database, spec.frame.id)).toEqual({ machine: kept?.machine })
      }
    })
    await fc.assert(property, { numRuns: 25 })
  })

  test('is refused when its machine is a host already: its CPUs would be given away twice', async () => {
    const [first, second] = [fresh(), fresh()]
    const connected = ({ id }: Host, machine: string) =>
      new Map([[id, { stored: { machine }, readOnly: true, machine, auditData: {} }]])
    const add = async (host: Host, machine: string) =>
      (await putHosts(database, [specOf(host)], { actor: ACTOR, at: AT, connections: connected(host, machine) }))[0]
    expect(await add(first, 'one uuid')).toMatchObject({ did: 'made' })
    expect(await add(second, 'one uuid')).toMatchObject({ did: 'refused', why: 'machine-known' })
    expect(await readHost(database, second.id)).toBeNull()
    expect(await add(second, 'another')).toMatchObject({ did: 'made' })
  })

  test('stored again keeps the scheduling that an operator set', async () => {
    const host = fresh()
    await put(specOf(host))
    await commit(database, changeOf([{ do: 'set-host', id: host.id, set: { scheduling: 'disabled' } }]))
    await put(specOf(host))
    expect(await present(database, host.id)).toMatchObject({ scheduling: 'disabled' })
  })

  test('imported by several servers at once is created once', async () => {
    for (let round = 0; round < 5; round++) {
      const specs = Array.from({ length: 5 }, () => specOf(fresh()))
      const answers = await Promise.all([put(...specs), put(...specs), put(...specs)])
      const did = answers.flat().map((answer) => answer.did)
      expect(did.filter((word) => word === 'made')).toHaveLength(5)
      expect(did.filter((word) => word === 'unchanged')).toHaveLength(10)
    }
  })
})

test('shared storage shows the usage by instances of all its hosts', async () => {
  const one = await putHost(database, fresh(ON_SHARED_DISK))
  const two = await putHost(database, fresh(ON_SHARED_DISK))
  const flavor = pinned(1, {}, { diskGib: 10 })
  expect(demandFor(flavor).amounts).toMatchObject({ DISK_GB: 10 })
  await build(database, one.id, { flavor })
  await build(database, two.id, { flavor })
  for (const host of await readHosts(database, [one.id, two.id])) {
    const shared = host.providers.find(({ sharing }) => sharing)
    expect(shared?.inventories[0]).toMatchObject({ resourceClass: 'DISK_GB', used: 20 })
    expect(shared?.generation).toBeGreaterThanOrEqual(2)
  }
})

test('marking a host as down or listing leftovers there raises its generation, so older decisions fail', async () => {
  const host = await putHost(database, fresh())
  const decided = buildOf(host)
  await commit(database, changeOf([{ do: 'set-host', id: host.id, set: { status: 'down', reason: 'no answer' } }]))
  expect(await commit(database, decided)).toMatchObject({ ok: false, conflict: { on: 'provider' } })
  const left = {
    do: 'note-remains',
    host: host.id,
    instance: instanceId(5),
    migration: null,
    side: 'source',
  } as const
  await commit(database, changeOf([left]))
  expect(await present(database, host.id)).toMatchObject({ status: 'down', leftovers: [instanceId(5)] })
  const cleaned = { do: 'clear-remains', host: host.id, instance: instanceId(5), migration: null } as const
  await commit(database, changeOf([cleaned]))
  expect(await present(database, host.id)).toMatchObject({ leftovers: [] })
})
