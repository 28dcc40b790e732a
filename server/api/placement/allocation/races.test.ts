import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../../boot/on-fresh-database'
import { connectDatabase } from '../../../store/database/database'
import { openTestPlacement, type TestPlacement } from '../../testing/placement'

// Every write of the API by many concurrent clients: one creates or changes the object, all others get Placement's
// error, and none gets a 500.

const database = onFreshDatabase(({ url }) => connectDatabase({ url, connections: AT_ONCE + 2 }))
let api: TestPlacement
const AT_ONCE = 16

beforeAll(() => {
  api = openTestPlacement(database)
})

const ask = async (method: string, path: string, body?: unknown) => (await api.ask(method, path, body)).status

async function provider(): Promise<string> {
  const uuid = randomUUID()
  expect(await ask('POST', '/resource_providers', { name: uuid, uuid })).toBe(200)
  return uuid
}

async function stocked(): Promise<string> {
  const uuid = await provider()
  const inventories = { VCPU: { total: 8 } }
  const body = { resource_provider_generation: 0, inventories }
  expect(await ask('PUT', `/resource_providers/${uuid}/inventories`, body)).toBe(200)
  return uuid
}

const claimOf = (uuid: string, generation: number | null = null) => ({
  ...{ allocations: { [uuid]: { resources: { VCPU: 1 } } }, project_id: 'p', user_id: 'u' },
  ...{ consumer_generation: generation, consumer_type: 'INSTANCE' },
})

async function claimed(): Promise<string> {
  const consumer = randomUUID()
  expect(await ask('PUT', `/allocations/${consumer}`, claimOf(await stocked()))).toBe(204)
  return consumer
}

/** `writers`: how many wait for their first write; writes that a queue commits together count as one. */
type Race = readonly [
  what: string,
  make: () => Promise<(nth: number) => Promise<number>>,
  winner: number,
  writers?: number,
]

const RACES: readonly Race[] = [
  [
    'POST a provider with one uuid',
    async () => {
      const uuid = randomUUID()
      return (nth) => ask('POST', '/resource_providers', { name: `${uuid} ${nth}`, uuid })
    },
    200,
  ],
  [
    'POST a provider with one name',
    async () => {
      const name = randomUUID()
      return () => ask('POST', '/resource_providers', { name, uuid: randomUUID() })
    },
    200,
  ],
  [
    'PUT one name on many providers',
    async () => {
      const name = randomUUID()
      const all = await Promise.all(Array.from({ length: AT_ONCE }, provider))
      return (nth) => ask('PUT', `/resource_providers/${all[nth]}`, { name })
    },
    200,
  ],
  [
    'POST one inventory',
    async () => {
      const uuid = await provider()
      return () => ask('POST', `/resource_providers/${uuid}/inventories`, { resource_class: 'VCPU', total: 4 })
    },
    201,
  ],
  [
    'PUT all inventories at one generation',
    async () => {
      const uuid = await provider()
      const body = { resource_provider_generation: 0, inventories: { VCPU: { total: 4 } } }
      return () => ask('PUT', `/resource_providers/${uuid}/inventories`, body)
    },
    200,
  ],
  [
    'PUT traits at one generation',
    async () => {
      const uuid = await provider()
      const body = { resource_provider_generation: 0, traits: ['HW_CPU_X86_AVX2'] }
      return () => ask('PUT', `/resource_providers/${uuid}/traits`, body)
    },
    200,
  ],
  [
    'PUT aggregates that are new',
    async () => {
      const [uuid, aggregate] = [await provider(), randomUUID()]
      const body = { resource_provider_generation: 0, aggregates: [aggregate] }
      return () => ask('PUT', `/resource_providers/${uuid}/aggregates`, body)
    },
    200,
  ],
  [
    'PUT a trait that is new',
    async () => {
      const name = `CUSTOM_${randomUUID().replaceAll('-', '').toUpperCase()}`
      return () => ask('PUT', `/traits/${name}`)
    },
    201,
  ],
  [
    'POST a class that is new',
    async () => {
      const name = `CUSTOM_${randomUUID().replaceAll('-', '').toUpperCase()}`
      return () => ask('POST', '/resource_classes', { name })
    },
    201,
  ],
  [
    'PUT the first allocation of one consumer',
    async () => {
      const [uuid, consumer] = [await stocked(), randomUUID()]
      return () => ask('PUT', `/allocations/${consumer}`, claimOf(uuid))
    },
    204,
    1,
  ],
  [
    'POST allocations of one consumer',
    async () => {
      const [uuid, consumer] = [await stocked(), randomUUID()]
      return () => ask('POST', '/allocations', { [consumer]: claimOf(uuid) })
    },
    204,
    1,
  ],
  [
    'DELETE the allocations of one consumer',
    async () => {
      const consumer = await claimed()
      return () => ask('DELETE', `/allocations/${consumer}`)
    },
    204,
    1,
  ],
  [
    'DELETE one provider',
    async () => {
      const uuid = await provider()
      return () => ask('DELETE', `/resource_providers/${uuid}`)
    },
    204,
  ],
  [
    'POST a reshape at one generation',
    async () => {
      const uuid = await stocked()
      const inventories = { [uuid]: { resource_provider_generation: 1, inventories: { VCPU: { total: 9 } } } }
      return () => ask('POST', '/reshaper', { inventories, allocations: {} })
    },
    204,
  ],
]

const WRITTEN = [
  ...['resource_provider', 'inventory', 'provider_trait', 'provider_aggregate', 'aggregate', 'trait', 'resource_class'],
  ...['consumer', 'allocation'],
].join(', ')

const WAITING = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/** All read the same rows before the first of them can write: the widest race window. */
async function atOnce(race: (nth: number) => Promise<number>, writers: number): Promise<readonly number[]> {
  const gate = await database.pool.connect()
  try {
    await gate.query('begin')
    await gate.query(`lock table ${WRITTEN} in share mode`)
    const answers = Array.from({ length: AT_ONCE }, (_, nth) => race(nth))
    // Not on the gate's own connection: a transaction sees one snapshot of the activity.
    const waiting = async () => (await database.pool.query<{ n: number }>(WAITING)).rows[0]?.n
    await expect.poll(waiting, { interval: 5 }).toBeGreaterThanOrEqual(writers)
    await gate.query('commit')
    return await Promise.all(answers)
  } finally {
    gate.release(true)
  }
}

for (const [what, make, winner, writers = AT_ONCE] of RACES) {
  test(`${what}, ${AT_ONCE} at once: one succeeds, and none gets a 500`, async () => {
    const statuses = await atOnce(await make(), writers)
    expect(statuses.filter((status) => status === winner)).toHaveLength(1)
    expect([...new Set(statuses)].filter((status) => ![winner, 204, 404, 409].includes(status))).toEqual([])
  })
}
