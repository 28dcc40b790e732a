import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../../boot/migrate'
import { query } from '../../boot/postgres/cluster'
import { startTestServer } from '../../boot/test-database'
import { clockOf } from '../../conductor/clock'
import { readSnapshot } from '../../store/audit/records'
import { putAliases } from '../../store/catalog/policy'
import { connectDatabase, type Database } from '../../store/database/database'
import { createToken } from '../../store/placement/token'
import { openDatabaseClock } from '../../store/time/database-clock'
import { Chance } from '../chance'
import { DEMAND_OPTIONS } from '../hardware'
import type { LawViolation } from '../laws'
import { type ClientContext, type MutableHistory, runClient } from '../placement/clients'
import { counted, endAt, makeProviders } from '../placement/copies'
import { brokenLaws } from '../placement/laws'
import { makePostgresFixture, type PostgresFixture } from '../postgres/fixture'
import { holdsNow } from '../postgres/laws'
import { type AcceptedRequests, beginMigration, buildInstances, nothingAccepted } from '../postgres/migrations'
import { settle } from '../postgres/settle'
import { type BerthCopies, startCopies } from './berth-copies'
import { type DatabaseCluster, startDatabaseCluster } from './cluster'
import { FAULT_NAMES, FAULTS, type FaultName } from './faults'
import type { Programs } from './programs'
import { forgotten, type PastCounts, startReader } from './readers'

// Three copies of Berth on a PostgreSQL that fails over, under constant load from Placement API clients, migrations and
// event readers. Each round injects one fault and then checks that everything acknowledged is still there.

export interface FailoverOptions {
  readonly programs: Programs
  /** For the files of the cluster; removed at the end. */
  readonly folder: string
  readonly seed: number
  readonly minutes: number
  /** Only these faults, in turn. Empty: random faults. */
  readonly faults: readonly FaultName[]
  readonly clients: number
  /** Log level of the copies. */
  readonly log: string
  readonly progress: (round: RoundReport) => void
}

export interface RoundReport {
  readonly round: number
  readonly fault: FaultName
  readonly requests: number
  /** Writes to the Placement API by outcome; `lost`: no response. */
  readonly writes: Readonly<Record<string, number>>
  readonly reads: number
  readonly migrations: number
  /** Migration requests without a response. */
  readonly unanswered: number
  /** The longest time without an acknowledged write. */
  readonly standstillMs: number
  readonly broken: readonly LawViolation[]
}

export interface FailoverReport {
  readonly seed: number
  readonly rounds: readonly RoundReport[]
  readonly events: number
  /** Lists of events served by replica and primary since each copy was last started. */
  readonly lists: PastCounts
  readonly broken: readonly LawViolation[]
  readonly elapsedMs: number
}

const BEFORE_MS = 5_000
const AFTER_MS = 5_000
const HOSTS = 5
const INSTANCES = 12
const MIGRATIONS_AT_ONCE = 6
const COPIES = 3
const OUTSIDE = COPIES // the PgBouncer for everything but the copies

export async function runFailovers(options: FailoverOptions): Promise<FailoverReport> {
  const began = performance.now()
  const downs: (() => Promise<unknown>)[] = []
  try {
    const run = await prepare(options, downs)
    const rounds: RoundReport[] = []
    while (performance.now() - began < options.minutes * 60_000) {
      const report = await runRound(rounds.length, run)
      rounds.push(report)
      options.progress(report)
    }
    const { broken, events, lists } = await atRest(run)
    return { seed: options.seed, rounds, events, lists, broken, elapsedMs: performance.now() - began }
  } finally {
    for (const down of downs.reverse()) await down()
  }
}

interface FailoverRun {
  readonly options: FailoverOptions
  readonly cluster: DatabaseCluster
  readonly berths: BerthCopies
  readonly database: Database
  readonly fixture: PostgresFixture
  readonly chance: Chance
  readonly accepted: AcceptedRequests
  readonly readers: readonly ReturnType<typeof startReader>[]
  /** Copies that exited without being killed. */
  readonly failures: string[]
}

async function prepare(options: FailoverOptions, downs: (() => Promise<unknown>)[]): Promise<FailoverRun> {
  const cluster = await startDatabaseCluster(options.programs, options.folder)
  downs.push(cluster.stop)
  const databaseUrl = cluster.urlOf(OUTSIDE)
  await query(databaseUrl.replace(/berth$/, 'postgres'), 'create database berth')
  await migrate(databaseUrl)
  const machines = await startTestServer()
  downs.push(machines.stop)
  const { url: simulatorUrl } = await machines.freshDatabase()
  const failures: string[] = []
  // Each copy reads history from a different node; for one copy that is the primary.
  const orders = Array.from({ length: COPIES }, (_, n) => ({
    ...{ databaseUrl: cluster.urlOf(n), replicaUrl: cluster.urlAt(n), simulatorUrl },
  }))
  const database = connectDatabase({ url: databaseUrl })
  downs.push(database.close)
  await putAliases(database, DEMAND_OPTIONS.aliases ?? [])
  const simulator = connectDatabase({ url: simulatorUrl })
  downs.push(simulator.close)
  const clock = await openDatabaseClock(database, { onFailure: () => {}, onOffset: () => {} })
  downs.push(async () => clock.stop())
  const set = { time: clockOf(clock), simulatorSpeed: 40, hostCount: HOSTS, simulator }
  const fixture = await makePostgresFixture(databaseUrl, options.seed, set)
  downs.push(fixture.database.close)
  const berths = await startCopies(orders, { log: options.log, onFailure: (what) => failures.push(what) })
  downs.push(berths.stop)
  await buildInstances(fixture, INSTANCES)
  const token = await readersToken(database)
  const readers = orders.map((_, n) => startReader(() => berths.copies[n] ?? null, token))
  const chance = new Chance(options.seed)
  return { options, cluster, berths, database, fixture, chance, accepted: nothingAccepted(), readers, failures }
}

async function readersToken(database: Database): Promise<string> {
  const token = randomUUID()
  const actor = { who: 'simulation', request: null, reason: null }
  const made = { id: randomUUID(), name: 'reader', role: 'support', project: '', expiresAt: null } as const
  await createToken(database, { ...made, token, actor, at: Date.now() })
  return token
}

async function runRound(round: number, run: FailoverRun): Promise<RoundReport> {
  const { options, cluster, berths, database, fixture, chance, accepted, failures } = run
  const fault = options.faults[round % options.faults.length] ?? chance.pick(FAULT_NAMES) ?? 'primary killed'
  const [migrationsBefore, startMs] = [accepted.migrations.length, performance.now()]
  const work = await begin(round, run)
  await pause(BEFORE_MS)
  await FAULTS[fault]({ cluster, berths, chance })
  await cluster.untilWhole()
  await untilAnswered(database)
  await pause(AFTER_MS)
  const { record, providers, requests, unanswered } = await work.end()
  const urls = berths.copies.flatMap((copy) => (copy === null ? [] : [copy.placement]))
  const ends = await Promise.all(urls.map((url) => endAt(url, { providers, record })))
  const wrong = await holdsNow(fixture)
  return {
    ...{ round, fault, requests, unanswered, ...counted(record) },
    migrations: accepted.migrations.length - migrationsBefore,
    standstillMs: Math.round(standstill(record, { startMs, endMs: performance.now() })),
    broken: [
      ...brokenLaws({ ...record, capacity: providers.capacity, ends }),
      ...(wrong ? [wrong] : []),
      ...failures.splice(0).map((what) => ({ law: 'no copy exits by itself', what })),
    ],
  }
}

/** Starts clients and migrations, which run until `end`. */
async function begin(round: number, { options, berths, fixture, accepted }: FailoverRun) {
  const urls = () => berths.copies.flatMap((copy) => (copy === null ? [] : [copy.placement]))
  const providers = await makeProviders(urls()[0] ?? '', options.clients)
  const record: MutableHistory = { writes: [], reads: [], uses: [], guarded: [], candidates: [] }
  let [requests, unanswered, ended] = [0, 0, false]
  const serving = () => {
    requests += 1
    return urls()
  }
  const context = (client: number): ClientContext => ({
    ...providers,
    chance: new Chance(options.seed * 1_000_000 + round * 1_000 + client),
    record,
    copies: serving,
  })
  const clients = providers.alone.map((alone, client) => runClient(context(client), alone, () => !ended))
  const moving = (async () => {
    while (!ended) {
      try {
        if (!(await beginMigration(fixture, { most: MIGRATIONS_AT_ONCE, accepted }))) await pause(50)
      } catch {
        unanswered += 1
        await pause(200)
      }
    }
  })()
  return {
    end: async () => {
      ended = true
      await Promise.all([...clients, moving])
      return { record, providers, requests, unanswered }
    },
  }
}

const ANSWERS_WITHIN_MS = 60_000

/** Waits until a query succeeds: HAProxy and PgBouncer notice a new primary later than Patroni. */
async function untilAnswered({ pool }: Database): Promise<void> {
  const deadline = Date.now() + ANSWERS_WITHIN_MS
  for (;;) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(500)
    }
  }
}

function standstill(
  { writes, guarded }: MutableHistory,
  { startMs, endMs }: { startMs: number; endMs: number },
): number {
  const done = [...writes, ...guarded].flatMap((write) => (write.outcome === 'done' ? [write.endMs] : []))
  const moments = [startMs, ...done.sort((a, b) => a - b), endMs]
  return Math.max(...moments.map((at, n) => at - (moments[n - 1] ?? at)))
}

/** Checks that every accepted migration has ended as decided, and that every event seen is in the records. */
async function atRest({ fixture, accepted, database, readers }: FailoverRun) {
  const broken: LawViolation[] = []
  const unsettled = await settle(fixture)
  if (unsettled) broken.push(unsettled)
  const { migrations } = await readSnapshot(database)
  const outcomes = new Map(migrations.map(({ id, outcome }) => [id, outcome]))
  for (const id of accepted.migrations) {
    if (!outcomes.has(id))
      broken.push({ law: 'every accepted migration is recorded', what: `migration ${id} is missing` })
  }
  for (const [id, decision] of accepted.decisions) {
    const expected = decision === 'confirm' ? 'completed' : 'reverted'
    const outcome = outcomes.get(id)
    if (outcome !== expected)
      broken.push({ law: 'a confirm or revert is carried out', what: `${id}: ${decision}, then ${outcome}` })
  }
  let events = 0
  const lists = { replica: 0, primary: 0 }
  for (const reader of readers) {
    const read = await reader.stop()
    events += read.seen.size
    lists.replica += read.lists.replica
    lists.primary += read.lists.primary
    broken.push(...read.broken, ...(await forgotten(database, read.seen)))
  }
  return { broken, events, lists }
}
