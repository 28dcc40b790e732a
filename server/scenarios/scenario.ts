import { type Audit, makeAudit } from '../audit/audit'
import { type FreshDatabase, freshDatabase } from '../boot/test-database'
import type { Clock } from '../conductor/clock'
import { type Conductor, makeConductor } from '../conductor/conductor'
import { readFleet } from '../conductor/fleet'
import { DEFAULT_OPTIONS, type Limits, type TickOptions } from '../conductor/options'
import { surveyOnce } from '../conductor/survey'
import { driversFrom } from '../drivers/registry'
import { type SimulatedFleet, simulatedFleet } from '../drivers/simulated/driver'
import { tableState } from '../drivers/simulated/table-state'
import { audit, type CurrentDomain, type Finding } from '../engine/audit'
import type { Instance } from '../engine/change'
import type { DemandOptions } from '../engine/demand'
import type { ClaimBody, Host } from '../engine/host'
import type { Migration } from '../engine/migration/state'
import { ALIASES, auditDemand } from '../engine/testing/instances'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import { readSnapshot } from '../store/audit/records'
import { commit } from '../store/commit/commit'
import { connectDatabase, type Database } from '../store/database/database'
import { readHosts } from '../store/host/read'
import { putHosts } from '../store/host/write'
import { readNextDueAfter } from '../store/migration/pending-work'
import { simulatorTable } from '../store/simulator/simulator'
import { type HostAnswer, noteSurvey } from '../store/survey/survey'
import { specOf } from '../store/testing/records'
import { makeOperators, type Operators } from './operators'

// Scenarios run on real PostgreSQL, the simulated fleet in its table, one or more conductors, and a clock that
// only the scenario advances. Nothing waits for real time.

export interface ScenarioOptions {
  readonly hosts: readonly Host[]
  readonly limits?: Limits
  readonly confirmWindowMs?: number | null
  /** Surveys a host right after each power operation, as in production; otherwise only when the scenario does. */
  readonly observes?: boolean
}

export interface Scenario {
  readonly operators: Operators
  readonly fleet: SimulatedFleet
  readonly database: Database
  readonly conductor: Conductor
  /** Another server on the same database. */
  newConductor(owner: string): Conductor
  now(): number
  /** Advances the clock and lets the conductors do what is due. */
  pass(ms: number): Promise<void>
  /** Only advances the clock. */
  advanceClock(ms: number): void
  /** Surveys the host, or all hosts, now. */
  survey(host?: HostId): Promise<void>
  /** Advances the clock from one due time to the next until the condition holds. */
  until(condition: () => Promise<boolean>): Promise<void>
  untilEnded(migration: MigrationId): Promise<Migration>
  untilStep(migration: MigrationId, step: Migration['step']): Promise<Migration>
  migration(id: MigrationId): Promise<Migration>
  instance(id: InstanceId): Promise<Instance>
  /** Builds an instance and waits until it is active. */
  running(ask: Parameters<Operators['build']>[0]): Promise<InstanceId>
  /** Claims of the instance and its migrations, by host. */
  heldFor(instance: InstanceId): Promise<readonly { host: HostId; consumerKind: string; body: ClaimBody }[]>
  /** Findings of an audit of records and hypervisors. */
  findings(): Promise<readonly Finding[]>
  close(): Promise<void>
}

const START = 1_800_000_000_000
const LONGEST_MS = 24 * 3_600_000 // a scenario that takes longer never ends
const DEMAND = { aliases: ALIASES }

export async function newScenario(options: ScenarioOptions): Promise<Scenario> {
  const fresh = await freshDatabase()
  const database = connectDatabase({ url: fresh.url })
  const time = { now: START }
  const hardware = new Map(options.hosts.map(({ id, devices }) => [id, devices]))
  const fleet = simulatedFleet({
    ...{ state: tableState(simulatorTable(database)), now: () => time.now, speed: 1 },
    hardware: (host) => hardware.get(host) ?? null,
  })
  const attribution = { actor: { who: 'scenario', request: null, reason: null }, at: START }
  await putHosts(database, options.hosts.map(specOf), attribution)
  return scenarioOn({ fresh, database, time, fleet, options })
}

interface ScenarioParts {
  readonly fresh: FreshDatabase
  readonly database: Database
  readonly time: { now: number }
  readonly fleet: SimulatedFleet
  readonly options: ScenarioOptions
}

function scenarioOn(parts: ScenarioParts): Scenario {
  const { database, time, fleet } = parts
  const conductors: Conductor[] = []
  const newConductor = (owner: string): Conductor => {
    const conductor = conductorOn(parts, owner)
    conductors.push(conductor)
    return conductor
  }
  const operators = makeOperators({
    database,
    demand: DEMAND,
    confirmWindowMs: parts.options.confirmWindowMs ?? null,
    now: () => time.now,
    commit: (change) => commit(database, change),
  })
  return {
    operators,
    fleet,
    database,
    conductor: newConductor('server-1'),
    newConductor,
    now: () => time.now,
    advanceClock: (ms) => {
      time.now += ms
    },
    survey: (host) => surveyNow(parts, host),
    ...clockOf(parts, operators, conductors),
    migration: (id) => migrationOf(database, id),
    instance: (id) => instanceOf(database, id),
    heldFor: async (instance) => heldFor(await readHosts(database), instance),
    findings: () => findingsOf(database, fleet),
    close: async () => {
      await Promise.all(conductors.map((each) => each.stop()))
      await database.close()
      await parts.fresh.drop()
    },
  }
}

type ScenarioClock = Pick<Scenario, 'pass' | 'until' | 'untilEnded' | 'untilStep' | 'running'>

/** Time in a scenario: advances from one due time to the next. */
function clockOf(
  { database, time }: ScenarioParts,
  operators: Operators,
  conductors: readonly Conductor[],
): ScenarioClock {
  const pass = async (ms: number) => {
    time.now += ms
    await Promise.all(conductors.map((each) => each.settle()))
  }
  const until = async (condition: () => Promise<boolean>) => {
    await pass(0)
    while (!(await condition())) {
      if (time.now - START > LONGEST_MS) throw new Error(`It did not come true: ${await tell(database)}`)
      const next = await readNextDueAfter(database, time.now)
      await pass(Math.max(1, (next ?? time.now + 5_000) - time.now))
    }
  }
  const untilMigration = async (id: MigrationId, is: (migration: Migration) => boolean) => {
    await until(async () => is(await migrationOf(database, id)))
    return migrationOf(database, id)
  }
  return {
    pass,
    until,
    untilEnded: (id) => untilMigration(id, ({ outcome }) => outcome !== null),
    untilStep: (id, step) => untilMigration(id, (migration) => migration.step === step),
    running: async (ask) => {
      const id = await operators.build(ask)
      if (id === null) throw new Error('Nothing fits where the scenario begins.')
      await until(async () => (await instanceOf(database, id)).vmState === 'active')
      return id
    },
  }
}

async function surveyNow({ database, time, fleet }: ScenarioParts, host?: HostId): Promise<void> {
  const drivers = driversFrom({ simulated: fleet })
  const note = (answers: readonly HostAnswer[]) => noteSurvey(database, answers)
  const hosts = () => readHosts(database)
  await surveyOnce({ hosts, drivers, note, now: () => time.now }, host && new Set([host]))
}

function conductorOn(parts: ScenarioParts, owner: string): Conductor {
  const { database, time, fleet, options } = parts
  const tickOptions: TickOptions = {
    ...DEFAULT_OPTIONS,
    limits: options.limits ?? DEFAULT_OPTIONS.limits,
    demand: DEMAND,
  }
  const drivers = driversFrom({ simulated: fleet })
  return makeConductor({
    database,
    drivers,
    clock: scenarioClock(time),
    owner,
    options: async () => tickOptions,
    concurrency: 8,
    commit: (change) => commit(database, change),
    fleet: readFleet(database),
    ...(options.observes && {
      observe: (host: HostId) => {
        // A survey at the same time as the commit proves nothing.
        time.now += 1
        return surveyNow(parts, host)
      },
    }),
    onError: (what, error) => {
      throw new Error(`${owner}: ${what}`, { cause: error })
    },
  })
}

/** Nothing sleeps in a scenario: conductors are settled whenever the clock was advanced. */
const scenarioClock = (time: { now: number }): Clock => ({
  now: () => time.now,
  leaseTime: () => time.now,
  sleep: () => ({ done: Promise.resolve(), wake: () => {} }),
})

async function migrationOf(database: Database, id: MigrationId): Promise<Migration> {
  const found = (await readSnapshot(database)).migrations.find((each) => each.id === id)
  if (!found) throw new Error(`There is no migration ${id}.`)
  return found
}

async function instanceOf(database: Database, id: InstanceId): Promise<Instance> {
  const found = (await readSnapshot(database)).instances.find((each) => each.id === id)
  if (!found) throw new Error(`There is no instance ${id}.`)
  return found
}

function heldFor(hosts: readonly Host[], instance: InstanceId) {
  return hosts.flatMap((host) =>
    host.holdings
      .filter((holding) => holding.instance === instance)
      .map(({ consumerKind, body }) => ({ host: host.id, consumerKind, body })),
  )
}

async function findingsOf(database: Database, fleet: SimulatedFleet): Promise<readonly Finding[]> {
  const snapshot = await readSnapshot(database)
  const surveys = await Promise.all(
    snapshot.hosts.map(async ({ id: host }) =>
      ((await fleet.survey(host)) ?? []).map(({ instance, observedState }): CurrentDomain => {
        return { host, instance, observedState: observedState === 'left' ? 'stopped' : observedState }
      }),
    ),
  )
  return audit({ ...snapshot, domains: surveys.flat() }, auditDemand)
}

/** The audit of a server on the scenario's records and surveys. */
export function auditOn(scenario: Scenario, demand: DemandOptions = {}): Audit {
  let adopt: readonly Host[] = []
  return makeAudit({
    database: scenario.database,
    fleet: {
      hosts: () => adopt,
      adopt: (hosts) => {
        adopt = hosts
      },
      commit: (change, send) => send(change),
    },
    forest: { audited: async () => [] },
    demand: async () => demand,
    now: () => scenario.now(),
  })
}

async function tell(database: Database): Promise<string> {
  const { migrations } = await readSnapshot(database)
  return JSON.stringify(
    migrations.map(({ operation, step, direction, waiting }) => ({ operation, step, direction, waiting })),
  )
}
