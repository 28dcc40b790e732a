import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { type ConsumerWrite, decideAllocations } from '../engine/ledger/allocations'
import { connectDatabase } from '../store/database/database'
import { readConsumer } from '../store/placement/allocation'
import { type AllocationRequest, applyUnlessRaced } from '../store/placement/allocation-write'
import { writeInventories } from '../store/placement/inventory'
import { createProvider } from '../store/placement/provider'
import { correctUsed } from '../store/placement/usage'
import { type AllocationQueue, makeAllocationQueue } from './allocation-queue'
import { FleetRecords } from './allocation-records'
import { ProviderForest } from './candidates-forest'

// Claims that arrive together are committed together; each gets the answer it would get alone.

const OWNER = { kind: 'token', id: 't-1', name: 'tester' } as const
const WRITER = { who: 'tester', request: 'set-up', owner: OWNER }

const database = onFreshDatabase(connectDatabase)
let queue: AllocationQueue
let request = 1

beforeAll(async () => {
  queue = makeAllocationQueue(database, new ProviderForest(database))
})

/** A separate provider with this much memory. */
async function provider(total: number): Promise<string> {
  const id = randomUUID()
  await createProvider(database, { provider: id, name: id, parent: null }, WRITER)
  const row = { resourceClass: 'MEMORY_MB', total, reserved: 0, minUnit: 1, maxUnit: 1_000, stepSize: 1, ratio: 1 }
  const made = await writeInventories(database, { provider: id, generation: 0, how: 'set', inventories: [row] }, WRITER)
  expect(made.ok).toBe(true)
  return id
}

const holding = (of: Readonly<Record<string, number>>, more: Partial<ConsumerWrite> = {}): ConsumerWrite => ({
  ...{ id: randomUUID(), generation: null, checked: true, project: 'p "1"', user: 'u\\v', type: null },
  amounts: Object.entries(of).map(([at, amount]) => ({ provider: at, resourceClass: 'MEMORY_MB', amount })),
  ...more,
})

const write = (...consumers: ConsumerWrite[]) => queue.write(consumers, { ...WRITER, request: `r${request++}` })

const held = async (id: string) =>
  (await readConsumer(database, id))?.held.map(({ provider: at, resources }) => [at, resources.MEMORY_MB]) ?? []

async function generationOf(id: string): Promise<number> {
  const { rows } = await database.pool.query('select generation from resource_provider where id = $1', [id])
  return Number(rows[0]?.generation)
}

async function usedOf(id: string): Promise<number> {
  const { rows } = await database.pool.query(
    'select coalesce(sum(amount), 0)::int as used from allocation where provider_id = $1',
    [id],
  )
  return rows[0]?.used
}

describe('simultaneous claims', () => {
  test('commit in one event, and each has an audit entry', async () => {
    const [one, other] = [await provider(100), await provider(100)].sort() as [string, string] // as an event names them
    const before = await database.pool.query('select coalesce(max(id), 0)::int as id from outbox')
    const claims = [holding({ [one]: 1 }), holding({ [one]: 2 }), holding({ [other]: 3 })]
    const answers = await Promise.all(claims.map((claim) => write(claim)))
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true])

    const { rows } = await database.pool.query('select data, raised from outbox where id > $1 order by id', [
      before.rows[0]?.id,
    ])
    expect(rows).toEqual([{ data: { providers: [one, other], again: false }, raised: { [one]: 3, [other]: 2 } }])
    const trail = await database.pool.query(
      "select request, data from audit_entry where action = 'placement.allocated' order by id",
    )
    expect(trail.rows).toEqual([
      { request: 'r1', data: { providers: [one] } },
      { request: 'r2', data: { providers: [one] } },
      { request: 'r3', data: { providers: [other] } },
    ])
    const kept = await readConsumer(database, claims[0]?.id ?? '')
    expect(kept).toMatchObject({ project: 'p "1"', user: 'u\\v', type: 'unknown', generation: 1 })
  })

  test('are refused one by one when there is no room for all', async () => {
    const small = await provider(10)
    const roomy = await provider(100)
    const claims = [4, 4, 4].map((amount) => holding({ [small]: amount }))
    const answers = await Promise.all([...claims, holding({ [roomy]: 50 })].map((claim) => write(claim)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
    expect(answers[3]?.ok).toBe(true)
    expect(answers.find(({ ok }) => !ok)).toMatchObject({ refused: { kind: 'full', provider: small } })
    expect(await usedOf(small)).toBe(8)
  })

  test('cannot use what others among them would release', async () => {
    const [one, other] = [await provider(10), await provider(10)]
    const [a, b] = [holding({ [one]: 10 }), holding({ [other]: 10 })]
    expect((await write(a, b)).ok).toBe(true)
    const crossed = await Promise.all([
      write({ ...a, generation: 1, amounts: b.amounts }),
      write({ ...b, generation: 1, amounts: a.amounts }),
    ])
    expect(crossed).toMatchObject([{ refused: { kind: 'full' } }, { refused: { kind: 'full' } }])
    expect(await held(a.id)).toEqual([[one, 10]])
  })

  test('are not refused because of one that is then refused itself', async () => {
    const at = await provider(10)
    const [large, small] = [holding({ [at]: 8 }), holding({ [at]: 4 })]
    // Another server takes 5 after the batch was decided and before it is written.
    let others = async () => {
      others = async () => {}
      expect((await write(holding({ [at]: 5 }))).ok).toBe(true)
    }
    const pool = new Proxy(database.pool, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name, target)
        return async (...asked: Parameters<typeof target.query>) => {
          if ((asked[0] as { name?: string }).name === 'apply-allocations') await others()
          return target.query(...asked)
        }
      },
    })
    const second = makeAllocationQueue({ ...database, pool }, new ProviderForest(database))
    const answers = await Promise.all([large, small].map((claim) => second.write([claim], WRITER)))
    expect(answers.map(({ ok }) => ok)).toEqual([false, true])
    expect(await usedOf(at)).toBe(9)
  })

  test('of one consumer are applied in order', async () => {
    const at = await provider(10)
    const claim = holding({ [at]: 1 })
    const [first, second] = await Promise.all([
      write(claim),
      write({ ...claim, amounts: holding({ [at]: 2 }).amounts }),
    ])
    expect(first).toEqual({ ok: true, value: null })
    expect(second).toMatchObject({ ok: false, refused: { kind: 'consumer-generation', found: 1 } })
    expect(await held(claim.id)).toEqual([[at, 1]])
  })

  test('never exceed the inventory, and each is applied completely or not at all', async () => {
    const places = [await provider(40), await provider(60), await provider(25)]
    const writes = Array.from({ length: 90 }, (_, n) =>
      holding({ [places[n % 3] as string]: 1 + (n % 4), [places[(n * 7 + 1) % 3] as string]: 1 + (n % 3) }),
    )
    const answers = await Promise.all(writes.map((each) => write(each)))
    for (const [at, total] of [40, 60, 25].entries()) {
      expect(await usedOf(places[at] as string)).toBeLessThanOrEqual(total)
    }
    for (const [at, { ok }] of answers.entries()) {
      const { id, amounts } = writes[at] as ConsumerWrite
      const wanted = amounts.map(({ provider: of, amount }) => [of, amount]).sort()
      expect((await held(id)).sort()).toEqual(ok ? wanted : [])
    }
    expect(answers.some(({ ok }) => ok) && answers.some(({ ok }) => !ok)).toBe(true)
  })
})

describe('a migration', () => {
  test('may use what its own consumers release, even on a full provider', async () => {
    const [source, target] = [await provider(10), await provider(10)]
    const instance = holding({ [source]: 10 })
    expect((await write(instance)).ok).toBe(true)
    const before = await generationOf(source)
    const migration = holding({ [source]: 10 })
    const moved = await write(migration, { ...instance, generation: 1, amounts: holding({ [target]: 10 }).amounts })
    expect(moved).toEqual({ ok: true, value: null })
    expect([await held(instance.id), await held(migration.id)]).toEqual([[[target, 10]], [[source, 10]]])
    expect(await generationOf(source)).toBe(before + 1)
  })

  test('raises the generation of the source as well as of the target', async () => {
    const [source, target] = [await provider(10), await provider(10)]
    const instance = holding({ [source]: 3 })
    await write(instance)
    const before = await generationOf(source)
    expect((await write({ ...instance, generation: 1, amounts: holding({ [target]: 3 }).amounts })).ok).toBe(true)
    expect(await generationOf(source)).toBe(before + 1)
    const { rows } = await database.pool.query('select raised, data from outbox order by id desc limit 1')
    expect(rows[0]?.raised).toEqual({ [source]: before + 1, [target]: await generationOf(target) })
    expect(rows[0]?.data.providers.toSorted()).toEqual([source, target].sort())
    const trail = await database.pool.query('select data from audit_entry order by id desc limit 1')
    expect(trail.rows[0]?.data.providers.toSorted()).toEqual([source, target].sort())
  })
})

test('texts of any characters are stored as they were sent', async () => {
  const at = await provider(100_000)
  const text = fc.oneof(fc.constantFrom('null', '', '{', '},', '"', '\\', '\n', 'a,b'), fc.string({ unit: 'grapheme' }))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), async (owners) => {
      const consumers = owners.map(([project, user]) => holding({ [at]: 1 }, { project, user }))
      await Promise.all(consumers.map((each) => write(each)))
      const stored = await Promise.all(consumers.map(({ id }) => readConsumer(database, id)))
      expect(stored.map((each) => [each?.project, each?.user])).toEqual(owners)
    }),
    { numRuns: 30 },
  )
})

test('a consumer that releases everything is written alone', async () => {
  const at = await provider(10)
  const claim = holding({ [at]: 5 })
  await write(claim)
  expect((await write({ ...claim, generation: 1, amounts: [] })).ok).toBe(true)
  expect(await usedOf(at)).toBe(0)
})

test('an unknown provider is refused by its id while other claims commit', async () => {
  const at = await provider(10)
  const nobody = randomUUID()
  const [refused, landed] = await Promise.all([write(holding({ [nobody]: 1 })), write(holding({ [at]: 1 }))])
  expect(refused).toMatchObject({ ok: false, refused: { kind: 'no-provider', provider: nobody } })
  expect(landed.ok).toBe(true)
})

describe('the used amount of an inventory', () => {
  const kept = async (id: string) => {
    const { rows } = await database.pool.query('select used::int from inventory where provider_id = $1', [id])
    return rows[0]?.used
  }

  test('is the sum of its allocations, even after direct SQL writes', async () => {
    const at = await provider(100)
    const mine = holding({ [at]: 7 })
    expect(await write(mine)).toMatchObject({ ok: true })
    await database.pool.query('update allocation set amount = 9 where consumer_id = $1', [mine.id])
    expect(await kept(at)).toBe(9)
    await database.pool.query('delete from allocation where consumer_id = $1', [mine.id])
    expect(await kept(at)).toBe(0)
  })

  test('is recounted and reported when it was edited outside Berth', async () => {
    const at = await provider(100)
    await write(holding({ [at]: 7 }))
    await database.pool.query('update inventory set used = 50 where provider_id = $1', [at])
    expect(await correctUsed(database)).toEqual([
      { provider: at, name: at, host: null, class: 'MEMORY_MB', used: 50, held: 7 },
    ])
    expect(await kept(at)).toBe(7)
    expect(await correctUsed(database)).toEqual([])
  })

  test('may exceed capacity where a class ends no higher than before', async () => {
    const at = await provider(10)
    const [mine, other] = [holding({ [at]: 8 }), holding({ [at]: 1 })]
    await write(mine)
    await database.pool.query('update inventory set total = 5 where provider_id = $1', [at])
    await database.pool.query('update resource_provider set generation = generation + 1 where id = $1', [at])
    expect(await write(other)).toMatchObject({ ok: false, refused: { kind: 'full' } })
    expect(await write({ ...mine, generation: 1 })).toMatchObject({ ok: true })
    const less = { ...mine, generation: 2, amounts: [{ provider: at, resourceClass: 'MEMORY_MB', amount: 1 }] }
    expect(
      await write({ ...other, amounts: [{ provider: at, resourceClass: 'MEMORY_MB', amount: 7 }] }, less),
    ).toMatchObject({
      ok: true,
    })
  })
})

test('a consumer that another server recreated is not released twice', async () => {
  const [here, there] = [await provider(10), await provider(10)]
  const mine = holding({ [here]: 2 })
  await write(mine)
  const server = makeAllocationQueue(database, new ProviderForest(database))
  expect(await server.release(mine.id, WRITER)).toMatchObject({ ok: true })
  expect(await server.write([{ ...mine, ...holding({ [there]: 2 }), id: mine.id }], WRITER)).toMatchObject({ ok: true })
  expect(await write({ ...mine, generation: 1 })).toMatchObject({ ok: true })
  const { rows } = await database.pool.query(
    `select i.used::int as used, coalesce((select sum(amount) from allocation a where a.provider_id = i.provider_id), 0)::int as held
     from inventory i where i.provider_id = any($1::uuid[])`,
    [[here, there]],
  )
  for (const { used, held: sum } of rows) expect(used).toBe(sum)
  expect(await held(mine.id)).toEqual([[here, 2]])
})

describe('memory after a write of this server', () => {
  const cases = (['allocated', 'released'] as const).flatMap((kind) =>
    [true, false].map((read) => [kind, read] as const),
  )

  test.each(cases)('after %s, with the tree read in between: %s, releases nothing twice', async (kind, read) => {
    const at = await provider(100)
    const [kept, given] = [holding({ [at]: 30 }), holding({ [at]: 20 })]
    await write(kept, given)
    const forest = new ProviderForest(database)
    const records = new FleetRecords(database, forest)
    const used = () => forest.provider(at)?.stocks.get('MEMORY_MB')?.used
    const claim: AllocationRequest = { kind, consumers: [{ ...given, checked: false, amounts: [] }], writer: WRITER }
    await records.caughtUp([claim])
    const { change } = decideAllocations(records, [claim])
    const raised = await applyUnlessRaced(database, change)
    if (read) await forest.caughtUp()
    records.followed(change, raised ?? {})
    expect(used()).toBeGreaterThanOrEqual(30)
    await forest.caughtUp()
    expect(used()).toBe(30)
  })
})
