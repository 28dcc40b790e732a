import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import type { ConsumerWrite } from '../engine/ledger/allocations'
import type { Line } from '../engine/rows'
import { providerId, smallHost } from '../engine/testing/hosts'
import { demandFor, pinned, planOn } from '../engine/testing/instances'
import type { HostId, InstanceId, MigrationId, ProviderId } from '../engine/words/ids'
import { commit, commitMany } from '../store/commit/commit'
import { connectDatabase } from '../store/database/database'
import { putHosts } from '../store/host/write'
import { readInstanceView } from '../store/migration/view'
import { setProviderAggregates } from '../store/placement/aggregate'
import { readConsumer } from '../store/placement/allocation'
import { writeAllocations } from '../store/placement/allocation-locked'
import { type InventoryRow, readProviderInventories, writeInventories } from '../store/placement/inventory'
import { createProvider } from '../store/placement/provider'
import { setProviderTraits } from '../store/placement/trait'
import {
  ACTOR,
  AT,
  build,
  buildOf,
  changeOf,
  migrationOf,
  present,
  putHost,
  specOf,
  takeFor,
} from '../store/testing/records'
import { makeAllocationQueue } from './allocation-queue'
import { ProviderForest } from './candidates-forest'

// After any write, a provider whose inventories, allocations, traits or aggregates changed has a higher generation, and
// a writer with the old state is refused. Outside the trees of hosts two writes are exempt, because Placement's clients
// count its steps: DELETE /allocations, and aggregates below 1.19.

const RUNS = Number(process.env.BERTH_GENERATION_RUNS ?? 3)
const OWNER = { kind: 'token', id: 'nova', name: 'nova' } as const
const WRITER = { who: 'token nova', request: 'req-nova', owner: OWNER }
const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB']

const database = onFreshDatabase(connectDatabase)
let queue: ReturnType<typeof makeAllocationQueue>
const trees: string[] = []
const hosts: HostId[] = []

beforeAll(async () => {
  queue = makeAllocationQueue(database, new ProviderForest(database))
  for (const n of [1, 2, 3]) {
    const layout = n === 3 ? 'flat' : 'nested'
    hosts.push(
      (await putHost(database, smallHost({ n, layout, cells: 2, cores: 64, memoryMib: 262_144, diskGib: 9000 }))).id,
    )
  }
  await database.pool.query(`insert into trait (name) values ('CUSTOM_A'), ('CUSTOM_B') on conflict do nothing`)
  for (const parent of [false, true, false]) {
    const provider = randomUUID()
    await createProvider(database, { provider, name: provider, parent: parent ? (trees[0] ?? null) : null }, WRITER)
    await writeInventories(database, { provider, generation: 0, how: 'set', inventories: CLASSES.map(stock) }, WRITER)
    trees.push(provider)
  }
})

const stock = (resourceClass: string, n = 0): InventoryRow => ({
  ...{ resourceClass, total: 1000 + n, reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, ratio: 1 },
})

/** A write: its kind, and numbers that select its subjects. */
const choice = fc.record({ kind: fc.nat(99), a: fc.nat(999), b: fc.nat(999), n: fc.integer({ min: 1, max: 4 }) })
type Choice = typeof choice extends fc.Arbitrary<infer T> ? T : never

const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T
const berths: InstanceId[] = []
const moves: { readonly instance: InstanceId; readonly migration: MigrationId }[] = []
const consumers = Array.from({ length: 6 }, () => randomUUID())
/** Children of the nested hosts, and the trees of the client: a client's volume may lie on any of them. */
const places = () => [...trees, ...trees, providerId(100), providerId(101), providerId(200), ...hosts]

const held = async (id: string, amounts: ConsumerWrite['amounts']): Promise<ConsumerWrite> => {
  const known = await readConsumer(database, id)
  return { id, generation: known?.generation ?? null, checked: true, project: 'p', user: 'u', type: 'VOLUME', amounts }
}
const amount = (at: string, n: number) => ({
  provider: at,
  resourceClass: trees.includes(at) ? 'VCPU' : 'MEMORY_MB',
  amount: n,
})

const ACTS: Readonly<Record<string, (choice: Choice) => Promise<unknown>>> = {
  build: async ({ a }) => {
    const host = pick(hosts, a)
    berths.push(await build(database, host, { flavor: pinned(2), name: randomUUID() }))
  },
  buildTogether: async ({ a, b }) => {
    const changes = await Promise.all(
      [...new Set([pick(hosts, a), pick(hosts, b)])].map(async (id) =>
        buildOf(await present(database, id), { name: randomUUID() }),
      ),
    )
    await commitMany(database, changes)
    berths.push(...changes.map(({ instance }) => instance))
  },
  release: async ({ a }) => {
    const [consumer] = berths.splice(a % Math.max(1, berths.length), 1)
    if (consumer && !moves.some(({ instance }) => instance === consumer)) {
      await commit(
        database,
        changeOf([
          { do: 'release', consumer },
          { do: 'delete-instance', id: consumer },
        ]),
      )
    }
  },
  moveTo: async ({ a, b }) => {
    const id = berths.find(
      (each, at) => at >= a % Math.max(1, berths.length) && !moves.some(({ instance }) => instance === each),
    )
    const view = id && (await readInstanceView(database, id))
    if (!id || !view?.host) return
    const { migration, change } = migrationOf(view.instance, await present(database, view.host.id))
    await commit(database, change)
    const plan = planOn(await present(database, pick(hosts, b)), demandFor(pinned(2)))
    await commit(database, changeOf([takeFor(migration.id, id, plan)], { providers: plan.guards }))
    moves.push({ instance: id, migration: migration.id })
  },
  exchange: ({ a }) => withMove(a, (move) => commit(database, changeOf([{ do: 'exchange', ...move }]))),
  releaseSource: ({ a }) =>
    withMove(a, ({ migration }) => commit(database, changeOf([{ do: 'release', consumer: migration }]))),
  stateHost: ({ a }) =>
    commit(database, changeOf([{ do: 'set-host', id: pick(hosts, a), set: { reason: randomUUID() } }])),
  rowOfAllocation: async ({ a, n }) => {
    const { rows } = await database.pool.query(
      `select a.*, p.root_id from allocation a join consumer c on c.id = a.consumer_id join resource_provider p on p.id = a.provider_id
       where c.owner_kind = 'berth' order by a.consumer_id, a.provider_id, a.resource_class`,
    )
    if (rows.length === 0) return
    const row = pick(rows, a)
    const [before, after] = [{ amount: Number(row.amount) }, { amount: Number(row.amount) + n }]
    const key = { consumer: row.consumer_id, provider: row.provider_id, resourceClass: row.resource_class }
    const line: Line = { row: 'allocation', key, before, after, host: row.root_id, why: '' }
    await commit(database, changeOf([{ do: 'row', line }]))
  },
  rowOfInventory: async ({ a, n }) => {
    const provider = pick([providerId(100), providerId(101), providerId(200)], a)
    const now = (await readProviderInventories(database, provider))?.inventories.find(
      ({ resourceClass }) => resourceClass === 'MEMORY_MB',
    )
    if (!now) return
    const { resourceClass, ratio, ...rest } = now
    const before = { ...rest, allocationRatioMilli: ratio * 1000 }
    const line: Line = {
      row: 'inventory',
      key: { provider, resourceClass },
      before,
      after: { ...before, total: before.total + n },
      host: hosts[0] as HostId,
      why: '',
    }
    await commit(database, changeOf([{ do: 'row', line }]))
  },
  importAgain: async ({ n }) => {
    const host = smallHost({ n: 4, layout: 'nested', cells: 1 + (n % 2), memoryMib: 8192 + n })
    await putHosts(database, [specOf(host)], { actor: ACTOR, at: AT })
  },
  put: async ({ a, b, n }) => queue.write([await held(pick(consumers, a), [amount(pick(places(), b), n)])], WRITER),
  putTwo: async ({ a, b, n }) =>
    Promise.all([
      queue.write([await held(pick(consumers, a), [amount(pick(trees, b), n), amount(pick(trees, b + 1), n)])], WRITER),
      queue.write([await held(pick(consumers, a + 1), [amount(pick(trees, b), n)])], WRITER),
    ]),
  post: async ({ a, b, n }) => {
    const [giver, taker] = [
      await held(pick(consumers, a), []),
      await held(pick(consumers, a + 1), [amount(pick(places(), b), n)]),
    ]
    await queue.write([giver, taker], WRITER)
  },
  putOnHost: async ({ b, n }) => queue.write([await held(INSTANCE, [amount(pick(CHILDREN, b), n)])], WRITER),
  giveBackOnHost: () => queue.release(INSTANCE, WRITER),
  aggregatesUnguarded: ({ a, n }) => {
    const aggregates = n % 2 ? [AGGREGATE] : []
    return setProviderAggregates(database, { provider: pick(CHILDREN, a), generation: null, aggregates }, WRITER)
  },
  inventories: async ({ a, b, n }) => {
    const provider = pick(trees, a)
    const now = await readProviderInventories(database, provider)
    const how = pick(['set', 'update', 'add', 'drop'] as const, b)
    const some = how === 'add' ? ['CUSTOM_NEW'] : CLASSES.slice(0, 1 + (b % 3))
    const write = {
      provider,
      generation: now?.generation ?? 0,
      how,
      inventories: how === 'drop' ? [] : some.map((of) => stock(of, n)),
    }
    await writeInventories(database, { ...write, classes: how === 'drop' ? some : [] }, WRITER)
  },
  traits: ({ a, n }) =>
    setProviderTraits(
      database,
      { provider: pick(places(), a), generation: null, traits: ['CUSTOM_A', 'CUSTOM_B'].slice(n % 3) },
      WRITER,
    ),
  aggregates: async ({ a, n }) => {
    const provider = pick(places(), a)
    const generation = (await readProviderInventories(database, provider))?.generation ?? 0
    await setProviderAggregates(database, { provider, generation, aggregates: n % 2 ? [AGGREGATE] : [] }, WRITER)
  },
  reshape: async ({ a, n }) => {
    const provider = trees[0] as string
    const now = await readProviderInventories(database, provider)
    const to = await held(pick(consumers, a), [amount(provider, n)])
    const shapes = [{ provider, generation: now?.generation ?? 0, inventories: CLASSES.map((of) => stock(of, n)) }]
    await writeAllocations(database, { consumers: [to], shapes }, WRITER)
  },
}
const AGGREGATE = randomUUID()
const INSTANCE = randomUUID()
const CHILDREN = [providerId(100), providerId(101), providerId(200)]
const NAMES = Object.keys(ACTS)

async function withMove(n: number, act: (move: (typeof moves)[number]) => Promise<unknown>): Promise<void> {
  if (moves.length === 0) return
  const move = pick(moves, n)
  await direct(move)
  await act(move)
}

/** Sets the migration and its instance to match their claims, or the exchange or release would be refused. */
async function direct({ instance, migration }: (typeof moves)[number]): Promise<void> {
  const ids = [instance, migration]
  await database.pool.query(
    `update migration m set
        target = coalesce((select host_id from claim where consumer_id in ($1, $2) and host_id <> m.source limit 1), m.source),
        direction = case when m.source = k.host_id then 'target' else 'source' end,
        home = case when m.source = k.host_id then 'source' else 'target' end
      from claim k where k.consumer_id = $1 and m.id = $2`,
    ids,
  )
  await database.pool.query(
    'update instance i set host_id = k.host_id from claim k where k.consumer_id = $1 and i.id = $1',
    [instance],
  )
}

interface ProviderSnapshot {
  readonly generation: number
  readonly rows: string
}

/** For each provider its generation, and all that clients read of it. */
async function everything(): Promise<ReadonlyMap<string, ProviderSnapshot>> {
  const { rows } = await database.pool.query<ProviderSnapshot & { id: string }>(`
    select p.id, p.generation::float8 as generation, jsonb_build_array(
      (select jsonb_agg(to_jsonb(i) order by i.resource_class) from inventory i where i.provider_id = p.id),
      (select jsonb_agg(to_jsonb(a) - 'since' order by a.consumer_id, a.resource_class) from allocation a where a.provider_id = p.id),
      (select jsonb_agg(t.trait order by t.trait) from provider_trait t where t.provider_id = p.id),
      (select jsonb_agg(g.aggregate_id order by g.aggregate_id) from provider_aggregate g where g.provider_id = p.id)
    )::text as rows from resource_provider p`)
  return new Map(rows.map(({ id, ...seen }) => [id, seen]))
}

const written = new Set<string>()

async function follow(act: string, choice: Choice): Promise<void> {
  const before = await everything()
  const from = await lastEvent()
  await ACTS[act]?.(choice)
  const after = await everything()
  const raised = await raisedSince(from)
  for (const [id, { generation, rows }] of before) {
    const now = after.get(id)
    if (now === undefined) continue
    if (now.rows !== rows) {
      written.add(act)
      expect(now.generation, `${act} changed rows of ${id}`).toBeGreaterThan(generation)
      const { inventories = [] } = (await readProviderInventories(database, id)) ?? {}
      const stale = await writeInventories(database, { provider: id, generation, how: 'set', inventories }, WRITER)
      expect(stale, `a stale write after ${act}`).toMatchObject({ ok: false, refused: { kind: 'generation' } })
    }
    if (now.generation !== generation) expect(raised.get(id), `the event of ${act} tells of ${id}`).toBe(now.generation)
  }
}

const lastEvent = async (): Promise<string> =>
  (await database.pool.query('select coalesce(max(id), 0) as id from outbox')).rows[0].id

async function raisedSince(id: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.pool.query('select raised from outbox where id > $1 order by id', [id])
  return new Map(rows.flatMap(({ raised }) => Object.entries(raised as Record<string, number>)))
}

test('every change to the rows of a provider raises its generation, and a stale write is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(choice, { minLength: 30, maxLength: 30 }), async (all) => {
      for (const each of all) await follow(pick(NAMES, each.kind), each)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  // Each kind of write once, so that all are tested.
  for (const [at, name] of NAMES.entries())
    for (const n of [1, 2, 3, 4]) await follow(name, { kind: at, a: at + n, b: at + 2 * n, n })
  const idle = NAMES.filter((name) => !written.has(name) && name !== 'stateHost')
  expect(idle).toEqual([])
})

test('a claim on a nested host makes earlier reads of its children stale', async () => {
  const [host] = hosts
  const child = providerId(100) as ProviderId
  const before = await readProviderInventories(database, child)
  const other = await readProviderInventories(database, providerId(101))
  await build(database, host as HostId, { flavor: pinned(2), name: randomUUID() })
  const stale = [
    [child, before],
    [providerId(101), other],
  ] as const
  const answers = []
  for (const [provider, read] of stale) {
    const { generation = 0, inventories = [] } = read ?? {}
    answers.push(await writeInventories(database, { provider, generation, how: 'set', inventories }, WRITER))
  }
  expect(answers.filter(({ ok }) => !ok)).toMatchObject([{ refused: { kind: 'generation' } }])
})
