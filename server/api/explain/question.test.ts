import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { decide } from '../../engine/claim'
import { smallHost } from '../../engine/testing/hosts'
import { pinned, withInstance } from '../../engine/testing/instances'
import type { HostId } from '../../engine/words/ids'
import { putFlavors, putSetting } from '../../store/catalog/policy'
import { openTestApi } from '../testing/api'
import { requestForBuild } from './question'
import { verdictsOf } from './verdicts'

// Explain makes the claim's own decision for every host (I7), fast enough for interactive use.

const FLAVOR = pinned(4, { 'hw:numa_nodes': '2' }, { name: 'wide' })
const fleet = Array.from({ length: 500 }, (_, n) =>
  Array.from({ length: n % 7 }, (_, instance) => instance).reduce(
    (host, instance) => withInstance(host, n * 10 + instance, pinned(2)),
    smallHost({ n: n + 1, cells: 2 + (n % 3), vfs: 2, shared: n % 2 }),
  ),
)

const byId = new Map(fleet.map((host) => [host.id, host]))
const all = {
  hosts: () => fleet,
  hostsAhead: () => fleet,
  host: (id: HostId) => byId.get(id) ?? null,
  aheadAt: async (id: HostId) => byId.get(id) ?? null,
  settled: async () => {},
}
const api = onFreshDatabase((fresh) => openTestApi(fresh, { fleet: all }))
beforeAll(async () => {
  await putFlavors(api.database, [FLAVOR, pinned(2, {}, { name: 'small' }), pinned(14, {}, { name: 'big' })])
  await putSetting(api.database, 'images', [{ name: 'debian', properties: {} }])
})

test('explain returns exactly one verdict for each of 500 hosts', async () => {
  const ask = { for: 'build', flavor: 'wide', image: 'debian' } as const
  const { hosts, counts } = await api.as('support').migrate.explain(ask)
  expect(hosts).toHaveLength(500)
  expect(counts.ok).toBeGreaterThan(0)
  expect(counts.ok + counts.warning + counts.refused).toBe(500)
})

test('explain says ok exactly where a claim would succeed', async () => {
  for (const flavor of ['small', 'big', 'wide']) {
    const request = await requestForBuild(api.services, { flavor, image: 'debian' })
    const verdicts = await verdictsOf(api.services, request)
    const ok = new Set(verdicts.filter(({ verdict }) => verdict !== 'refused').map(({ host }) => host.id))
    fc.assert(
      fc.property(fc.constantFrom(...fleet), (host) => decide({ ...request.question, host }).ok === ok.has(host.id)),
    )
  }
})

test('the order of the hosts does not change the answer', async () => {
  const request = await requestForBuild(api.services, { flavor: 'small', image: 'debian' })
  const some = request.hosts.slice(0, 60)
  const there = await verdictsOf(api.services, { ...request, hosts: some })
  expect(await verdictsOf(api.services, { ...request, hosts: [...some].reverse() })).toEqual(there)
})
