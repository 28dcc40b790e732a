import path from 'node:path'
import type { FreshDatabase } from '../../boot/test-database'
import { clockOf } from '../../conductor/clock'
import { readSnapshot } from '../../store/audit/records'
import { putAliases } from '../../store/catalog/policy'
import { connectDatabase, type Database } from '../../store/database/database'
import { openDatabaseClock } from '../../store/time/database-clock'
import { DEMAND_OPTIONS } from '../hardware'
import type { LawViolation } from '../laws'
import { makePostgresFixture, type PostgresFixture } from '../postgres/fixture'
import { holdsNow } from '../postgres/laws'
import { beginMigration, buildInstances, nothingAccepted, pause } from '../postgres/migrations'
import { settle } from '../postgres/settle'
import { killed, makeProcesses, startServing } from '../processes'
import { type TaskObservations, watchTasks } from './task-watch'

// Whole servers on one database, each on a machine with a different clock error, killed in turn while instances
// migrate. No law may break, no periodic task may stop and no audit may be discarded, because all of them use the
// database's clock.

export interface ClockRunOptions {
  freshDatabase(): Promise<FreshDatabase>
  readonly seed: number
  readonly migrations: number
  /** Migrations between two kills. */
  readonly killEvery: number
  readonly progress: (migrations: number) => void
}

export interface ClockOrders {
  readonly databaseUrl: string
  /** Offset of the server's wall clock. */
  readonly aheadMs: number
  /** Milliseconds of the server's clocks per real millisecond: wall clock and monotonic clock. */
  readonly rate: number
  readonly taskSpeed: number
}

export interface ClockRunReport extends TaskObservations {
  readonly seed: number
  readonly migrations: number
  readonly completed: number
  readonly kills: number
  readonly broken: readonly LawViolation[]
  readonly elapsedMs: number
}

const HOUR_MS = 3_600_000
const CLOCKS: readonly Pick<ClockOrders, 'aheadMs' | 'rate'>[] = [
  { aheadMs: HOUR_MS, rate: 1 },
  { aheadMs: -HOUR_MS, rate: 1 },
  { aheadMs: 0, rate: 1.1 },
]
const TASK_SPEED = 15 // the audit and the survey every 4 s
const SIMULATOR_SPEED = 40
const HOSTS = 5
const INSTANCES = 12
const AT_ONCE = 6
/** A task that does not start for this many intervals counts as stopped. */
const MAX_SILENT_INTERVALS = 3

export async function runWithWrongClocks(options: ClockRunOptions): Promise<ClockRunReport> {
  const began = performance.now()
  const fresh = await options.freshDatabase()
  const broken: LawViolation[] = []
  const onFailure = (what: string) => void broken.push({ law: 'no server crashes', what })
  const servers = await makeClockServers(SIMULATOR_SPEED, onFailure)
  const database = connectDatabase({ url: fresh.url, connections: 2 })
  const clock = await openDatabaseClock(database, {
    onFailure: (error) => onFailure(String(error)),
    onOffset: () => {},
  })
  await putAliases(database, DEMAND_OPTIONS.aliases ?? [])
  const set = { time: clockOf(clock), simulatorSpeed: SIMULATOR_SPEED, hostCount: HOSTS }
  const fixture = await makePostgresFixture(fresh.url, options.seed, set)
  try {
    const result = await migrateAndKill({ ...options, fixture, servers, database })
    broken.push(...result.broken, ...silent(result.seen))
    const { seed } = options
    return { seed, ...result.seen, ...result.counts, broken, elapsedMs: performance.now() - began }
  } finally {
    clock.stop()
    await servers.stop()
    await fixture.database.close()
    await database.close()
    await fresh.drop()
  }
}

function silent({ longestSilence: { task, intervals }, discarded, audits }: TaskObservations): LawViolation[] {
  const broken: LawViolation[] = []
  if (intervals > MAX_SILENT_INTERVALS)
    broken.push({ law: 'no task stops', what: `${task} did not start for ${intervals.toFixed(1)} intervals` })
  if (discarded > 0) broken.push({ law: 'no audit is discarded', what: `${discarded} of ${audits + discarded}` })
  if (audits === 0) broken.push({ law: 'audits are recorded', what: 'no audit was recorded' })
  return broken
}

interface ClockRun extends ClockRunOptions {
  readonly fixture: PostgresFixture
  readonly servers: ClockServers
  readonly database: Database
}

async function migrateAndKill(run: ClockRun) {
  const { fixture, servers } = run
  const fleet = makeServers(run.servers, fixture.databaseUrl)
  await fleet.fill()
  const tasks = watchTasks(run.database)
  const broken: LawViolation[] = []
  await buildInstances(fixture, INSTANCES)
  const accepted = nothingAccepted()
  let started = 0
  while (started < run.migrations && broken.length === 0) {
    if (!(await beginMigration(fixture, { most: AT_ONCE, accepted }))) {
      await pause()
      continue
    }
    started += 1
    run.progress(started)
    if (started % run.killEvery !== 0) continue
    await fleet.replaceNext()
    const wrong = await holdsNow(fixture)
    if (wrong) broken.push(wrong)
  }
  const atRest = broken.length === 0 ? await settle(fixture) : null
  const seen = await tasks.stop()
  await servers.stop()
  const { migrations } = await readSnapshot(fixture.database)
  const completed = migrations.filter(({ outcome }) => outcome === 'completed').length
  return { seen, broken: atRest ? [atRest] : broken, counts: { migrations: started, completed, kills: fleet.kills() } }
}

/**
 * One server per clock; the next in turn is killed and, while the others run on, replaced by one with the same clock.
 */
function makeServers(servers: ClockServers, databaseUrl: string) {
  const fleet: ClockServer[] = []
  let kills = 0
  const start = (n: number) =>
    servers.start({ ...(CLOCKS[n] ?? { aheadMs: 0, rate: 1 }), databaseUrl, taskSpeed: TASK_SPEED })
  return {
    kills: () => kills,
    fill: async () => {
      for (const n of CLOCKS.keys()) fleet.push(await start(n))
    },
    replaceNext: async () => {
      const n = kills % CLOCKS.length
      await fleet[n]?.kill()
      kills += 1
      fleet[n] = await start(n)
    },
  }
}

interface ClockServer {
  /** SIGKILL; resolves when it has exited. */
  kill(): Promise<void>
}

interface ClockServers {
  /** Resolves when it serves. */
  start(orders: ClockOrders): Promise<ClockServer>
  stop(): Promise<void>
}

const SOURCE = path.join(import.meta.dirname, 'server.ts')

/** Processes with the whole server in one file. `onFailure` is called for those that exit without being killed. */
async function makeClockServers(simulatorSpeed: number, onFailure: (what: string) => void): Promise<ClockServers> {
  const processes = await makeProcesses(SOURCE)
  const env = { BERTH_DEMO: 'no', BERTH_LOG: 'silent', SIMULATOR_SPEED: String(simulatorSpeed) }
  return {
    start: async (orders) => {
      const { child } = await startServing(processes, { name: 'server', orders, env, onFailure })
      return { kill: () => killed(child) }
    },
    stop: processes.stop,
  }
}
