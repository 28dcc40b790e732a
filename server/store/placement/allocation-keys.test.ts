import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase, openClient } from '../../boot/on-fresh-database'

// An allocation's foreign keys are enforced by triggers (prisma/functions/allocation.sql). PostgreSQL's own enforcement of
// the same keys, on copies of the three tables, is the model.

const database = onFreshDatabase(openClient)
let other: pg.Client
let model: pg.Client

const MODEL = `
  create schema model;
  set search_path = model;
  create table consumer (id uuid primary key, type text);
  create table inventory (provider_id uuid, resource_class text, total bigint, max_unit bigint,
    primary key (provider_id, resource_class));
  create table allocation (consumer_id uuid, provider_id uuid, resource_class text, amount bigint,
    primary key (consumer_id, provider_id, resource_class) deferrable,
    foreign key (consumer_id) references consumer on update cascade on delete restrict,
    foreign key (provider_id, resource_class) references inventory on update cascade on delete restrict)`

const idOf = (n: number, kind: string) => `${kind.repeat(8)}-0000-4000-8000-00000000000${n}`
const small = fc.nat({ max: 2 })
const consumer = small.map((n) => idOf(n, 'c'))
const provider = small.map((n) => idOf(n, 'a'))
const resourceClass = fc.constantFrom('VCPU', 'MEMORY_MB')

const ALL = [0, 1, 2].flatMap((n) => [
  `insert into consumer (id, type) values ('${idOf(n, 'c')}', 'INSTANCE')`,
  ...['VCPU', 'MEMORY_MB'].map((name) => {
    return `insert into inventory (provider_id, resource_class, total, max_unit) values ('${idOf(n, 'a')}', '${name}', 99, 99)`
  }),
])

/** What a database client writes. */
const statement: fc.Arbitrary<string> = fc.oneof(
  consumer.map((id) => `insert into consumer (id, type) values ('${id}', 'INSTANCE')`),
  fc.tuple(provider, resourceClass).map(([of, name]) => {
    return `insert into inventory (provider_id, resource_class, total, max_unit) values ('${of}', '${name}', 99, 99)`
  }),
  fc.tuple(consumer, provider, resourceClass).map(([id, of, name]) => {
    return `insert into allocation (consumer_id, provider_id, resource_class, amount) values ('${id}', '${of}', '${name}', 1)`
  }),
  consumer.map((id) => `delete from consumer where id = '${id}'`),
  fc.tuple(provider, resourceClass).map(([of, name]) => {
    return `delete from inventory where provider_id = '${of}' and resource_class = '${name}'`
  }),
  consumer.map((id) => `delete from allocation where consumer_id = '${id}'`),
  fc.tuple(consumer, consumer).map(([id, now]) => `update consumer set id = '${now}' where id = '${id}'`),
  fc.tuple(consumer, consumer).map(([id, now]) => {
    return `update allocation set consumer_id = '${now}' where consumer_id = '${id}'`
  }),
  fc.tuple(provider, provider).map(([of, now]) => {
    return `update inventory set provider_id = '${now}' where provider_id = '${of}'`
  }),
  fc.tuple(provider, resourceClass).map(([of, name]) => {
    return `update allocation set resource_class = '${name}' where provider_id = '${of}'`
  }),
  fc.tuple(provider, fc.nat({ max: 9 })).map(([of, total]) => {
    return `update inventory set total = ${total} where provider_id = '${of}'`
  }),
)

/** SQLSTATE of the refusal; PostgreSQL 18 has a separate one for `on delete restrict`. */
async function refusalOf(client: pg.Client, text: string): Promise<string | null> {
  return client.query(text).then(
    () => null,
    ({ code }: { code?: string }) => (code === '23001' ? '23503' : (code ?? 'none')),
  )
}

async function rowsOf(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(
    `select (select coalesce(jsonb_agg(id order by id), '[]') from consumer) as consumers,
      (select coalesce(jsonb_agg(k order by k), '[]') from inventory,
        jsonb_build_array(provider_id, resource_class) k) as inventories,
      (select coalesce(jsonb_agg(k order by k), '[]') from allocation,
        jsonb_build_array(consumer_id, provider_id, resource_class) k) as allocations`,
  )
  return rows[0]
}

/** Truncation still follows the declared keys. */
async function reset(client: pg.Client): Promise<void> {
  await client.query('truncate consumer, inventory cascade')
  expect(await rowsOf(client)).toMatchObject({ allocations: [] })
}

beforeAll(async () => {
  other = new pg.Client({ connectionString: database.url })
  model = new pg.Client({ connectionString: database.url })
  for (const client of [other, model]) await client.connect()
  await model.query(MODEL)
  const providers = [0, 1, 2].map((n) => `('${idOf(n, 'a')}', 'p${n}', '${idOf(n, 'a')}')`)
  await database.client.query(`insert into resource_provider (id, name, root_id) values ${providers.join(', ')}`)
})
afterAll(async () => {
  for (const client of [other, model]) await client.end()
})

describe('the keys of an allocation', () => {
  test('refuse and cascade what foreign keys of PostgreSQL would', async () => {
    let refused = 0
    const run = async (statements: readonly string[]) => {
      for (const client of [database.client, model]) await reset(client)
      for (const each of statements) {
        const expected = await refusalOf(model, each)
        const ours = await refusalOf(database.client, each)
        expect(ours, each).toBe(expected)
        if (expected === '23503') refused++
      }
      expect(await rowsOf(database.client)).toEqual(await rowsOf(model))
      const { rows } = await database.client.query(
        `select i.used, coalesce(sum(a.amount), 0)::bigint as held from inventory i
        left join allocation a using (provider_id, resource_class) group by i.provider_id, i.resource_class, i.used
        having i.used <> coalesce(sum(a.amount), 0)`,
      )
      expect(rows).toEqual([])
    }
    await fc.assert(fc.asyncProperty(fc.array(statement, { minLength: 10, maxLength: 40, size: 'max' }), run), {
      numRuns: 60,
    })
    expect(refused).toBeGreaterThan(50)
  }, 120_000)

  test('hold whatever two clients write at the same time', async () => {
    let waited = 0
    const run = async (before: readonly string[], first: string, second: string) => {
      await reset(database.client)
      for (const each of [...ALL, ...before]) await refusalOf(database.client, each)
      await database.client.query('begin')
      const early = await refusalOf(database.client, first)
      const late = refusalOf(other, second)
      const answered = await Promise.race([late.then(() => true), new Promise((done) => setTimeout(done, 25, false))])
      if (!answered) waited++
      await database.client.query(early === null ? 'commit' : 'rollback')
      await late
      const { rows } = await database.client.query(
        `select * from allocation a where not exists (select from consumer c where c.id = a.consumer_id)
          or not exists (select from inventory i where (i.provider_id, i.resource_class) = (a.provider_id, a.resource_class))`,
      )
      expect(rows, `${first}; ${second}`).toEqual([])
    }
    await fc.assert(fc.asyncProperty(fc.array(statement, { maxLength: 10, size: 'max' }), statement, statement, run), {
      numRuns: 400,
    })
    expect(waited).toBeGreaterThan(0)
  }, 120_000)
})
