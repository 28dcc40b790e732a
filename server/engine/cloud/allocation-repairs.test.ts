import { expect, test } from 'vitest'
import { auditCloud } from './audit'
import { DEFAULT_SETTINGS, factsOf } from './facts'
import { repairOf } from './repair-of'
import type { Amounts, CloudSnapshot } from './snapshot'
import { addServer, capture, FLAVORS, hostNamed, newCloud, partsOf, put, SHARED } from './testing/nova-cloud'

const SUBNET = 'c0ffee00-0000-4000-8000-000000000001'

/** The snapshot, with one more sharing provider. */
function withSubnet(snapshot: CloudSnapshot): CloudSnapshot {
  if (!snapshot.providers.isRead) throw new Error('no providers')
  const disk = snapshot.providers.value.find(({ id }) => id === SHARED)
  if (disk === undefined) throw new Error('no shared disk')
  const inventories = { isRead: true, at: snapshot.now, complete: true, value: {} } as const
  const allocations = { ...inventories, value: new Map() }
  const subnet = { ...disk, id: SUBNET, root: SUBNET, name: 'subnet', inventories, allocations }
  return { ...snapshot, providers: { ...snapshot.providers, value: [...snapshot.providers.value, subnet] } }
}

/** What the repair of an instance with wrong amounts leaves it with. */
function repaired(parts: Readonly<Record<string, Amounts>>) {
  const cloud = newCloud({ hosts: 2, shared: true, witness: false })
  const host = hostNamed(cloud, 'host-1')
  const server = addServer(cloud, host, FLAVORS[0])
  const wanted = Object.fromEntries(partsOf(cloud, server.id))
  const { [host.provider]: own = {}, [SHARED]: disk = {} } = wanted
  const wrong = { ...own, MEMORY_MB: (own.MEMORY_MB ?? 0) + 1 }
  const { [SHARED]: more = {}, ...others } = parts
  put(cloud, server.id, Object.entries({ [host.provider]: wrong, [SHARED]: { ...disk, ...more }, ...others }))
  cloud.now += 60_000
  const before = withSubnet(capture(cloud))
  cloud.now += 30_000
  const after = withSubnet(capture(cloud))
  const finding = auditCloud({ before, after }).find(({ kind }) => kind === 'amounts-differ-from-flavor')
  if (finding === undefined) throw new Error('not found')
  const repair = repairOf(factsOf(after, DEFAULT_SETTINGS), finding)
  if (repair.kind === 'none') throw new Error(repair.reason)
  const body = repair.calls[0]?.body as Record<string, { allocations: Record<string, { resources: Amounts }> }>
  const held = Object.entries(body[server.id]?.allocations ?? {}).map(([id, { resources }]) => [id, resources])
  return { wanted, held: Object.fromEntries(held) }
}

test('a new claim keeps what a sharing provider gives besides the flavor', () => {
  const { wanted, held } = repaired({ [SUBNET]: { IPV4_ADDRESS: 1 } })
  expect(held).toEqual({ ...wanted, [SUBNET]: { IPV4_ADDRESS: 1 } })
})

test('a new claim keeps what the provider of the shared disk gives besides it', () => {
  const { wanted, held } = repaired({ [SHARED]: { CUSTOM_IOPS: 100 } })
  expect(held).toEqual({ ...wanted, [SHARED]: { ...wanted[SHARED], CUSTOM_IOPS: 100 } })
})

test('an allocation from a nested provider that shares is not one on a second host', () => {
  const cloud = newCloud({ hosts: 2, shared: true, witness: false })
  addServer(cloud, hostNamed(cloud, 'host-1'), FLAVORS[0])
  const other = [...cloud.hosts.values()][1]?.provider ?? ''
  const nest = (snapshot: CloudSnapshot): CloudSnapshot => {
    if (!snapshot.providers.isRead) throw new Error('no providers')
    const value = snapshot.providers.value.map((each) =>
      each.id === SHARED ? { ...each, parent: other, root: other } : each,
    )
    return { ...snapshot, providers: { ...snapshot.providers, value } }
  }
  cloud.now += 60_000
  const before = nest(capture(cloud))
  cloud.now += 30_000
  expect(auditCloud({ before, after: nest(capture(cloud)) })).toEqual([])
})
