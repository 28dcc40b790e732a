import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CloudSnapshot } from '../../engine/cloud/snapshot'
import {
  addServer,
  capture,
  domainOf,
  FLAVORS,
  type hostNamed,
  type ModelCloud,
  type ModelServer,
  newCloud,
  type Operation,
  put,
} from '../../engine/cloud/testing/nova-cloud'
import {
  build,
  confirmResize,
  liveMigrate,
  remove,
  resize,
  revertResize,
} from '../../engine/cloud/testing/nova-operations'
import { chanceOf } from '../../engine/testing/fleet'
import { driftRows } from './drift'

const SETTLED_MS = 600_000

function cloudOf({ hosts = 3, witness = true } = {}) {
  const cloud = newCloud({ hosts, shared: false, witness })
  const [one, two] = [...cloud.hosts.values()] as [ReturnType<typeof hostNamed>, ReturnType<typeof hostNamed>]
  const plain = addServer(cloud, one, FLAVORS[0])
  const pinned = addServer(cloud, two, FLAVORS[2])
  cloud.now += SETTLED_MS
  return { cloud, one, two, plain, pinned }
}

const rowsIn = (snapshot: CloudSnapshot) => driftRows({ snapshot, findings: [] })
const rowOf = (snapshot: CloudSnapshot, id: string) => {
  const row = rowsIn(snapshot).find((each) => each.id === id)
  if (row === undefined) throw new Error('no such row')
  return row
}

describe('a drift row of one instance', () => {
  it('shows all three reports, each with its time, and the pinned CPUs', () => {
    const { cloud, two, pinned } = cloudOf()
    const cpus = [...(pinned.pins ?? [])].map(([vcpu, host]) => `${vcpu} to ${host}`).join(', ')
    expect(rowOf(capture(cloud), pinned.id)).toEqual({
      ...{ id: pinned.id, name: pinned.name, isInstance: true, hosts: [two.name], findings: 0, isWitnessed: true },
      ...{ agreement: 'agree', novaAt: cloud.now, placementAt: cloud.now, libvirtAt: cloud.now },
      nova: `active on ${two.name}, running, pinned ${cpus}`,
      placement: `1 DISK_GB, 128 MEMORY_MB, 2 PCPU on ${two.name}`,
      libvirt: `running on ${two.name}, pinned ${cpus}`,
    })
  })

  it('differs where the domain has other CPUs than Nova recorded', () => {
    const { cloud, two, pinned } = cloudOf()
    two.domains.set(pinned.id, {
      ...domainOf(pinned),
      pins: new Map([
        [0, [91]],
        [1, [92]],
      ]),
    })
    const { agreement, libvirt } = rowOf(capture(cloud), pinned.id)
    expect([agreement, libvirt]).toEqual(['differ', `running on ${two.name}, pinned 0 to 91, 1 to 92`])
  })

  it.each<[string, (parts: ReturnType<typeof cloudOf>) => void, string]>([
    ['runs elsewhere', ({ one, two, plain }) => moveDomain(plain, one, two), 'running on'],
    ['runs twice', ({ two, plain }) => void two.domains.set(plain.id, domainOf(plain)), 'running on'],
    ['has no domain', ({ one, plain }) => void one.domains.delete(plain.id), 'no domain on'],
    ['is shut off on its host', ({ one, plain }) => setOff(plain, one), 'shut off on'],
    ['has no allocation', ({ cloud, plain }) => put(cloud, plain.id, []), 'running on'],
  ])('differs where it %s', (_, change, says) => {
    const parts = cloudOf()
    change(parts)
    const row = rowOf(capture(parts.cloud), parts.plain.id)
    expect(row).toMatchObject({ agreement: 'differ', libvirt: expect.stringContaining(says) })
  })
})

const moveDomain = (server: ModelServer, from: ReturnType<typeof hostNamed>, to: ReturnType<typeof hostNamed>) => {
  from.domains.delete(server.id)
  to.domains.set(server.id, domainOf(server))
}
const setOff = (server: ModelServer, host: ReturnType<typeof hostNamed>) =>
  void host.domains.set(server.id, { ...domainOf(server), state: 'shut off' })

const changed = (cloud: ModelCloud, over: Partial<CloudSnapshot>): CloudSnapshot => ({ ...capture(cloud), ...over })

describe('a missing witness', () => {
  it('shows that no libvirt connection reads the host, and compares the other two', () => {
    const { cloud, one, plain } = cloudOf({ witness: false })
    expect(rowOf(capture(cloud), plain.id)).toMatchObject({
      ...{ agreement: 'agree', isWitnessed: false, libvirtAt: null },
      libvirt: `no libvirt connection reads ${one.name}`,
    })
    put(cloud, plain.id, [])
    expect(rowOf(capture(cloud), plain.id)).toMatchObject({ agreement: 'differ', placement: 'nothing' })
  })

  it('shows why a host did not report, and makes the row unknown', () => {
    const { cloud, one, plain } = cloudOf()
    const domains = new Map([...capture(cloud).domains, [one.name, { isRead: false, why: 'libvirt did not answer' }]])
    expect(rowOf(changed(cloud, { domains } as Partial<CloudSnapshot>), plain.id)).toMatchObject({
      ...{ agreement: 'unknown', isWitnessed: false, libvirtAt: null },
      libvirt: `${one.name}: libvirt did not answer`,
    })
  })

  it('does not count a missing Placement report as no allocations', () => {
    const { cloud, plain } = cloudOf()
    const providers = { isRead: false, why: '503' } as const
    const row = rowOf(changed(cloud, { providers, consumers: new Map() }), plain.id)
    expect(row).toMatchObject({ agreement: 'unknown', placement: 'not read', placementAt: null })
  })
})

describe('a row without an instance in Nova', () => {
  it('differs when libvirt has a domain for it', () => {
    const { cloud, one, plain } = cloudOf()
    const unknown = { ...domainOf(plain), instance: 'unknown', name: 'instance-000000ff' }
    one.domains.set('unknown', unknown)
    expect(rowsIn(capture(cloud))[0]).toMatchObject({
      ...{ id: 'unknown', name: 'instance-000000ff', isInstance: false, agreement: 'differ', hosts: [one.name] },
      ...{ nova: 'no such instance', placement: 'nothing', libvirt: `running on ${one.name}` },
    })
    const { servers } = capture(cloud)
    const partly = { ...servers, complete: false } as typeof servers
    expect(rowOf(changed(cloud, { servers: partly }), 'unknown')).toMatchObject({ agreement: 'unknown' })
  })

  it('is unknown for a consumer that may belong to another client', () => {
    const { cloud, one } = cloudOf()
    put(cloud, '00000000-0000-4000-8000-00000000abcd', [[one.provider, { VCPU: 1 }]])
    expect(rowOf(capture(cloud), '00000000-0000-4000-8000-00000000abcd')).toMatchObject({
      ...{ name: '00000000', agreement: 'unknown', placement: `1 VCPU on ${one.name}`, hosts: [one.name] },
    })
  })
})

/** Runs it to its end and checks after each of its writes. */
function differing(cloud: ModelCloud, work: Operation): readonly string[] {
  const found: string[] = []
  for (let next = work.next(); !next.done; next = work.next()) {
    cloud.now += 1_000
    found.push(...rowsIn(capture(cloud)).flatMap(({ name, agreement }) => (agreement === 'differ' ? [name] : [])))
  }
  cloud.now += SETTLED_MS
  return found
}

const kinds = ['live', 'live that fails', 'confirmed', 'reverted', 'built', 'removed'] as const

describe('a cloud under Nova operations', () => {
  it('has no row that differs during any write, and all rows agree at rest', () => {
    const plan = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(plan, fc.integer({ min: 0, max: 2 ** 31 }), (operations, seed) => {
        const chance = chanceOf(seed)
        const { cloud } = cloudOf()
        for (const kind of operations) {
          const servers = [...cloud.servers.values()]
          const server = servers[chance(Math.max(1, servers.length))]
          const hosts = [...cloud.hosts.values()].filter(({ name }) => name !== server?.host)
          const target = hosts[chance(hosts.length)]
          if (server === undefined || target === undefined) break
          expect({
            kind,
            differing: worksOf(cloud, { kind, server, target }).flatMap((each) => differing(cloud, each())),
          }).toEqual({ kind, differing: [] })
          const rest = rowsIn(capture(cloud)).filter(({ agreement }) => agreement !== 'agree')
          expect({ kind, rest }).toEqual({ kind, rest: [] })
        }
      }),
      { numRuns: Number(process.env.CLOUD_RUNS ?? 50) },
    )
  })
})

interface Work {
  readonly kind: (typeof kinds)[number]
  readonly server: ModelServer
  readonly target: ReturnType<typeof hostNamed>
}

/** One after the other; each begins when the one before it has ended. */
function worksOf(cloud: ModelCloud, { kind, server, target }: Work): readonly (() => Operation)[] {
  const newest = () => cloud.migrations.at(-1) as ModelCloud['migrations'][number]
  const resized = () => resize(cloud, server, { target, flavor: server.flavor })
  switch (kind) {
    case 'live':
      return [() => liveMigrate(cloud, server, { target, failsAfter: null })]
    case 'live that fails':
      return [() => liveMigrate(cloud, server, { target, failsAfter: 1 })]
    case 'confirmed':
      return [resized, () => confirmResize(cloud, server, newest())]
    case 'reverted':
      return [resized, () => revertResize(cloud, server, newest())]
    case 'built':
      return [() => build(cloud, target, FLAVORS[0])]
    case 'removed':
      return [() => remove(cloud, server)]
    default:
      return kind satisfies never
  }
}
