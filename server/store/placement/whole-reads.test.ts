import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import { setProviderAggregates } from './aggregate'
import { type InventoryRow, writeInventories } from './inventory'
import { createProvider, deleteProvider, updateProvider } from './provider'
import type { Writer } from './refused'
import { setProviderTraits } from './trait'

// A write to one provider reads rows of that provider, however many the others have. PostgreSQL plans the statements of
// a function anew until it trusts one plan, and counts the rows that each sequential scan read.

/** One connection, whose counts are complete when it has reported them. */
const database = onFreshDatabase((set) => connectDatabase({ ...set, connections: 1 }))
const WRITER: Writer = { who: 'a test', request: 'req-1', owner: { kind: 'token', id: 'token-1', name: 'a test' } }
const ROWS = 5000
/** Enough for PostgreSQL to settle for one plan. */
const TIMES = 12

const stock = (total: number): InventoryRow => ({
  ...{ resourceClass: 'VCPU', total, reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, ratio: 1 },
})

async function created(): Promise<string> {
  const provider = randomUUID()
  await createProvider(database, { provider, name: provider, parent: null }, WRITER)
  return provider
}

beforeAll(async () => {
  const many = await created()
  await writeInventories(
    database,
    { provider: many, generation: 0, how: 'set', inventories: [stock(1_000_000)] },
    WRITER,
  )
  const { pool } = database
  await pool.query(`insert into trait (name) values ('CUSTOM_A')`)
  await pool.query(`insert into consumer (id, type, project, owner_kind)
    select gen_random_uuid(), 'INSTANCE', 'p', 'unknown' from generate_series(1, ${ROWS})`)
  await pool.query(`insert into allocation (consumer_id, provider_id, resource_class, amount)
    select id, '${many}', 'VCPU', 1 from consumer`)
  await pool.query('analyze')
})

const WRITES: Readonly<Record<string, (provider: string, n: number) => Promise<unknown>>> = {
  create: () => created(),
  'write inventories': (provider, n) =>
    writeInventories(database, { provider, generation: n, how: 'set', inventories: [stock(10 + n)] }, WRITER),
  'drop inventories': (provider, n) =>
    writeInventories(
      database,
      n % 2
        ? { provider, generation: n, how: 'drop', inventories: [], classes: ['VCPU'] }
        : { provider, generation: n, how: 'set', inventories: [stock(10)] },
      WRITER,
    ),
  'set traits': (provider, n) =>
    setProviderTraits(database, { provider, generation: null, traits: n % 2 ? ['CUSTOM_A'] : [] }, WRITER),
  'set aggregates': (provider, n) =>
    setProviderAggregates(database, { provider, generation: n, aggregates: n % 2 ? [randomUUID()] : [] }, WRITER),
  rename: (provider) =>
    updateProvider(database, { provider, name: randomUUID(), parent: null, keeps: true, reparents: true }, WRITER),
  delete: async () => deleteProvider(database, await created(), WRITER),
}

/** Rows of large tables that sequential scans have read so far. */
async function rowsScanned(): Promise<Readonly<Record<string, number>>> {
  await database.pool.query('select pg_stat_force_next_flush()')
  const { rows } = await database.pool.query<{ name: string; read: number }>(
    `select relname as name, seq_tup_read::float8 as read from pg_stat_user_tables
     where relname in ('allocation', 'consumer', 'inventory', 'claim', 'instance', 'migration')`,
  )
  return Object.fromEntries(rows.map(({ name, read }) => [name, read]))
}

test.each(Object.keys(WRITES))('%s of one provider scans no table that grows with the fleet', async (what) => {
  const provider = await created()
  const before = await rowsScanned()
  for (let n = 0; n < TIMES; n++) expect(await WRITES[what]!(provider, n)).not.toMatchObject({ ok: false })
  const after = await rowsScanned()
  const scanned = Object.entries(after).filter(([name, read]) => read - (before[name] ?? 0) >= ROWS)
  expect(scanned).toEqual([])
})
