import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../../boot/on-fresh-database'
import { connectDatabase } from '../../../store/database/database'
import { openTestPlacement, type TestPlacement } from '../../testing/placement'

// An inventory may shrink below its allocations. Placement 14.0 then still accepts a write that raises no class, or no
// instance could leave an over-committed host.

const database = onFreshDatabase(connectDatabase)
let api: TestPlacement

beforeAll(() => {
  api = openTestPlacement(database)
})

const ask = async (method: string, path: string, body: unknown) => (await api.ask(method, path, body)).status

const CLASSES = ['VCPU', 'MEMORY_MB'] as const
type Amounts = readonly [vcpu: number, memory: number]

const resourcesOf = (amounts: Amounts) =>
  Object.fromEntries(CLASSES.flatMap((each, at) => ((amounts[at] ?? 0) > 0 ? [[each, amounts[at]]] : [])))

const holding = (provider: string, amounts: Amounts, generation: number | null) => ({
  allocations:
    Object.keys(resourcesOf(amounts)).length === 0 ? {} : { [provider]: { resources: resourcesOf(amounts) } },
  ...{ project_id: 'p', user_id: 'u', consumer_generation: generation, consumer_type: 'INSTANCE' },
})

async function stock(provider: string, generation: number, [vcpu, memory]: Amounts): Promise<void> {
  const inventories = { VCPU: { total: vcpu }, MEMORY_MB: { total: memory } }
  const body = { resource_provider_generation: generation, inventories }
  expect(await ask('PUT', `/resource_providers/${provider}/inventories`, body)).toBe(200)
}

const amounts: fc.Arbitrary<Amounts> = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
const held: fc.Arbitrary<Amounts> = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
const sums = (all: readonly Amounts[]): Amounts => [
  all.reduce((sum, [vcpu]) => sum + vcpu, 0),
  all.reduce((sum, [, memory]) => sum + memory, 0),
]

const shrunkProvider = fc.record({
  before: fc.array(held, { minLength: 2, maxLength: 4 }),
  capacity: fc.tuple(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 16 })) as fc.Arbitrary<Amounts>,
  /** The new allocations of the first consumers. */
  after: fc.array(amounts, { minLength: 1, maxLength: 2 }),
  /** Allocations of a new consumer in the same request, such as a migration that takes over. */
  joins: fc.option(amounts, { nil: null }),
})

test('a write succeeds when each named class ends within capacity or no higher than before', async () => {
  await fc.assert(
    fc.asyncProperty(shrunkProvider, async ({ before, capacity, after, joins }) => {
      const provider = randomUUID()
      await ask('POST', '/resource_providers', { name: provider, uuid: provider })
      await stock(provider, 0, [99, 99])
      const consumers = before.map(() => randomUUID())
      for (const [n, consumer] of consumers.entries()) {
        expect(await ask('PUT', `/allocations/${consumer}`, holding(provider, before[n] as Amounts, null))).toBe(204)
      }
      await stock(provider, before.length + 1, capacity)

      const changed = after.map((each, n) => [consumers[n] as string, holding(provider, each, 1)] as const)
      const joined = joins === null || sums([joins]).every((each) => each === 0) ? [] : [joins]
      const joining = joined.map((each) => [randomUUID(), holding(provider, each, null)] as const)
      const status = await ask('POST', '/allocations', Object.fromEntries([...changed, ...joining]))

      const asked = sums([...after, ...joined])
      const gave = sums(before.slice(0, after.length))
      const rest = sums(before.slice(after.length))
      const fits = [0, 1].every((at) => {
        const [want = 0, had = 0, others = 0, most = 0] = [asked[at], gave[at], rest[at], capacity[at]]
        return want === 0 || want + others <= most || want <= had
      })
      expect(status).toBe(fits ? 204 : 409)
    }),
    { numRuns: 60 },
  )
})
