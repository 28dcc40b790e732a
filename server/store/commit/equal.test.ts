import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import type { Change } from '../../engine/books'
import type { Host } from '../../engine/host'
import { apply } from '../../engine/ledger/apply'
import { type Ledger, ledgerOf } from '../../engine/ledger/ledger'
import type { Provider } from '../../engine/resources/inventory'
import { CHANGE_ACTS, type ChangeDice, RandomChanges } from '../../engine/testing/changes'
import { inventory, providerId, smallHost } from '../../engine/testing/hosts'
import { readSnapshot } from '../audit/records'
import type { Database } from '../database/database'
import { changeOf, openTestBooks, putHost, type TestBooks } from '../testing/books'
import { type CommitResult, commitMany, commitOn } from './commit'

// A change means the same to PostgreSQL and to the engine: whether it lands, what it raises, and every row afterwards.
// BERTH_LEDGER_CHANGES says how many random changes, BERTH_LEDGER_SEED which.

const PER_RUN = 40
const CHANGES = Number(process.env.BERTH_LEDGER_CHANGES ?? 1600)
const SEED = Number(process.env.BERTH_LEDGER_SEED ?? 2)
const LIMIT_MS = 60_000 + CHANGES * 40

const STORAGE: Provider = {
  ...{ id: providerId(901), name: 'nfs', parent: null, generation: 0, sharing: true },
  ...{ inventories: [inventory('DISK_GB', 500)], traits: ['MISC_SHARES_VIA_AGGREGATE'], aggregates: ['nfs-hosts'] },
}
const SHARED = { diskGib: 0, sharing: [STORAGE], aggregates: ['nfs-hosts'] }

let books: TestBooks
beforeAll(async () => {
  books = openTestBooks(await freshDatabase())
  const shape = { cells: 2, cores: 4, vfs: 2, hugePages: 512, shared: 4 }
  for (const host of [
    smallHost({ n: 1, ...shape, diskGib: 100 }),
    smallHost({ n: 2, ...shape, layout: 'nested', diskGib: 100 }),
    smallHost({ n: 3, ...shape, ...SHARED }),
    smallHost({ n: 4, ...shape, ...SHARED, layout: 'nested' }),
  ]) {
    await putHost(books.database, host)
  }
})
afterAll(() => books.drop())

const dice: fc.Arbitrary<ChangeDice> = fc.record({
  act: fc.constantFrom('build' as const, 'build' as const, 'accept' as const, 'claim' as const, ...CHANGE_ACTS()),
  one: fc.nat(9999),
  other: fc.nat(9999),
  spoil: fc.constantFrom('no', 'no', 'no', 'no', 'no', 'guard', 'stale'),
})

type Send = (client: pg.PoolClient, change: Change) => Promise<CommitResult>

/** What takes a migration on is written otherwise when it is not alone: here beside a change that writes nothing. */
const WAYS: Readonly<Record<string, Send>> = {
  alone: commitOn,
  'in a batch': async (client, change) => {
    await client.query('savepoint batch')
    try {
      const [answer] = await commitMany({ pool: client } as unknown as Database, [change, changeOf([])])
      return answer as CommitResult
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      await client.query('rollback to savepoint batch')
      return commitOn(client, change) // as the queue does
    }
  },
}

test.each(Object.entries(WAYS))(
  'PostgreSQL and the engine give every change the same answer and leave the same rows, %s',
  async (_, send) => {
    for (const said of [landed, refused]) said.clear()
    await fc.assert(
      fc.asyncProperty(fc.array(dice, { minLength: PER_RUN, maxLength: PER_RUN }), (all) =>
        onRecords((client) => agree(client, all, send)),
      ),
      { numRuns: Math.ceil(CHANGES / PER_RUN), seed: SEED },
    )
    expect([...landed].sort()).toEqual([...CHANGE_ACTS()].sort())
    expect([...refused].sort()).toEqual([
      'active-migration',
      'fence',
      'instance',
      'law',
      'migration',
      'provider',
      'row',
    ])
  },
  LIMIT_MS,
)

/** Acts that landed and reasons of conflicts, so that the test cannot pass by doing nothing. */
const landed = new Set<string>()
const refused = new Set<string>()

async function agree(client: pg.PoolClient, all: readonly ChangeDice[], send: Send): Promise<void> {
  const changes = new RandomChanges()
  const tables = { pool: client } as unknown as Database
  let ledger: Ledger = ledgerOf(await readSnapshot(tables))
  for (const each of all) {
    const change = changes.next(ledger, each)
    if (change === null) continue
    const inTables = await send(client, change)
    const inEngine = apply(ledger, change)
    const told = JSON.stringify({ each, writes: change.writes.map((write) => write.do), guards: change.guards })
    if (inTables.ok && inEngine.ok) {
      expect(inEngine.raised, told).toEqual(inTables.raised)
      ledger = inEngine.ledger
      if (each.spoil === 'no') landed.add(each.act)
    } else {
      const conflicts = [inEngine, inTables].map((answer) => (answer.ok ? 'landed' : answer.conflict.on))
      expect(conflicts[0], `${told} ${JSON.stringify([inTables, inEngine.ok || inEngine.conflict])}`).toBe(conflicts[1])
      refused.add(conflicts[1] as string)
    }
  }
  const read = await readSnapshot(tables)
  expect([...ledger.hosts.values()].map(sorted)).toEqual(read.hosts.map(sorted))
  expect(byId([...ledger.instances.values()])).toEqual(byId(read.instances))
  expect(byId([...ledger.migrations.values()])).toEqual(byId(read.migrations))
  const remains = [...ledger.remains].flatMap(([host, all]) => all.map((each) => ({ host, ...each })))
  expect(lines(remains)).toEqual(lines(await leftovers(client)))
}

async function leftovers(client: pg.PoolClient): Promise<readonly object[]> {
  const { rows } = await client.query(
    'select host_id as host, instance_id as instance, migration_id as migration, side from host_remain',
  )
  return rows
}

const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()

const byId = (rows: readonly { readonly id: string }[]) =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1)).map((row) => ({ powerRequest: null, power: null, ...row }))

/** Amounts, units and holdings have no order of their own. */
const sorted = (host: Host) => ({
  ...host,
  remains: [...host.remains].sort(),
  holdings: [...host.holdings]
    .sort((a, b) => (a.claim < b.claim ? -1 : 1))
    .map((holding) => ({
      ...holding,
      body: {
        cells: [...holding.body.cells].sort((a, b) => a.guestCell - b.guestCell),
        amounts: holding.body.amounts.map((each) => JSON.stringify(Object.entries(each).sort())).sort(),
        units: [...holding.body.units].sort((a, b) => (a.unit < b.unit ? -1 : 1)),
      },
    })),
})

/** On the same records each time: nothing that is written is kept. */
async function onRecords(run: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await books.database.pool.connect()
  try {
    await client.query('begin')
    await run(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
