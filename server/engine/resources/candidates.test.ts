import { describe, expect, test } from 'vitest'
import type { ClaimBody, Host } from '../host'
import { demandFor, flavor, kindsOf, pinned, planOn, refusalsOf, withGuest } from '../testing/guests'
import { inventory, providerId, smallHost } from '../testing/hosts'
import { perClass } from './allocation'
import type { Provider } from './inventory'

// Amounts as people read them: provider name, class, amount.
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

describe('the ledger follows the inventory', () => {
  test('a flat host gives all from its root', () => {
    const host = smallHost({ shared: 4 })
    const mixed = flavor(4, { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '2-3' })
    expect(lines(host, planOn(host, demandFor(mixed)))).toEqual([
      'h1 DISK_GB 1',
      'h1 MEMORY_MB 2048',
      'h1 PCPU 2',
      'h1 VCPU 2',
    ])
  })

  test('a nested host gives CPUs and memory from the child of the chosen cell, disk from the root', () => {
    const host = smallHost({ layout: 'nested' })
    expect(lines(host, planOn(host, demandFor(pinned(4, { 'hw:numa_nodes': '2' }))))).toEqual([
      'h1 DISK_GB 1',
      'h1_numa0 MEMORY_MB 1024',
      'h1_numa0 PCPU 2',
      'h1_numa1 MEMORY_MB 1024',
      'h1_numa1 PCPU 2',
    ])
  })

  test('a guest without topology takes all from one child when one has room', () => {
    const host = withGuest(smallHost({ layout: 'nested', shared: 8 }), 1, flavor(4))
    expect(lines(host, planOn(host, demandFor(flavor(2))))).toEqual([
      'h1 DISK_GB 1',
      'h1_numa1 MEMORY_MB 1024',
      'h1_numa1 VCPU 2',
    ])
  })

  test('a guest without topology larger than any cell is spread, as it will float over them', () => {
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

  test('a device class is an amount only where somebody keeps an inventory of it', () => {
    const vgpu = demandFor(pinned(2, { 'resources:VGPU': '1' }))
    const nested = smallHost({ layout: 'nested', vgpus: 2 })
    expect(lines(nested, planOn(nested, vgpu))).toContain('gpu0 VGPU 1')
    const flat = smallHost({ vgpus: 2 })
    const plan = planOn(flat, vgpu)
    expect(perClass(plan.amounts).has('VGPU')).toBe(false)
    expect(plan.units.filter((unit) => unit.kind === 'vgpu')).toHaveLength(1)
  })

  test('what the tree keeps no inventory of is refused by name', () => {
    const refusals = refusalsOf(smallHost({ diskGib: 0 }), demandFor(pinned(2, { 'resources:CUSTOM_LICENCE': '1' })))
    expect(refusals.filter((each) => each.kind === 'no-inventory').map((each) => each.where.resourceClass)).toEqual([
      'DISK_GB',
      'CUSTOM_LICENCE',
    ])
  })
})

describe('sharing providers [LP 1707256]', () => {
  test('disk comes from a shared pool in a common aggregate, and its generation guards the claim', () => {
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

  test('local disk goes first, unless only the pool has the trait asked for', () => {
    const host = smallHost(SHARED)
    expect(lines(host, planOn(host, demandFor(pinned(2))))).toContain('h1 DISK_GB 1')
    const ssd = demandFor(pinned(2, { 'trait:STORAGE_DISK_SSD': 'required' }))
    expect(lines(host, planOn(host, ssd))).toContain('nfs DISK_GB 1')
  })
})

describe('when a provider keeps less than its cell has', () => {
  const tight = (): Host => {
    const host = smallHost({ layout: 'nested' })
    const providers = host.providers.map((provider) =>
      provider.cell === 0
        ? { ...provider, inventories: provider.inventories.map((each) => ({ ...each, reserved: each.total - 1 })) }
        : provider,
    )
    return { ...host, providers }
  }

  test('another cell is chosen', () => {
    const host = tight()
    expect(planOn(host, demandFor(pinned(4))).cells.map((cell) => cell.hostCell)).toEqual([1])
  })

  test('and when none is left, the refusal names the provider, its cell and what it has free', () => {
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
