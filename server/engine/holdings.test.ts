import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdersOf } from './holders'
import { hostFrom, shareUsage, withHolding, withoutHolding } from './holdings'
import type { Host } from './host'
import type { Provider } from './resources/inventory'
import { claimId, instanceId, inventory, providerId, smallHost } from './testing/hosts'
import { demandFor, flavor, holdingOf, pinned, planOn, verdictOn, withInstance } from './testing/instances'
import { claimNodes } from './topology/usage'

const SHAPES = [
  flavor(2),
  pinned(1),
  pinned(4, { 'hw:numa_nodes': '2' }),
  pinned(2, { 'hw:mem_page_size': '2048', 'pci_passthrough:alias': 'vf:1' }),
  pinned(2, { 'pci_passthrough:alias': 'pf:1' }),
  pinned(2, { 'resources:VGPU': '1', 'hw:pmem': '6GB' }),
  pinned(2, { 'pci_passthrough:alias': 'gpu:1' }),
  flavor(4, { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-3', 'hw:numa_nodes': '2' }),
].map((each) => demandFor(each))

const EVERYTHING = { shared: 2, hugePages: 1024, vfs: 3, vgpus: 2, pmems: 2 } as const
const layouts = fc.constantFrom('flat', 'nested' as const)

/** A host after a random history of claims and releases. */
const histories = fc.record({
  layout: layouts,
  steps: fc.array(fc.record({ shape: fc.nat({ max: SHAPES.length - 1 }), leaves: fc.nat({ max: 9 }) }), {
    maxLength: 16,
  }),
})

function played({ layout, steps }: { layout: Host['layout']; steps: { shape: number; leaves: number }[] }): Host {
  return steps.reduce(
    (host, { shape, leaves }, index) => {
      const leaving = leaves < 4 ? host.holdings[leaves] : undefined
      if (leaving) return withoutHolding(host, leaving.claim)
      const verdict = verdictOn(host, SHAPES[shape]!)
      return verdict.ok ? withHolding(host, holdingOf(index, verdict.plan)) : host
    },
    smallHost({ ...EVERYTHING, layout }),
  )
}

describe('usage is the sum of holdings', () => {
  test('adding and removing claims one by one equals a full sum', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const host = played(history)
        expect(host).toEqual(smallHost({ ...EVERYTHING, layout: history.layout }, host.holdings))
        expect(host).toEqual(hostFrom(host, host, host.holdings))
      }),
    )
  })

  test('a claim and its release restore the host exactly', () => {
    fc.assert(
      fc.property(histories, fc.constantFrom(...SHAPES), (history, demand) => {
        const host = played(history)
        const verdict = verdictOn(host, demand)
        if (!verdict.ok) return
        const taken = withHolding(host, holdingOf(99, verdict.plan))
        expect(taken).not.toEqual(host)
        expect(withoutHolding(taken, claimId(99))).toEqual(host)
      }),
    )
  })

  test('NUMA nodes equal the result of claimNodes for the same units', () => {
    fc.assert(
      fc.property(histories, fc.constantFrom(...SHAPES), (history, demand) => {
        const host = played(history)
        const verdict = verdictOn(host, demand)
        if (!verdict.ok) return
        const taken = claimNodes(host.numaNodes, verdict.plan.cells)
        expect(taken).toEqual({ ok: true, nodes: withHolding(host, holdingOf(99, verdict.plan)).numaNodes })
      }),
    )
  })

  test('releasing an unknown claim changes nothing', () => {
    const host = withInstance(smallHost(), 1, pinned(2))
    expect(withoutHolding(host, claimId(5))).toBe(host)
  })

  test('a unit held twice stays held until both claims are released', () => {
    const host = smallHost()
    const plan = planOn(host, demandFor(pinned(2)))
    const doubled = withHolding(withHolding(host, holdingOf(1, plan)), holdingOf(2, plan))
    const left = withoutHolding(doubled, claimId(1))
    expect(left.numaNodes[0]?.pinnedCpus).toEqual([0, 1])
    expect(withoutHolding(left, claimId(2))).toEqual(host)
  })
})

describe('devices', () => {
  const freeUnits = (host: Host) => host.devices.filter((each) => each.free).map((each) => each.unit)
  const vf = demandFor(pinned(1, { 'pci_passthrough:alias': 'vf:1' }))

  // LP 1969496: a PF was listed as available while its VFs were not, and every claim of it failed.
  test('a VF blocks only its PF, and the PF is free after the last VF', () => {
    const host = smallHost({ cells: 1, vfs: 2 })
    const one = withHolding(host, holdingOf(1, planOn(host, vf)))
    expect(freeUnits(one)).toEqual(['pci:0000:10:00.2'])
    const two = withHolding(one, holdingOf(2, planOn(one, vf)))
    expect(freeUnits(two)).toEqual([])
    expect(freeUnits(withoutHolding(two, claimId(1)))).toEqual(['pci:0000:10:00.1'])
    expect(withoutHolding(withoutHolding(two, claimId(2)), claimId(1))).toEqual(host)
  })

  test('a PF held without its VFs, as other tools write it, still blocks them', () => {
    const host = smallHost({ cells: 1, vfs: 2 })
    const whole = holdingOf(1, planOn(host, demandFor(pinned(1, { 'pci_passthrough:alias': 'pf:1' }))))
    const units = whole.body.units.filter((each) => each.use !== 'with-parent')
    const held = withHolding(host, { ...whole, body: { ...whole.body, units } })
    expect(freeUnits(held)).toEqual([])
    expect(holdersOf(held).ofUnit('pci:0000:10:00.1')).toEqual([instanceId(1)])
  })

  // LP 2115905: a device removed from the device_spec made it impossible to delete the instance that held it.
  test('a device that vanished while held is kept, and is not free after its release', () => {
    const host = smallHost({ cells: 1, vfs: 2 })
    const held = withHolding(host, holdingOf(1, planOn(host, vf)))
    const gone = held.devices.map((each) => (each.unit === 'pci:0000:10:00.1' ? { ...each, gone: true } : each))
    const after = withoutHolding({ ...held, devices: gone }, claimId(1))
    expect(after.holdings).toEqual([])
    expect(freeUnits(after)).toEqual(['pci:0000:10:00.0', 'pci:0000:10:00.2'])
  })
})

describe('holdersOf', () => {
  const little = withInstance(smallHost({ vfs: 2 }), 1, pinned(2))
  const host = withInstance(little, 2, pinned(4, { 'pci_passthrough:alias': 'vf:1' }))
  const holders = holdersOf(host)

  test('lists holders of a class, largest first', () => {
    expect(holders.ofClass('PCPU', null)).toEqual([instanceId(2), instanceId(1)])
    expect(holders.ofClass('PCPU', providerId(1))).toEqual([])
  })

  test('names the holder of a unit, and of the unit that blocks it', () => {
    const vf = host.holdings[1]!.body.units.find((each) => each.kind === 'pci')!.unit
    const pf = host.devices.find((each) => each.unit === vf)!.parent!
    expect(holders.ofUnit(vf)).toEqual([instanceId(2)])
    expect(holders.ofUnit(pf)).toEqual([instanceId(2)])
    expect(holders.ofUnit('cpu:0')).toEqual([instanceId(1)])
  })

  test('lists holders of memory, pages and shared CPUs of a NUMA node', () => {
    expect(holders.ofNode(0, 'memory')).toEqual([instanceId(2), instanceId(1)])
    expect(holders.ofNode(0, 'pages 4')).toEqual([instanceId(2), instanceId(1)])
    expect(holders.ofNode(0, 'shared-cpus')).toEqual([])
  })
})

describe('sharing providers', () => {
  const pool: Provider = {
    id: providerId(900),
    name: 'nfs',
    parent: null,
    generation: 1,
    inventories: [inventory('DISK_GB', 10)],
    traits: [],
    aggregates: ['a'],
    sharing: true,
  }
  const on = (n: number) => smallHost({ n, diskGib: 0, sharing: [pool], aggregates: ['a'] })
  const usedOn = (host: Host) => host.providers.at(-1)?.inventories[0]?.used
  const sixGib = demandFor(pinned(1, {}, { diskGib: 6 }))

  test('a pool is used by all its hosts, and full for all of them at once', () => {
    const one = withHolding(on(1), holdingOf(1, planOn(on(1), sixGib)))
    const [first, second] = shareUsage([one, on(2)])
    expect([usedOn(first!), usedOn(second!)]).toEqual([6, 6])
    expect(verdictOn(second!, sixGib).ok).toBe(false)
  })

  test('the usage by other hosts can be passed in separately', () => {
    const { numaNodes, devices, leftovers, providers } = on(1)
    const others = [{ provider: pool.id, resourceClass: 'DISK_GB', amount: 9 }]
    expect(usedOn(hostFrom(on(1), { numaNodes, devices, leftovers, providers, others }, []))).toBe(9)
  })
})
