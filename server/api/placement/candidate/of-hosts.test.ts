import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../../boot/on-fresh-database'
import { hostId, smallHost } from '../../../engine/testing/hosts'
import { putSetting } from '../../../store/catalog/policy'
import { connectDatabase } from '../../../store/database/database'
import { putHost } from '../../../store/testing/records'
import { openTestPlacement, type TestPlacement } from '../../testing/placement'

// Every candidate can be claimed. Random requests, as from Nova, against hosts of Berth, trees of other clients and a
// shared pool.

const database = onFreshDatabase(connectDatabase)
let api: TestPlacement
const HOSTS = [hostId(1), hostId(2)] as const
const COMPUTES = [randomUUID(), randomUUID()]
const POOL = randomUUID()
const AGGREGATE = randomUUID()

beforeAll(async () => {
  await putHost(database, smallHost({ n: 1 }))
  await putHost(database, smallHost({ n: 2, layout: 'nested', cells: 2, cores: 8 }))
  api = openTestPlacement(database)
  for (const [n, uuid] of COMPUTES.entries()) {
    await tree(uuid, `compute-${n}`, { VCPU: 8, PCPU: 8, MEMORY_MB: 8192, ...(n === 0 && { DISK_GB: 50 }) })
  }
  await tree(POOL, 'pool', { DISK_GB: 100 })
  await call('PUT', `/resource_providers/${POOL}/traits`, {
    body: { resource_provider_generation: 2, traits: ['MISC_SHARES_VIA_AGGREGATE'] },
  })
  for (const host of HOSTS) {
    await database.pool.query('insert into provider_aggregate (provider_id, aggregate_id) values ($1, $2)', [
      host,
      AGGREGATE,
    ])
  }
})
beforeEach(() => putSetting(database, 'foreign-instances', 'refuse'))

function call(method: string, path: string, { body, minor = 36 }: { body?: unknown; minor?: number } = {}) {
  const nova = { 'x-auth-token': 'nova', 'x-roles': 'admin', 'openstack-api-version': `placement 1.${minor}` }
  return api.askWith(nova)(method, path, body)
}

/** In the aggregate that all trees are in. */
async function tree(uuid: string, name: string, totals: Readonly<Record<string, number>>): Promise<void> {
  await call('POST', '/resource_providers', { body: { uuid, name } })
  const inventories = Object.fromEntries(Object.entries(totals).map(([of, total]) => [of, { total }]))
  await call('PUT', `/resource_providers/${uuid}/inventories`, {
    body: { resource_provider_generation: 0, inventories },
  })
  await call('PUT', `/resource_providers/${uuid}/aggregates`, {
    body: { resource_provider_generation: 1, aggregates: [AGGREGATE] },
  })
}

type Offer = { readonly allocations: Readonly<Record<string, unknown>>; readonly mappings: unknown }
const offered = async (query: string): Promise<readonly Offer[]> => {
  const { status, json } = await call('GET', `/allocation_candidates?${query}`)
  expect(status).toBe(200)
  return json.allocation_requests
}

/** Claims each candidate and returns the responses; successful claims are released. */
async function taken(offers: readonly Offer[], type: string | null): Promise<number[]> {
  const owners = { project_id: 'p', user_id: 'u', consumer_generation: null, ...(type && { consumer_type: type }) }
  const statuses: number[] = []
  for (const offer of offers) {
    const path = `/allocations/${randomUUID()}`
    const { status } = await call('PUT', path, { body: { ...offer, ...owners }, minor: type === null ? 36 : 39 })
    statuses.push(status)
    if (status === 204) await call('DELETE', path)
  }
  return statuses
}

const AMOUNTS = fc.record(
  {
    VCPU: fc.integer({ min: 1, max: 4 }),
    PCPU: fc.integer({ min: 1, max: 4 }),
    MEMORY_MB: fc.constantFrom(512, 2048),
    DISK_GB: fc.integer({ min: 1, max: 20 }),
  },
  { requiredKeys: [] },
)
const written = (amounts: object) => Object.entries(amounts).map(([of, amount]) => `${of}:${amount}`)
/** One group, two groups, or one group restricted to a tree. */
const QUERY = fc
  .record({ whole: AMOUNTS, apart: AMOUNTS, tree: fc.constantFrom(null, null, ...COMPUTES) })
  .map(({ whole, apart, tree: inTree }) => {
    const parts = [written(whole), written(apart)].map((all) => all.join(','))
    const [own, other] = parts.map((part, n) => (part === '' ? '' : `resources${n === 0 ? '' : '_X'}=${part}`))
    return [own, other, own !== '' && inTree !== null ? `in_tree=${inTree}` : '']
      .filter((each) => each !== '')
      .join('&')
  })
  .filter((query) => query.startsWith('resources'))
const numRuns = Number(process.env.BERTH_RUNS || 40)
const roots = (offers: readonly Offer[]) => new Set(offers.flatMap(({ allocations }) => Object.keys(allocations)))

describe('while hosts of Berth refuse instances of other clients', () => {
  test('every candidate can be claimed by an instance', async () => {
    let offers = 0
    await fc.assert(
      fc.asyncProperty(QUERY, async (query) => {
        const found = await offered(query)
        offers += found.length
        expect(await taken(found, null)).toEqual(found.map(() => 204))
      }),
      { numRuns, examples: fc.sample(fc.tuple(QUERY), { numRuns: numRuns / 2, seed: 7 }) },
    )
    expect(offers).toBeGreaterThan(numRuns / 4)
  })

  test('a request that names the tree of a host gets it, for consumers that are not instances', async () => {
    const found = await offered(`resources=PCPU:1&in_tree=${HOSTS[0]}`)
    expect([...roots(found)]).toEqual([HOSTS[0]])
    expect(await taken(found, 'VOLUME')).toEqual([204])
    expect(await taken(found, 'INSTANCE')).toEqual([409])
  })

  test('a limit counts only claimable candidates', async () => {
    expect(roots(await offered('resources=PCPU:1&limit=2'))).toEqual(new Set(COMPUTES))
  })

  test('a sharing pool is offered, whoever uses it', async () => {
    expect(roots(await offered('resources=DISK_GB:60'))).toEqual(new Set([POOL]))
  })
})

test('hosts of Berth are offered from the next request on once the setting allows them', async () => {
  expect(roots(await offered('resources=PCPU:1'))).toEqual(new Set(COMPUTES))
  await putSetting(database, 'foreign-instances', 'allow')
  const found = await offered('resources=PCPU:1')
  expect(roots(found)).toContain(HOSTS[0])
  expect(new Set(await taken(found, null))).toEqual(new Set([204]))
})

test('a tree of a client that becomes a host of Berth is no longer offered', async () => {
  const [made] = [hostId(3)]
  await call('POST', '/resource_providers', { body: { uuid: made, name: 'to-be-a-host' } })
  await call('PUT', `/resource_providers/${made}/inventories`, {
    body: { resource_provider_generation: 0, inventories: { PCPU: { total: 4 } } },
  })
  expect(roots(await offered('resources=PCPU:1'))).toContain(made)
  await putHost(database, smallHost({ n: 3 }))
  expect(roots(await offered('resources=PCPU:1'))).not.toContain(made)
})
