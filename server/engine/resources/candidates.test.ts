import { describe, expect, test } from 'vitest'
import type { ClaimBody, Host } from '../host'
import { inventory, providerId, smallHost } from '../testing/hosts'
import { demandFor, flavor, kindsOf, pinned, planOn, refusalsOf, withInstance } from '../testing/instances'
import { perClass } from './allocation'
import type { Provider } from './inventory'

// Amounts in readable form: provider name, class, amount.
function lines(host: Host, plan: ClaimBody): string[] {
  const name = (id: string) => host.providers.find((provider) => provider.id === id)?.name
  return plan.amounts.map((each) => `${name(each.provider)} ${each.resourceClass} ${each.amount}`).sort()
}

const NFS: Provider = {
  id: providerId(900),
  name: 'nfs',
  parent: null,
  generation: 7,
  inventories: [inventory('DISK_GB', 1000)],
  traits: ['MISC_SHARES_VIA_AGGREGATE', 'STORAGE_DISK_SSD'],
  aggregates: ['agg-disk'],
  sharing: true,
}
const SHARED = { sharing: [NFS], aggregates: ['agg-disk'] }

describe('allocations follow the inventory', () => {
  test('a flat host takes all classes from its root', () => {
    const host = smallHost({ shared: 4 })
    const mixed = flavor(4, { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-3' })
    expect(lines(host, planOn(host, demandFor(mixed)))).toEqual([
      'h1 DISK_GB 1',
      'h1 MEMORY_MB 2048',
      'h1 PCPU 2',
      'h1 VCPU 2',
    ])
  })

  test('a nested host takes CPUs and memory from the chosen NUMA node, and disk from the root', () => {
    const host = smallHost({ layout: 'nested' })
    expect(lines(host, planOn(host, demandFor(pinned(4, { 'hw:numa_nodes': '2' }))))).toEqual([
      'h1 DISK_GB 1',
      'h1_numa0 MEMORY_MB 1024',
      'h1_numa0 PCPU 2',
      'h1_numa1 MEMORY_MB 1024',
      'h1_numa1 PCPU 2',
    ])
  })

  test('an instance without topology takes all from one child that has room', () => {
    const host = withInstance(smallHost({ layout: 'nested', shared: 8 }), 1, flavor(4))
    expect(lines(host, planOn(host, demandFor(flavor(2))))).toEqual([
      'h1 DISK_GB 1',
      'h1_numa1 MEMORY_MB 1024',
      'h1_numa1 VCPU 2',
    ])
  })

  test('CPUs come from the child that has the memory, even if another one has more CPUs', () => {
    const host = smallHost({ layout: 'nested', shared: 8 })
    const full = withInstance(host, 1, flavor(1, {}, { memoryMib: 8000 }))
    const busy = withInstance(full, 2, flavor(8))
    expect(lines(busy, planOn(busy, demandFor(flavor(2))))).toEqual([
      'h1 DISK_GB 1',
      'h1_numa1 MEMORY_MB 1024',
      'h1_numa1 VCPU 2',
    ])
  })

  test('an amount overridden by `resources:` comes from the tree, not from the NUMA nodes', () => {
    const host = smallHost({ layout: 'nested' })
    const plan = planOn(host, demandFor(pinned(4, { 'hw:numa_nodes': '2', 'resources:MEMORY_MB': '100' })))
    expect(lines(host, plan).filter((line) => line.includes('MEMORY_MB'))).toEqual(['h1_numa0 MEMORY_MB 100'])
  })

  test('an instance without topology that exceeds any NUMA node is spread over several', () => {
    const host = smallHost({ layout: 'nested', shared: 8, vcpuRatioMilli: 1000 })
    const plan = planOn(host, demandFor(flavor(12, {}, { memoryMib: 10_000 })))
    expect(perClass(plan.amounts)).toEqual(
      new Map([
        ['VCPU', 12],
        ['MEMORY_MB', 10_000],
        ['DISK_GB', 1],
      ]),
    )
    expect(lines(host, plan)).toHaveLength(5)
  })

  test('a device class is allocated only where an inventory for it exists', () => {
    const vgpu = demandFor(pinned(2, { 'resources:VGPU': '1' }))
    const nested = smallHost({ layout: 'nested', vgpus: 2 })
    expect(lines(nested, planOn(nested, vgpu))).toContain('gpu0 VGPU 1')
    const flat = smallHost({ vgpus: 2 })
    const plan = planOn(flat, vgpu)
    expect(perClass(plan.amounts).has('VGPU')).toBe(false)
    expect(plan.units.filter((unit) => unit.kind === 'vgpu')).toHaveLength(1)
  })

  test('a flat host with an inventory for a device class allocates it from its root', () => {
    const bare = smallHost({ vgpus: 2 })
    const [root] = bare.providers
    const host = { ...bare, providers: [{ ...root!, inventories: [...root!.inventories, inventory('VGPU', 2)] }] }
    expect(lines(host, planOn(host, demandFor(pinned(2, { 'resources:VGPU': '2' }))))).toContain('h1 VGPU 2')
  })

  test('a class without inventory is refused by name', () => {
    const refusals = refusalsOf(smallHost({ diskGib: 0 }), demandFor(pinned(2, { 'resources:CUSTOM_LICENCE': '1' })))
    expect(refusals.filter((each) => each.kind === 'no-inventory').map((each) => each.where.resourceClass)).toEqual([
      'DISK_GB',
      'CUSTOM_LICENCE',
    ])
  })
})

describe('sharing providers [LP 1707256]', () => {
  test('a shared pool in a common aggregate provides disk, and its generation guards the claim', () => {
    const host = smallHost({ diskGib: 0, ...SHARED })
    const plan = planOn(host, demandFor(pinned(2)))
    expect(lines(host, plan)).toContain('nfs DISK_GB 1')
    expect(plan.guards).toEqual([
      { provider: host.providers[0]!.id, generation: 1 },
      { provider: NFS.id, generation: 7 },
    ])
  })

  test('a pool of another aggregate does not serve the host', () => {
    const host = smallHost({ diskGib: 0, sharing: [NFS], aggregates: ['elsewhere'] })
    expect(kindsOf(refusalsOf(host, demandFor(pinned(2))))).toEqual(['no-inventory'])
  })

  test('local disk goes first, unless only the pool has the required trait', () => {
    const host = smallHost(SHARED)
    expect(lines(host, planOn(host, demandFor(pinned(2))))).toContain('h1 DISK_GB 1')
    const ssd = demandFor(pinned(2, { 'trait:STORAGE_DISK_SSD': 'required' }))
    expect(lines(host, planOn(host, ssd))).toContain('nfs DISK_GB 1')
  })

  test('a pool with a forbidden trait is skipped, without refusing the host', () => {
    const noSsd = demandFor(pinned(2, { 'trait:STORAGE_DISK_SSD': 'forbidden' }))
    expect(lines(smallHost(SHARED), planOn(smallHost(SHARED), noSsd))).toContain('h1 DISK_GB 1')
    expect(kindsOf(refusalsOf(smallHost({ diskGib: 0, ...SHARED }), noSsd))).toEqual(['no-inventory'])
  })
})

describe('a provider with less inventory than its NUMA node', () => {
  const reserve = (host: Host, name: string, free: number): Host => {
    const providers = host.providers.map((provider) => {
      if (provider.name !== name) return provider
      const inventories = provider.inventories.map((each) =>
        each.resourceClass === 'MEMORY_MB' ? each : { ...each, reserved: each.total - free },
      )
      return { ...provider, inventories }
    })
    return { ...host, providers }
  }
  const tight = () => reserve(smallHost({ layout: 'nested' }), 'h1_numa0', 1)

  test('diverts a claim to another node', () => {
    const host = tight()
    expect(planOn(host, demandFor(pinned(4))).cells.map((node) => node.hostCell)).toEqual([1])
  })

  test('needs room for the emulator CPU as well', () => {
    const host = reserve(smallHost({ layout: 'nested' }), 'h1_numa0', 2)
    const isolated = demandFor(pinned(2, { 'hw:emulator_threads_policy': 'isolate' }))
    expect(planOn(host, isolated).cells.map((node) => node.hostCell)).toEqual([1])
    expect(planOn(host, demandFor(pinned(2))).cells.map((node) => node.hostCell)).toEqual([0])
  })

  test('diverts a claim to another card', () => {
    const host = smallHost({ layout: 'nested', vgpus: 2 })
    const second = { ...host.providers.at(-1)!, id: providerId(777), name: 'gpu1' }
    const cards = host.devices.map((each) => ({
      ...each,
      unit: each.unit.replace('d8', 'd9') as typeof each.unit,
      parent: (each.parent?.replace('d8', 'd9') ?? null) as typeof each.parent,
      ...(each.provider ? { provider: second.id } : {}),
    }))
    const both = { ...host, providers: [...host.providers, second], devices: [...host.devices, ...cards] }
    const vgpu = demandFor(pinned(2, { 'resources:VGPU': '1' }))
    expect(lines(both, planOn(both, vgpu))).toContain('gpu0 VGPU 1')
    const full = reserve(both, 'gpu0', 0)
    expect(lines(full, planOn(full, vgpu))).toContain('gpu1 VGPU 1')
  })

  test('appears in the refusal with its node and free amount when no other fits', () => {
    const refusals = refusalsOf(tight(), demandFor(pinned(4, { 'hw:numa_nodes': '2' })))
    expect(refusals).toContainEqual({
      kind: 'amount',
      where: { resourceClass: 'PCPU', provider: 'h1_numa0', hostCell: 0 },
      need: 2,
      free: 1,
      shortBy: 1,
      heldBy: [],
    })
  })
})
