import { describe, expect, test } from 'vitest'
import { audit } from './audit'
import { withHolding, withoutHolding } from './holdings'
import type { Host } from './host'
import { liveInstanceOf } from './live'
import { inventoryOf } from './resources/inventory'
import { claimId, instanceId, inventory, migrationId, providerId, smallHost } from './testing/hosts'
import {
  auditDemand,
  demandFor,
  flavor,
  holdingOf,
  IMAGE,
  pinned,
  planOn,
  refusalsOf,
  verdictOn,
  withInstance,
} from './testing/instances'

// Scenarios of Nova bugs that Berth's claim must not repeat. Numbers are Launchpad bugs; the groups are those of
// docs/bugs.md.

const deviceUnits = (body: { units: readonly { unit: string; kind: string }[] }) =>
  body.units.filter((each) => each.kind !== 'cpu').map((each) => each.unit)
const pinsOf = (body: { units: readonly { unit: string; kind: string }[] }) =>
  body.units.filter((each) => each.kind === 'cpu').map((each) => each.unit)
const vf = (count: number, ...more: string[]) =>
  pinned(1, { 'pci_passthrough:alias': [`vf:${count}`, ...more].join(',') })

describe('group 1', () => {
  test('a pinned instance that live-migrates claims CPUs of the target, not copies of its own [1289064]', () => {
    const source = withInstance(smallHost(), 1, pinned(2))
    const target = withInstance(smallHost({ n: 2 }), 2, pinned(2))
    const plan = planOn(target, demandFor(pinned(2)), { live: liveInstanceOf(source, instanceId(1)) })
    expect(pinsOf(source.holdings[0]!.body)).toEqual(pinsOf(target.holdings[0]!.body))
    expect(pinsOf(plan).filter((unit) => pinsOf(target.holdings[0]!.body).includes(unit))).toEqual([])
  })
})

describe('group 16: a same-host resize counts old and new [1790204]', () => {
  const old = pinned(3)
  const next = pinned(4)
  const onlyOne = (host: Host) => withInstance(host, 1, old)

  test('the new claim fits beside the old one when there is room for both', () => {
    const host = onlyOne(smallHost({ cells: 1 }))
    const plan = planOn(host, demandFor(next), { instance: instanceId(1) })
    const both = withHolding(host, holdingOf(2, plan))
    expect(both.numaNodes[0]?.pinnedCpus).toHaveLength(7)
  })

  test('the refusal without room names the instance itself as the holder', () => {
    const host = onlyOne(smallHost({ cells: 1, cores: 2 }))
    const refusals = refusalsOf(host, demandFor(next), { instance: instanceId(1) })
    for (const kind of ['amount', 'dedicated-cpus']) {
      expect(refusals.find((each) => each.kind === kind)).toMatchObject({ need: 4, free: 1, heldBy: [instanceId(1)] })
    }
  })

  test('the refusal names the migration once that holds the old side', () => {
    const alone = smallHost({ cells: 1, cores: 2 })
    const plan = planOn(alone, demandFor(old))
    const held = holdingOf(1, plan, { consumer: migrationId(5), consumerKind: 'migration' })
    const refusals = refusalsOf(withHolding(alone, held), demandFor(next))
    expect(refusals.find((each) => each.kind === 'amount')).toMatchObject({ heldBy: [migrationId(5)] })
  })
})

describe('group 28: PF and VF agree', () => {
  test('a PF whose VF is held is not offered, and the refusal names the holder of the VF [1969496]', () => {
    const host = withInstance(smallHost({ cells: 1, vfs: 2 }), 1, vf(1))
    const refusal = refusalsOf(host, demandFor(pinned(1, { 'pci_passthrough:alias': 'pf:1' })))
    expect(refusal).toMatchObject([{ kind: 'devices', need: 1, free: 0, heldBy: [instanceId(1)] }])
  })

  test('releasing a PF frees all its VFs at once [1969496]', () => {
    const host = smallHost({ cells: 1, vfs: 2 })
    const held = withInstance(host, 1, pinned(1, { 'pci_passthrough:alias': 'pf:1' }))
    expect(held.devices.some((each) => each.free)).toBe(false)
    expect(withoutHolding(held, claimId(1))).toEqual(host)
  })
})

describe('group 29: exactly the requested devices', () => {
  test('two aliases of the same device get two devices [1986838]', () => {
    const plan = planOn(smallHost({ cells: 1, vfs: 2 }), demandFor(vf(1, 'vf2:1')))
    expect(new Set(deviceUnits(plan)).size).toBe(2)
    expect(verdictOn(smallHost({ cells: 1, vfs: 1 }), demandFor(vf(1, 'vf2:1'))).ok).toBe(false)
  })

  test('create, delete, create yields the requested number, even over two cards [2098496]', () => {
    const host = withInstance(smallHost({ vfs: 2 }), 1, vf(3))
    const again = withInstance(withoutHolding(host, claimId(1)), 2, vf(3))
    expect(deviceUnits(again.holdings[0]!.body)).toHaveLength(3)
  })

  test('a released claim leaves no device behind [1860555]', () => {
    const host = smallHost({ vfs: 2, vgpus: 1, pmems: 1 })
    const all = pinned(1, { 'pci_passthrough:alias': 'pf:1', 'resources:VGPU': '1', 'hw:pmem': '6GB' })
    expect(withoutHolding(withInstance(host, 1, all), claimId(1))).toEqual(host)
  })
})

describe('group 30: devices by the new request and the new NUMA nodes', () => {
  const near = pinned(2, { 'pci_passthrough:alias': 'near:1' })
  const migratable = { vfs: 1, vfTags: { live_migratable: 'true' } }

  test('a live migration takes the device of its target NUMA node [1893221]', () => {
    const source = withInstance(smallHost(migratable), 1, near)
    const busy = withInstance(smallHost({ n: 2, ...migratable }), 2, pinned(8))
    const plan = planOn(busy, demandFor(near), { live: liveInstanceOf(source, instanceId(1)) })
    expect(source.holdings[0]!.body.cells[0]?.hostCell).toBe(0)
    expect(plan.cells[0]?.hostCell).toBe(1)
    expect(deviceUnits(plan)).toEqual(['pci:0000:20:00.1'])
  })

  test('policy `socket` still works after another instance was claimed [1995153]', () => {
    const socket = pinned(2, { 'pci_passthrough:alias': 'vf:1', 'hw:pci_numa_affinity_policy': 'socket' })
    const host = withInstance(smallHost({ vfs: 1 }), 1, pinned(2))
    expect(host.numaNodes.map((node) => node.socket)).toEqual([0, 1])
    expect(verdictOn(host, demandFor(socket)).ok).toBe(true)
  })

  const resizes = [
    ['2 → 1', vf(2), vf(1), 1],
    ['1 → 2', vf(1), vf(2), 2],
    ['VF → PF', vf(1), pinned(1, { 'pci_passthrough:alias': 'pf:1' }), 1],
  ] as const
  test.each(resizes)(
    'a resize %s claims the devices of the new flavor [1941005, 1983753]',
    (_name, old, next, count) => {
      const host = withInstance(smallHost({ vfs: 2 }), 1, old)
      const plan = planOn(host, demandFor(next), { instance: instanceId(1) })
      expect(plan.units.filter((each) => each.kind === 'pci' && each.use === 'device')).toHaveLength(count)
      const held = deviceUnits(host.holdings[0]!.body)
      expect(deviceUnits(plan).filter((unit) => held.includes(unit))).toEqual([])
    },
  )

  test('a resize from a VF to its own PF is refused while the VF is held [1983753]', () => {
    const host = withInstance(smallHost({ cells: 1, vfs: 1 }), 1, vf(1))
    const refusals = refusalsOf(host, demandFor(pinned(1, { 'pci_passthrough:alias': 'pf:1' })))
    expect(refusals).toMatchObject([{ kind: 'devices', heldBy: [instanceId(1)] }])
  })
})

describe('group 31: memory, pages and CPUs are checked as they are used', () => {
  test('huge pages of one NUMA node are never claimed twice [1594529, 1734204]', () => {
    const pages = pinned(1, { 'hw:mem_page_size': '2048' }, { memoryMib: 1024 })
    const host = withInstance(smallHost({ cells: 1, hugePages: 512 }), 1, pages)
    expect(host.numaNodes[0]?.pages[1]?.used).toBe(512)
    expect(refusalsOf(host, demandFor(pages))).toMatchObject([
      { kind: 'pages', need: 512, free: 0, heldBy: [instanceId(1)] },
    ])
  })

  test('an instance without a page size uses up small pages, which then run short [1810977, 1811886]', () => {
    const half = pinned(1, {}, { memoryMib: 4000 })
    const host = withInstance(withInstance(smallHost({ cells: 1 }), 1, half), 2, half)
    expect(verdictOn(host, demandFor(half)).ok).toBe(false)
  })

  test('mixed CPUs fit with a NUMA node that pins none [1994526]', () => {
    const mixed = flavor(4, { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-3', 'hw:numa_nodes': '2' })
    const plan = planOn(smallHost({ shared: 2 }), demandFor(mixed))
    expect(plan.cells.map((node) => [node.sharedVcpus.length, node.pins.length])).toEqual([
      [2, 0],
      [0, 2],
    ])
  })

  test('`isolate` is refused on a host with SMT, and fits without it [1889633]', () => {
    const isolate = demandFor(pinned(2, { 'hw:cpu_thread_policy': 'isolate' }))
    const [smt, plain] = [2, 1].map((threads) => smallHost({ threads, shared: 1 }))
    expect(verdictOn(smt!, isolate).ok).toBe(false)
    expect(verdictOn(plain!, isolate).ok).toBe(true)
  })
})

describe('group 35', () => {
  test('an evacuation requests the topology of the image too [1785318]', () => {
    const image = { ...IMAGE, properties: { hw_numa_nodes: '2' } }
    const plan = planOn(smallHost(), demandFor(pinned(4), {}, image))
    expect(plan.cells).toHaveLength(2)
  })
})

describe('group 36: vGPUs and namespaces are held by the claim, not remembered by the instance', () => {
  test('both sides of a same-host resize hold different slots, and revert finds the old [1836204, 1778563]', () => {
    const both = pinned(1, { 'resources:VGPU': '1', 'hw:pmem': '6GB' })
    const host = withInstance(smallHost({ vgpus: 2, pmems: 2 }), 1, both)
    const old = deviceUnits(host.holdings[0]!.body)
    const resized = withHolding(host, holdingOf(2, planOn(host, demandFor(both), { instance: instanceId(1) })))
    expect(new Set(resized.holdings.flatMap(({ body }) => deviceUnits(body))).size).toBe(4)
    expect(deviceUnits(withoutHolding(resized, claimId(2)).holdings[0]!.body)).toEqual(old)
  })
})

describe('group 37: nothing is counted twice', () => {
  const pool = {
    id: providerId(900),
    name: 'ceph',
    parent: null,
    generation: 1,
    inventories: [inventory('DISK_GB', 100)],
    traits: [],
    aggregates: ['a'],
    sharing: true,
  }
  const usedOf = (host: Host) => inventoryOf(host.providers.at(-1)!, 'DISK_GB')?.used

  test('each side of a migration within one pool counts its disk once [CVE-2017-17051 FIXME]', () => {
    const shared = { diskGib: 0, sharing: [pool], aggregates: ['a'] }
    const host = withInstance(smallHost(shared), 1, pinned(1))
    const [held] = host.holdings
    const swapped = { ...held!, consumer: migrationId(1), consumerKind: 'migration' as const }
    const exchanged = withHolding(withoutHolding(host, held!.claim), swapped)
    expect(usedOf(exchanged)).toBe(1)
    const both = withHolding(exchanged, holdingOf(2, planOn(exchanged, demandFor(pinned(1)))))
    expect([usedOf(both), usedOf(withoutHolding(both, held!.claim))]).toEqual([2, 1])
  })

  test('a second claim of an instance is found, however often it was rebuilt [1732976]', () => {
    const host = withInstance(smallHost(), 1, pinned(1))
    const twice = withHolding(host, holdingOf(1, planOn(host, demandFor(pinned(1))), { claim: claimId(2) }))
    const findings = audit({ hosts: [twice], instances: [], migrations: [] }, auditDemand)
    expect(findings.map((each) => each.kind)).toContain('consumer-has-two-claims')
  })
})
