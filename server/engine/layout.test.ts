import { describe, expect, test } from 'vitest'
import type { Host } from './host'
import { planLayout } from './layout'
import type { Provider } from './resources/inventory'
import { undone } from './rows'
import { flatHost, idOf } from './testing/flat-hosts'
import { inventory, providerId, smallHost } from './testing/hosts'
import { flavor, pinned, withInstance } from './testing/instances'

function reshaped(host: Host) {
  const answer = planLayout(host, idOf)
  if (!answer.ok) throw new Error(answer.blockedBy)
  return answer.plan
}

describe('a host that cannot be converted stays flat', () => {
  const full = () => withInstance(smallHost({ shared: 2, vfs: 2 }), 1, flavor(2, { 'hw:numa_nodes': '1' }))
  const withRoot = (host: Host, set: (root: Provider) => Partial<Provider>): Host => {
    const [root, ...rest] = host.providers as [Provider, ...Provider[]]
    return { ...host, providers: [{ ...root, ...set(root) }, ...rest] }
  }
  const changed = (host: Host, resourceClass: string, set: Partial<Provider['inventories'][number]>) =>
    withRoot(host, ({ inventories }) => ({
      inventories: inventories.map((each) => (each.resourceClass === resourceClass ? { ...each, ...set } : each)),
    }))
  const elsewhere = (host: Host): Host => {
    const holdings = host.holdings.map(({ body, ...rest }) => {
      return { ...rest, body: { ...body, cells: body.cells.map((node) => ({ ...node, hostCell: 9 })) } }
    })
    return { ...host, holdings }
  }
  const child = (host: Host, set: Partial<Provider>): Host => ({
    ...host,
    providers: [
      ...host.providers,
      {
        ...{ id: providerId(77), name: `${host.name}_NUMA0`, parent: host.providers[0]!.id, generation: 3, cell: 0 },
        ...{ inventories: [inventory('VCPU', 2, { reserved: 2 })], traits: [], aggregates: [], sharing: false },
        ...set,
      },
    ],
  })

  test.each<[string, Host, RegExp]>([
    ['it is nested already', smallHost({ layout: 'nested' }), /already nested/],
    ['it has no NUMA node', { ...smallHost({ cells: 0 }), numaNodes: [] }, /no NUMA node/],
    ['its inventory is not the sum of its parts', changed(full(), 'PCPU', { total: 13 }), /counts 13 PCPU, but .* 12/],
    ['a step size does not divide the parts', changed(full(), 'MEMORY_MB', { stepSize: 64 }), /steps of 64/],
    ['an amount is held without a claim', { ...full(), holdings: [] }, /2 VCPU are held by consumers without a claim/],
    ['its records are inconsistent', elsewhere(full()), /inconsistent \(resource-missing.*Repair them first/],
    [
      'a child of that name accepts claims',
      child(full(), { inventories: [inventory('VCPU', 2)] }),
      /_NUMA0 .* accepts claims/,
    ],
    ['it has unknown children', child(full(), { name: 'fpga' }), /fpga .* not part of this layout/],
  ])('with a reason: %s', (_, host, why) => {
    const answer = planLayout(host, idOf)
    expect(answer).toMatchObject({ ok: false, blockedBy: expect.stringMatching(why) })
  })

  test('but closed children made earlier are adopted under their own ids', () => {
    const { after, lines } = reshaped(child(full(), {}))
    const cell = after.providers.find(({ cell }) => cell === 0)
    expect(cell).toMatchObject({ id: providerId(77), generation: 3, traits: ['HW_NUMA_ROOT'] })
    expect(
      lines.find(({ row, key }) => row === 'inventory' && 'provider' in key && key.provider === providerId(77)),
    ).toMatchObject({
      before: expect.anything(),
    })
  })
})

test('providers have the names that Nova uses', () => {
  const { after } = reshaped(flatHost({ vfs: 1, vgpus: 2, pmems: 1, shared: 1 }, ['VGPU']))
  expect(after.providers.map(({ name }) => name)).toEqual([
    'h1',
    'h1_0000:10:00.0',
    'h1_0000:20:00.0',
    'h1_NUMA0',
    'h1_NUMA1',
    'h1_pci_0000_d8_00_0',
    'h1_pmem0',
  ])
  expect(after.devices.every(({ provider }) => after.providers.some(({ id }) => id === provider))).toBe(true)
})

test('reversed lines restore the flat layout, and every line has a reason', () => {
  const host = withInstance(withInstance(smallHost({ shared: 2, vfs: 2 }), 1, flavor(1)), 2, pinned(2))
  const { lines } = reshaped(host)
  for (const { why } of lines) expect(why).toMatch(/^[A-Z].*\.$/)
  expect(undone(undone(lines))).toEqual(lines)
  const made = lines.filter(({ before, row }) => before === null && row === 'allocation')
  expect(made.map(({ why }) => why)).toEqual(
    expect.arrayContaining([expect.stringMatching(/is not bound/), expect.stringMatching(/NUMA node \d/)]),
  )
})

test('shared storage is unchanged, with the usage of other hosts', () => {
  const nfs: Provider = {
    ...{ id: providerId(900), name: 'nfs', parent: null, generation: 5, traits: [], aggregates: ['a'], sharing: true },
    inventories: [inventory('DISK_GB', 500)],
  }
  const shape = { shared: 2, diskGib: 0, sharing: [nfs], aggregates: ['a'] }
  const host = withInstance(smallHost(shape), 1, flavor(1))
  const taken = host.providers.map((each) =>
    each.sharing ? { ...each, inventories: [inventory('DISK_GB', 500, { used: 71 })] } : each,
  )
  const { after, lines } = reshaped({ ...host, providers: taken })
  expect(after.providers.find(({ sharing }) => sharing)).toEqual(taken[1])
  expect(lines.filter(({ key }) => 'provider' in key && key.provider === nfs.id)).toEqual([])
})
