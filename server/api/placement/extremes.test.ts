import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../../store/database/database'
import { openTestPlacement, type TestPlacement } from '../testing/placement'

// Every value that a schema accepts is stored or refused by the API: a column's CHECK must never be the first to reject
// it. Bodies are valid except for one value at the edge of its type.

const database = onFreshDatabase(connectDatabase)
let api: TestPlacement
const failures: unknown[] = []

beforeAll(() => {
  api = openTestPlacement(database, { log: { error: (entry: unknown) => void failures.push(entry) } })
})

const call: TestPlacement['ask'] = (...asked) => api.ask(...asked)

const EDGES = [
  ...[0, -0, 1, -1, 0.5, -0.001, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 1e300, -1e300, 3.40282e38],
  ...[-3.40282e38, -1e308, 5e-324, '', ' ', 'x'.repeat(200), 'x'.repeat(255), null, true],
]
const FIELDS = ['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'] as const

interface FixtureIds {
  readonly provider: string
  readonly consumer: string
}

const edge = fc.constantFrom(...EDGES)
const inventories = fc
  .record({ field: fc.constantFrom(...FIELDS), value: edge })
  .map(({ field, value }) => ({ VCPU: { total: 8, [field]: value } }))
type Write = (made: FixtureIds) => { readonly method: string; readonly path: string; readonly body: unknown }

const CONSUMER = { amount: 1, generation: null, project: 'p', user: 'u', type: 'INSTANCE' } as const
/** The writes of the API, each with one value to vary. */
const writes = {
  inventories:
    (all: object): Write =>
    ({ provider }) => ({
      ...{ method: 'PUT', path: `/resource_providers/${provider}/inventories` },
      body: { resource_provider_generation: 1, inventories: all },
    }),
  inventory:
    ({ VCPU }: { VCPU: object }): Write =>
    ({ provider }) => ({
      ...{ method: 'PUT', path: `/resource_providers/${provider}/inventories/VCPU` },
      body: { resource_provider_generation: 1, ...VCPU },
    }),
  added:
    ({ VCPU }: { VCPU: object }): Write =>
    ({ provider }) => ({
      ...{ method: 'POST', path: `/resource_providers/${provider}/inventories` },
      body: { resource_class: 'DISK_GB', ...VCPU },
    }),
  reshaped:
    (all: object): Write =>
    ({ provider }) => ({
      ...{ method: 'POST', path: '/reshaper' },
      body: { inventories: { [provider]: { resource_provider_generation: 1, inventories: all } }, allocations: {} },
    }),
  renamed:
    (name: unknown): Write =>
    ({ provider }) => ({ method: 'PUT', path: `/resource_providers/${provider}`, body: { name } }),
  made:
    (name: unknown): Write =>
    () => ({ method: 'POST', path: '/resource_providers', body: { name, uuid: randomUUID() } }),
  allocated:
    ({ amount, generation, project, user, type }: Readonly<Record<keyof typeof CONSUMER, unknown>>): Write =>
    ({ provider, consumer }) => ({
      ...{ method: 'PUT', path: `/allocations/${consumer}` },
      body: {
        allocations: { [provider]: { resources: { VCPU: amount } } },
        ...{ consumer_generation: generation, project_id: project, user_id: user, consumer_type: type },
      },
    }),
  traits:
    (generation: unknown): Write =>
    ({ provider }) => ({
      ...{ method: 'PUT', path: `/resource_providers/${provider}/traits` },
      body: { resource_provider_generation: generation, traits: [] },
    }),
}
/** Each with one value at an edge and the rest valid. */
const WRITE = fc.oneof(
  inventories.map(writes.inventories),
  inventories.map(writes.inventory),
  inventories.map(writes.added),
  inventories.map(writes.reshaped),
  edge.map(writes.renamed),
  edge.map(writes.made),
  fc
    .record({ value: edge, key: fc.constantFrom('amount', 'generation', 'project', 'user', 'type') })
    .map(({ value, key }) => writes.allocated({ ...CONSUMER, [key]: value })),
  edge.map(writes.traits),
)
/** Without edge values all are accepted, so each refusal above is due to its edge value. */
const RIGHT = [
  ...[writes.inventories, writes.inventory, writes.added, writes.reshaped].map((of) => of({ VCPU: { total: 8 } })),
  ...[writes.renamed('renamed'), writes.made('made'), writes.allocated(CONSUMER), writes.traits(1)],
]

test('a value at the edge of its type is accepted or refused, but never causes an error', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(WRITE, async (write) => {
      const made = { provider: randomUUID(), consumer: randomUUID() }
      await call('POST', '/resource_providers', { name: made.provider, uuid: made.provider })
      const inventory = { resource_provider_generation: 0, inventories: { VCPU: { total: 8 } } }
      await call('PUT', `/resource_providers/${made.provider}/inventories`, inventory)
      const { method, path, body } = write(made)
      failures.length = 0
      const { status, text } = await call(method, path, body)
      if (status < 300) taken++
      expect({ status, text, failures }).toMatchObject({ status: expect.toSatisfy((s) => s < 500), failures: [] })
      // Accepted values can be read and searched.
      expect((await call('GET', `/resource_providers/${made.provider}/inventories`)).status).toBe(200)
      expect((await call('GET', '/allocation_candidates?resources=VCPU:1&limit=3')).status).toBe(200)
    }),
    { numRuns: Number(process.env.BERTH_RUNS || 80), examples: RIGHT.map((write): [Write] => [write]) },
  )
  expect(taken).toBeGreaterThanOrEqual(RIGHT.length)
})
