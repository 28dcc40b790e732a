import { randomUUID } from 'node:crypto'
import os from 'node:os'
import type { Logger } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { readiness } from './api/health/readiness'
import { frontSettings } from './api/http/client-address'
import { openEndpoints } from './api/http/endpoints'
import { exposureWarning } from './api/http/exposure'
import { frontServer } from './api/http/front-server'
import { makeLimits } from './api/limits/limits'
import { type ApiMetrics, makeMetrics } from './api/metrics/metrics'
import { openPlacement, placementSettings } from './api/placement/opened'
import { type Berth, setRunning } from './api/running'
import type { ApiServices } from './api/services'
import { type Audit, makeAudit } from './audit/audit'
import { openAuth } from './auth/auth'
import { federationFrom } from './auth/federation/settings'
import { clockOf } from './conductor/clock'
import { type Conductor, makeConductor } from './conductor/conductor'
import { knownFleet } from './conductor/fleet'
import { type HealthWatch, startHealthWatch } from './conductor/health/watch'
import { resumeByRules } from './conductor/host-return'
import { MAX_CONCURRENT_TICKS } from './conductor/options'
import { periodicAudit } from './conductor/periodic-audit'
import { type PeriodicTask, type RunningTask, startPeriodicTask } from './conductor/periodic-task'
import { rolloutRound } from './conductor/rollout'
import { type Rules, rulesOf, tickOptions } from './conductor/rules'
import { advanceRuns } from './conductor/runs/advance'
import { makePlanner, type Planner } from './conductor/runs/planner'
import { type RunningServerSession, startServerSession } from './conductor/server-session'
import { type SurveyOptions, surveyOnce } from './conductor/survey'
import { type Drivers, driversFrom } from './drivers/registry'
import { faultButtons } from './drivers/simulated/controls'
import { type SimulatedFleet, simulatedFleet } from './drivers/simulated/driver'
import { tableState } from './drivers/simulated/table-state'
import type { Change, ChangeResult } from './engine/change'
import { ProviderForest } from './fleet/candidates-forest'
import { Projection } from './fleet/projection'
import { demoFrom, speedFrom } from './import/demo-settings'
import { sealAuditLog } from './store/audit-log/seal'
import { commit, commitBatch } from './store/commit/commit'
import { makeCommitQueue } from './store/commit/queue'
import { connectDatabase, type Database } from './store/database/database'
import { makePastReads, type PastReads } from './store/database/replica'
import { EventFeed } from './store/event/feed'
import type { FleetEvent } from './store/event/read'
import { startRelay } from './store/event/relay'
import { openProbe } from './store/health/probe'
import { readHosts } from './store/host/read'
import { simulatorTable } from './store/simulator/simulator'
import { noteSurvey } from './store/survey/survey'
import { type ClockSource, type DatabaseClock, openDatabaseClock } from './store/time/database-clock'
import { openAlarms, type WokenTask } from './wiring/alarms'
import { openClouds, watchedClouds } from './wiring/clouds'
import { connectionFolders } from './wiring/connection-files'
import { importDemo } from './wiring/demo'
import { openFencing } from './wiring/fencing'
import { historyRetentionTask } from './wiring/forget'
import { openHostConnections } from './wiring/host-connections'
import { machineImages, type OpenedLibvirt, openLibvirt } from './wiring/libvirt'
import { logClockOffset, openLog } from './wiring/log'
import { type CloudWitness, openWitness } from './wiring/witness'

export type { Berth } from './api/running'

// The one place that creates Berth's parts, connects them and stops them. Every part is passed on as an argument;
// nothing else in server/ holds state of its own.

export interface StartOptions {
  readonly databaseUrl: string
  /** The replica that serves reads of the past; null or undefined: none. */
  readonly replicaUrl?: string | null
  /** The machine's clock; tests pass one that is wrong. */
  readonly clock?: ClockSource
  /** Factor by which periodic tasks run more often; set by simulations. */
  readonly taskSpeed?: number
  /** Where simulated hypervisors keep their state, when not beside the records; set by simulations. */
  readonly simulatorUrl?: string
  readonly log: (message: string) => void
}

const CONNECTIONS = 20 // one half for the conductor, the other for requests
const ROLLOUT_INTERVAL_MS = 2_000 // longest delay before a new rollout starts
const RUN_POLL_INTERVAL_MS = 2_000 // polling interval of a run that nothing woke
const FASTEST_TASK_MS = 2_000 // lower bound, however fast a simulation runs its tasks
const SEAL_INTERVAL_MS = 60_000
const SURVEY_INTERVAL_MS = 60_000 // together with the next, the longest time that screens show a silent host as answering
const SURVEY_SPREAD_MS = 20_000

/** Starts Berth on a migrated database. Parts that started before a failure are stopped again. */
export async function start(options: StartOptions): Promise<Berth> {
  const downs: Down[] = []
  try {
    const berth = await assemble(options, downs)
    setRunning(berth)
    return berth
  } catch (error) {
    await takeDown(downs).catch((left: unknown) => options.log(String(left)))
    throw error
  }
}

/** How each started part stops; they stop in reverse order. */
type Down = () => Promise<unknown>

/** Runs all of them even if one fails: an open connection would keep the process alive. */
async function takeDown(downs: Down[]): Promise<void> {
  const failures: unknown[] = []
  for (const down of downs.splice(0).reverse()) await down().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} parts of Berth did not stop.`)
}

async function assemble(options: StartOptions, downs: Down[]): Promise<Berth> {
  const { log: say } = options
  const log = openLog(process.env.BERTH_LOG || 'warn')
  const parts = await openParts(options, log, downs)
  const { database, feed, fleet, now } = parts
  const auth = await openAuth({
    database,
    secret: process.env.BERTH_SECRET || null,
    publicUrl: process.env.BERTH_URL || null,
    adminPassword: process.env.BERTH_ADMIN_PASSWORD || null,
    federation: federationFrom(process.env),
    print: say,
    onFailure: (error) => log.error({ error }, 'signing in failed'),
  })
  const demo = demoFrom(process.env.BERTH_DEMO)
  if (demo !== null && (await importDemo(parts, demo))) say('demo: created a simulated fleet')
  const { conductor, session } = startConductor(parts, downs)
  const clouds = openClouds(database, parts.witness)
  const alarms = openAlarms({ ...parts, clouds, health: () => health }, process.env)
  downs.push(async () => alarms.close())
  const fencing = openFencing(parts, process.env, downs)
  const health = startHealth(parts, startPeriodicTasks(parts, [alarms, fencing], downs), downs)
  const services: ApiServices = {
    ...{ auth, database, past: parts.past, feed, fleet, forest: parts.forest },
    simulator: faultButtons(parts.simulator),
    ...{ clouds, connections: openHostConnections({ database, folders: connectionFolders(process.env) }) },
    fencing: fencing.service,
    transfers: parts.transfers,
    commit: parts.commit,
    rules: parts.rules,
    audit: {
      ...parts.audit,
      survey: async (hosts) => void (await surveyOnce(surveyOptions(parts), hosts && new Set(hosts))),
    },
    health,
    alarms: alarms.sender,
    machineImages,
    ...makeLimits({ database, onFailure: (error) => log.error({ error }, 'sessions could not be read') }),
    metrics: parts.metrics,
    placement: openPlacement({
      ...{ database, forest: parts.forest, log, now, newId: () => randomUUID(), chance: Math.random },
      settings: placementSettings(process.env),
    }),
    planDrain: parts.planner.plan,
    wrote: parts.wrote,
    log,
    now,
    newId: () => randomUUID(),
    version: manifest.version,
    metricsToken: process.env.BERTH_METRICS_TOKEN || null,
    startWarnings: [exposureWarning(process.env)].filter((each) => each !== null),
  }
  for (const warning of services.startWarnings) say(`warning: ${warning}`)
  return berthOf({ services, conductor, session, health, feed, downs })
}

interface Parts {
  readonly database: Database
  readonly past: PastReads
  readonly metrics: ApiMetrics
  readonly feed: EventFeed
  readonly fleet: Projection
  readonly forest: ProviderForest
  readonly simulator: SimulatedFleet
  readonly drivers: Drivers
  readonly transfers: OpenedLibvirt['transfers']
  readonly witness: CloudWitness
  readonly audit: Audit
  readonly planner: Planner
  readonly owner: string
  readonly log: Logger
  readonly clock: DatabaseClock
  readonly taskSpeed: number
  /** Ms since the epoch by the database's clock. */
  now(): number
  rules(): Promise<Rules>
  commit(change: Change): Promise<ChangeResult>
  /** Notifies the relay of a write from this process. */
  wrote(): void
}

async function openParts(options: StartOptions, log: Logger, downs: Down[]): Promise<Parts> {
  const { databaseUrl, replicaUrl = null, clock: source, taskSpeed = 1 } = options
  const onFailure = (error: unknown) => log.error({ error }, 'the database failed; trying again')
  const database = connectDatabase({ url: databaseUrl, connections: CONNECTIONS, onLost: onFailure })
  downs.push(() => database.close())
  const metrics = makeMetrics()
  const past = makePastReads({ primary: database, replicaUrl, count: metrics.countPastRead })
  downs.push(past.close)
  const clock = await openDatabaseClock(database, { source, onFailure, onOffset: (ms) => logClockOffset(log, ms) })
  downs.push(async () => clock.stop())
  const { now } = clock
  const feed = await EventFeed.open(database, { onFailure })
  downs.push(() => feed.stop())
  const relay = startRelay(database, onFailure)
  downs.push(() => relay.stop())
  const fleet = await Projection.open({ database, feed, onFailure })
  downs.push(() => fleet.stop())
  const forest = await new ProviderForest(database).caughtUp()
  const planner = makePlanner()
  downs.push(() => planner.close())
  const rules = rulesOf(database)
  const audit = makeAudit({
    ...{ database, fleet, forest, now },
    demand: async () => (await rules()).demand,
  })
  const queue = makeCommitQueue({ commitBatch: (changes) => commitBatch(database, changes) })
  const state = tableState(simulatorTable(simulatorDatabase(options, database, downs)))
  const simulator = simulatedFleet({
    ...{ state, now, speed: speedFrom(process.env.SIMULATOR_SPEED) },
    hardware: (host) => fleet.host(host)?.devices ?? null,
  })
  const libvirt = openLibvirt({ database, now, onDown: (down) => downs.push(down) })
  const drivers = driversFrom({ simulated: simulator, libvirt: libvirt.driver })
  return {
    ...{ database, past, metrics, feed, fleet, forest, simulator, drivers },
    transfers: libvirt.transfers,
    witness: openWitness({ drivers, fleet, readHost: libvirt.readHost, now }),
    owner: `${os.hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`,
    ...{ log, clock, now, taskSpeed, rules, audit, planner },
    commit: (change) => fleet.commit(change, queue.commit).finally(relay.wake),
    wrote: relay.wake,
  }
}

function simulatorDatabase({ simulatorUrl }: StartOptions, records: Database, downs: Down[]): Database {
  if (simulatorUrl === undefined) return records
  const own = connectDatabase({ url: simulatorUrl })
  downs.push(() => own.close())
  return own
}

function startConductor(parts: Parts, downs: Down[]): Pick<Up, 'conductor' | 'session'> {
  const { database, drivers, owner, fleet, feed, log, clock } = parts
  const conductor = makeConductor({
    database,
    drivers,
    owner,
    clock: clockOf(clock),
    concurrency: MAX_CONCURRENT_TICKS,
    options: async () => tickOptions(await parts.rules()),
    commit: parts.commit,
    fleet: knownFleet(fleet),
    observe: (host) => surveyOnce(surveyOptions(parts), new Set([host])),
    onError: (what, error) => log.error({ what, error }, 'a tick failed; trying again'),
  })
  conductor.start()
  const onError = (what: string, error: unknown) => log.error({ error }, what)
  const { replicaFailure } = parts.past
  const session = startServerSession({ database, owner, clockOffsetMs: clock.offsetMs, replicaFailure, onError })
  // Conductors schedule the follow-up of their own writes; any other write may be a requested action or a status.
  const unfollow = feed.follow((events) => {
    if (events.some(isNews)) conductor.wake()
  })
  downs.push(async () => {
    unfollow()
    await conductor.stop()
    await session.stop()
  })
  return { conductor, session }
}

function startHealth(parts: Parts, tasks: readonly RunningTask[], downs: Down[]): HealthWatch {
  const { database, owner, log } = parts
  const health = startHealthWatch({
    ...{ database, owner, tasks, surveyEveryMs: Math.round(SURVEY_INTERVAL_MS / parts.taskSpeed) },
    // Read from the tables, because the survey skips a host that the projection lacks.
    survey: (ids) => surveyOnce({ ...surveyOptions(parts), hosts: () => readHosts(database, ids) }),
    onChange: ({ name, ok, why }) => {
      if (ok) log.warn({ check: name }, 'a health check passes again')
      else log.error({ check: name, why }, 'a health check fails')
    },
    onError: (what, error) => log.error({ error }, what),
  })
  downs.push(health.stop)
  return health
}

/** Excludes conductors' own writes, and claims of Placement clients on providers without a host. */
const isNews = ({ kind, who, hosts }: FleetEvent): boolean =>
  !who.startsWith('conductor ') && (kind !== 'placement.allocated' || hosts.length > 0)

/** Periodic tasks that run on one server at a time. */
function startPeriodicTasks(parts: Parts, woken: readonly WokenTask[], downs: Down[]): readonly RunningTask[] {
  const { database, fleet, audit, owner, log, now, taskSpeed } = parts
  const onError = (what: string, error: unknown) => log.error({ error }, what)
  const tasks: readonly PeriodicTask[] = [
    {
      name: 'survey',
      everyMs: SURVEY_INTERVAL_MS,
      round: async (stopping) => {
        await surveyOnce({ ...surveyOptions(parts), spreadMs: SURVEY_SPREAD_MS, stopping })
        await resumeByRules({ database, commit: parts.commit, now: parts.now })
      },
    },
    periodicAudit({ database, ...audit, now }),
    historyRetentionTask(database, now),
    watchedClouds({ ...parts, witness: parts.witness.ask, onError, onDown: (down) => downs.push(down) }),
    ...woken.map(({ task }) => task),
    { name: 'audit-log', everyMs: SEAL_INTERVAL_MS, round: () => sealAuditLog(database) },
    {
      name: 'layout',
      everyMs: ROLLOUT_INTERVAL_MS,
      // Large changes, so not batched with the claims of others.
      round: () => {
        const alone = (change: Change) => fleet.commit(change, (each) => commit(database, each)).finally(parts.wrote)
        return rolloutRound({ database, commit: alone, now })
      },
    },
  ]
  const begin = (task: PeriodicTask) => {
    const everyMs = Math.round(Math.max(task.everyMs / taskSpeed, Math.min(task.everyMs, FASTEST_TASK_MS)))
    return startPeriodicTask({ database, owner, onError }, { ...task, everyMs })
  }
  const running = tasks.map(begin)
  for (const { name, stop, wake } of running) {
    downs.push(stop)
    woken.find(({ task }) => task.name === name)?.wakes(wake)
  }
  const runs = begin(runsTask(parts))
  // Events that a run waits for: a requested action on it, the status of a host, the end of a migration.
  const unfollow = parts.feed.follow((events) => {
    if (events.some((event) => event.kind === 'migration.ended' || isNews(event))) runs.wake()
  })
  downs.push(async () => {
    unfollow()
    await runs.stop()
  })
  return [...running, runs]
}

const runsTask = ({ database, fleet, rules, planner, now }: Parts): PeriodicTask => ({
  name: 'runs',
  everyMs: RUN_POLL_INTERVAL_MS,
  round: () =>
    advanceRuns({
      ...{ database, rules, planDrain: planner.plan, now, newId: () => randomUUID() },
      hosts: async () => fleet.hostsAhead(),
    }),
})

const surveyOptions = ({ database, drivers, fleet, now }: Parts): SurveyOptions => ({
  hosts: async () => fleet.hosts(),
  drivers,
  note: (answers) => noteSurvey(database, answers),
  now,
})

interface Up {
  readonly services: ApiServices
  readonly conductor: Conductor
  readonly session: RunningServerSession
  readonly health: HealthWatch
  readonly feed: EventFeed
  readonly downs: Down[]
}

function berthOf({ services, conductor, session, health, feed, downs }: Up): Berth {
  let stopping = false
  const probe = openProbe(services.database)
  downs.push(probe.stop)
  const endpoints = openEndpoints(services)
  const settings = frontSettings(process.env)
  const ready = () =>
    readiness({
      isStopping: () => stopping,
      databaseFailure: probe.failure,
      writeFailure: session.writeFailure,
      checks: () => health.last()?.checks ?? [],
    })
  return {
    endpoints,
    server: (pages) => frontServer({ endpoints, ...settings, log: services.log, readiness: ready }, pages),
    placementServer: services.placement.server,
    readiness: ready,
    quiesce: async () => {
      stopping = true
      await Promise.all([feed.stop(), conductor.stop()])
    },
    stop: async () => {
      setRunning(null)
      await services.sessionWatch.stop()
      await takeDown(downs)
    },
  }
}
