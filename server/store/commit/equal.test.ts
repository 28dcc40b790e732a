import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change } from '../../engine/change'
import type { Host } from '../../engine/host'
import { apply } from '../../engine/ledger/apply'
import { type Ledger, ledgerOf } from '../../engine/ledger/ledger'
import { CHANGE_ACTS, type ChangeChoice, RandomChanges } from '../../engine/testing/changes'
import { smallHost } from '../../engine/testing/hosts'
import { readSnapshot } from '../audit/records'
import { connectDatabase, type Database } from '../database/database'
import { ON_SHARED_DISK, putHost } from '../testing/records'
import { isSingleMigrationChange } from './batch-row'
import { type CommitResult, commitInOneStatement, commitOn } from './commit'

// PostgreSQL and the engine agree on every change: whether it commits, which generations it raises, and every row
// afterwards. BERTH_LEDGER_CHANGES sets the number of random changes, BERTH_LEDGER_SEED the seed.

const PER_RUN = 40
const CHANGES = Number(process.env.BERTH_LEDGER_CHANGES ?? 1600)
const SEED = Number(process.env.BERTH_LEDGER_SEED ?? 2)
const LIMIT_MS = 60_000 + CHANGES * 40

const database = onFreshDatabase(connectDatabase)
beforeAll(async () => {
  const shape = { cells: 2, cores: 4, vfs: 2, hugePages: 512, shared: 4 }
  for (const host of [
    smallHost({ n: 1, ...shape, diskGib: 100 }),
    smallHost({ n: 2, ...shape, layout: 'nested', diskGib: 100 }),
    smallHost({ n: 3, ...shape, ...ON_SHARED_DISK }),
    smallHost({ n: 4, ...shape, ...ON_SHARED_DISK, layout: 'nested' }),
  ]) {
    await putHost(database, host)
  }
})

const choice: fc.Arbitrary<ChangeChoice> = fc.record({
  act: fc.constantFrom(
    ...(['build', 'build', 'build', 'accept', 'accept', 'claim', 'claim'] as const),
    ...CHANGE_ACTS(),
  ),
  one: fc.nat(9999),
  other: fc.nat(9999),
  spoil: fc.constantFrom('no', 'no', 'no', 'no', 'no', 'guard', 'stale'),
})

/** Maximum changes written together; 0: each is sent alone. */
const WAYS = { alone: 0, 'in batches of one': 1, 'in batches': 6 }

test.each(Object.entries(WAYS))(
  'PostgreSQL and the engine give the same result and rows for every change, %s',
  async (_, most) => {
    for (const label of [committed, refused, sizes]) label.clear()
    await fc.assert(
      fc.asyncProperty(fc.array(choice, { minLength: PER_RUN, maxLength: PER_RUN }), (all) =>
        onRecords((client) => agree(client, all, most)),
      ),
      { numRuns: Math.ceil(CHANGES / PER_RUN), seed: SEED },
    )
    expect([...committed].sort()).toEqual([...CHANGE_ACTS()].sort())
    expect([...refused].sort()).toEqual([
      'active-migration',
      'fence',
      'instance',
      'law',
      'limit',
      'migration',
      'provider',
      'row',
    ])
    expect(Math.max(0, ...sizes)).toBeGreaterThanOrEqual(Math.min(most, 2))
  },
  LIMIT_MS,
)

/** Counts committed changes, conflicts and batch sizes, so that the test cannot pass without doing anything. */
const committed = new Set<string>()
const refused = new Set<string>()
const sizes = new Set<number>()

interface SentChange {
  readonly change: Change
  readonly inEngine: ReturnType<typeof apply>
  readonly of: ChangeChoice
}

async function agree(client: pg.PoolClient, all: readonly ChangeChoice[], most: number): Promise<void> {
  const changes = new RandomChanges()
  const tables = { pool: client } as unknown as Database
  let ledger: Ledger = ledgerOf(await readSnapshot(tables))
  let gathered: SentChange[] = []
  const flush = async () => {
    await commitsTogether(client, gathered)
    gathered = []
  }
  for (const each of all) {
    const change = changes.next(ledger, each)
    if (change === null) continue
    const instance = change.guards.instance?.id
    const fits = gathered.length < most && gathered.every(({ change: { guards } }) => guards.instance?.id !== instance)
    if (!fits || !isSingleMigrationChange(change)) await flush()
    const inEngine = apply(ledger, change)
    if (inEngine.ok) ledger = inEngine.ledger
    const sent = { change, inEngine, of: each }
    if (most > 0 && isSingleMigrationChange(change)) gathered.push(sent)
    else isSame(sent, await commitOn(client, change))
  }
  await flush()
  const read = await readSnapshot(tables)
  expect([...ledger.hosts.values()].map(sorted)).toEqual(read.hosts.map(sorted))
  expect(byId([...ledger.instances.values()])).toEqual(byId(read.instances))
  expect(byId([...ledger.migrations.values()])).toEqual(byId(read.migrations))
  const remains = [...ledger.leftovers].flatMap(([host, all]) => all.map((each) => ({ host, ...each })))
  expect(lines(remains)).toEqual(lines(await leftovers(client)))
}

/** `late`: later changes of its batch were written before it, so a conflict on a provider is also accepted. */
function isSame({ change, inEngine, of }: SentChange, inTables: CommitResult, late = false): void {
  const label = JSON.stringify({ of, writes: change.writes.map((write) => write.do), guards: change.guards })
  if (inTables.ok && inEngine.ok) {
    expect(inEngine.raised, label).toEqual(inTables.raised)
    if (of.spoil === 'no') committed.add(of.act)
    return
  }
  const conflicts = [inEngine, inTables].map((answer) => (answer.ok ? 'committed' : answer.conflict.on))
  const expected = late && conflicts[1] === 'provider' && !inEngine.ok ? conflicts[0] : conflicts[1]
  expect(conflicts[0], `${label} ${JSON.stringify([inTables, inEngine.ok || inEngine.conflict])}`).toBe(expected)
  refused.add(conflicts[1] as string)
}

/**
 * Sends changes as the queue does: those that the batch did not write are retried alone, and all of them when a
 * constraint fails.
 */
async function commitsTogether(client: pg.PoolClient, batch: readonly SentChange[]): Promise<void> {
  if (batch.length === 0) return
  const answers = await inBatch(client, batch)
  if (answers !== null) sizes.add(batch.length)
  for (const [n, sent] of batch.entries()) {
    const answer = answers?.[n] ?? null
    if (answers !== null) expect(answer !== null).toBe(sent.inEngine.ok)
    isSame(sent, answer ?? (await commitOn(client, sent.change)), answers !== null && n < batch.length - 1)
  }
}

async function inBatch(client: pg.PoolClient, batch: readonly SentChange[]): Promise<(CommitResult | null)[] | null> {
  await client.query('savepoint batch')
  try {
    return await commitInOneStatement(
      client,
      batch.map(({ change }) => change),
    )
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !/^(BC001|23)/.test(error.code ?? '')) throw error
    await client.query('rollback to savepoint batch')
    return null
  }
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

/** Amounts, units and holdings are unordered. */
const sorted = (host: Host) => ({
  ...host,
  leftovers: [...host.leftovers].sort(),
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

/** Rolls back after each run, so that every run starts from the same records. */
async function onRecords(run: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await run(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
