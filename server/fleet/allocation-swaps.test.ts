import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import {
  CONSUMERS,
  INTENT_NUMBERS,
  intentOf,
  NaiveLedger,
  PROVIDERS,
  type Step,
  uuidOf,
  writeOf,
} from '../engine/testing/swaps'
import { connectDatabase } from '../store/database/database'
import { writeAllocations } from '../store/placement/allocation-locked'
import { writeInventories } from '../store/placement/inventory'
import { createProvider, readProvider } from '../store/placement/provider'
import { type AllocationQueue, makeAllocationQueue } from './allocation-queue'
import { ProviderForest } from './candidates-forest'

// Two servers on one database: each write goes through one of them, whose memory does not know the other's writes.

const OWNER = { kind: 'token', id: 't-1', name: 'nova' } as const
const WRITER = { who: 'nova', request: 'r', owner: OWNER }
const STOCK = { resourceClass: 'VCPU', total: 1000, reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, ratio: 1 }

const database = onFreshDatabase(connectDatabase)
let servers: readonly [AllocationQueue, AllocationQueue]

beforeAll(async () => {
  const forest = () => new ProviderForest(database)
  servers = [makeAllocationQueue(database, forest()), makeAllocationQueue(database, forest())]
  for (let nth = 0; nth < PROVIDERS; nth++) {
    const provider = uuidOf('a', nth)
    await createProvider(database, { provider, name: provider, parent: null }, WRITER)
    await writeInventories(database, { provider, generation: 0, how: 'set', inventories: [STOCK] }, WRITER)
  }
})

async function ask(server: AllocationQueue, step: Step, model: NaiveLedger) {
  const consumers = step.parts.map((part) => writeOf(part, model.generationOf(part.id)))
  const [first] = consumers
  if (step.how === 'delete') return server.release(first?.id ?? '', WRITER)
  if (step.how !== 'reshape') return server.write(consumers, WRITER)
  const provider = first?.amounts[0]?.provider ?? ''
  const generation = (await readProvider(database, provider))?.generation ?? 0
  return writeAllocations(database, { consumers, shapes: [{ provider, generation, inventories: [STOCK] }] }, WRITER)
}

async function pairs(): Promise<readonly (readonly string[])[]> {
  const { rows } = await database.pool.query<{ id: string; swapped_from: string }>(
    'select id, swapped_from from consumer where swapped_from is not null and swapped_at <= now() order by id',
  )
  return rows.map(({ id, swapped_from }) => [id, swapped_from])
}

async function runsAsAccounted(wanted: Parameters<NaiveLedger['stepOf']>[0][], lanes: readonly boolean[]) {
  const model = new NaiveLedger()
  for (const [nth, intent] of wanted.entries()) {
    const step = model.stepOf(intent)
    if (!step) continue
    expect(await ask(servers[lanes[nth % lanes.length] ? 1 : 0], step, model)).toMatchObject({ ok: true })
    model.follow(step)
    const expected = [...model.pairs].sort(([a], [b]) => a - b).map((pair) => pair.map((each) => uuidOf('c', each)))
    expect(await pairs()).toEqual(expected)
  }
  for (let nth = 0; nth < CONSUMERS; nth++) await servers[0].release(uuidOf('c', nth), WRITER)
  expect(await pairs()).toEqual([])
}

const die = fc.nat({ max: 999 })
const steps = fc.array(fc.array(die, { minLength: INTENT_NUMBERS, maxLength: INTENT_NUMBERS, size: 'max' }), {
  minLength: 4,
  maxLength: 14,
  size: 'max',
})

test('the recorded swaps equal those of a naive model of all requests', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }), async (numbers, lanes) =>
      runsAsAccounted(numbers.map(intentOf), lanes),
    ),
    { numRuns: Number(process.env.BERTH_RUNS || 15) },
  )
})

test('a swap asserts its giver: a recreated consumer no longer matches the decision', async () => {
  const [here, there] = servers
  const [instance, migration] = [uuidOf('c', 0), uuidOf('c', 1)]
  const part = (id: number, amounts: Record<string, number>) => ({ id, amounts, project: 'p', type: null })
  const holds = (id: number, generation: number | null = null) => writeOf(part(id, { 0: 2 }), generation)
  const nothing = (id: number, generation: number) => writeOf(part(id, {}), generation)
  await here.write([holds(1)], WRITER)
  // The other server ends it, and makes one by a swap that has the same generation and amounts.
  await there.release(migration, WRITER)
  await there.write([holds(0)], WRITER)
  await there.write([nothing(0, 1), holds(1)], WRITER)
  expect(await pairs()).toEqual([[migration, instance]])
  // What looks like a swap in this server's memory is a release.
  expect(await here.write([nothing(1, 1), holds(0)], WRITER)).toMatchObject({ ok: true })
  expect(await pairs()).toEqual([])
  await here.release(instance, WRITER)
})
