import { startTestServer, type TestServer } from '../../boot/test-database'
import type { ClaimBody } from '../../engine/host'
import { readSnapshot } from '../../store/audit/records'
import { type FleetEvent, readEventsAfter } from '../../store/event/read'
import { relayOnce } from '../../store/event/relay'
import { readLeftovers } from '../../store/host/facts'
import type { LawViolation } from '../laws'
import type { Report } from '../run'
import { add, EMPTY, type Tally, tallyOf } from '../tally'
import { anyAction } from './actions'
import { count, makePostgresFixture, type PostgresFixture, SIMULATOR_SPEED, SPEED } from './fixture'
import { makeServers, type ServerProcess, type Servers } from './fork'
import { holdsNow } from './laws'
import { settle } from './settle'

// The simulation on real PostgreSQL: two server processes run the migrations of a small fleet while users act and hosts
// fail. The servers are killed (SIGKILL) between a driver operation and its commit, and at any other time. The laws are
// checked after every kill and some actions, and at the end, when nothing may be in progress any more. The random
// choices are seeded, the exact moment of a kill is not, so a seed identifies a workload rather than a whole run.

export interface PostgresOptions {
  readonly from: number
  readonly seeds: number
  /** Concurrent runs, each with its own database. */
  readonly parallel: number
  readonly progress: (tally: Tally) => void
}

const ACTIONS_PER_RUN = 60
const SERVERS = 2
const PAUSE_MS = 25 // at most, between two actions
const CHECK_PERMILLE = 100

export async function simulatePostgres(options: PostgresOptions): Promise<Tally> {
  const server = await startTestServer()
  const errors: string[] = []
  const servers = await makeServers(SERVERS * options.parallel, (what) => errors.push(what))
  let next = options.from
  let tally = EMPTY
  const worker = async () => {
    while (next < options.from + options.seeds) {
      const report = await runOnPostgres(next++, { server, servers, errors })
      tally = add(tally, tallyOf(report))
      options.progress(tally)
    }
  }
  try {
    await Promise.all(Array.from({ length: options.parallel }, worker))
    return tally
  } finally {
    await servers.stop()
    await server.stop()
  }
}

interface RunContext {
  readonly server: TestServer
  readonly servers: Servers
  /** Errors of ticks that threw, as reported by servers. */
  readonly errors: string[]
}

async function runOnPostgres(seed: number, context: RunContext): Promise<Report> {
  const fresh = await context.server.freshDatabase()
  const fixture = await makePostgresFixture(fresh.url, seed)
  const group = makeServerGroup(fixture, context.servers, `run ${seed}`)
  try {
    await group.fill()
    const broken = (await live(fixture, group)) ?? (await rest(fixture, group)) ?? complaint(context, seed)
    const { migrations } = await readSnapshot(fixture.database)
    return {
      seed,
      microSteps: ACTIONS_PER_RUN,
      audits: fixture.counts.get('audit') ?? 0,
      moves: migrations.map(({ operation, outcome }) => ({ operation, outcome })),
      faults: Object.fromEntries(fixture.counts),
      broken: broken && { ...(await withEvidence(fixture, broken)), microStep: 0 },
    }
  } finally {
    await group.end()
    await fixture.database.close()
    await fresh.drop()
  }
}

async function live(fixture: PostgresFixture, group: ServerGroup): Promise<LawViolation | null> {
  const { chance } = fixture
  for (let action = 0; action < ACTIONS_PER_RUN; action++) {
    await anyAction(fixture)
    await new Promise((resolve) => setTimeout(resolve, chance.below(PAUSE_MS)))
    const died = await group.disturb()
    if (!died && !chance.permille(CHECK_PERMILLE)) continue
    const broken = await check(fixture)
    if (broken) return broken
  }
  return null
}

async function rest(fixture: PostgresFixture, group: ServerGroup): Promise<LawViolation | null> {
  await group.endKills()
  const broken = await settle(fixture)
  count(fixture, 'audit')
  return broken
}

async function check(fixture: PostgresFixture): Promise<LawViolation | null> {
  count(fixture, 'audit')
  return holdsNow(fixture)
}

/** Adds the state of the instances that a broken law names, because the run cannot be repeated. */
async function withEvidence(fixture: PostgresFixture, { law, what }: LawViolation): Promise<LawViolation> {
  const { instances, migrations, hosts } = await readSnapshot(fixture.database)
  const ids = [...what.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => id)
  const about = new Set([...ids, ...migrations.flatMap(({ id, instance }) => (ids.includes(id) ? [instance] : []))])
  const evidence = {
    instances: instances.filter(({ id }) => about.has(id)).map(({ id, host, vmState }) => ({ id, host, vmState })),
    migrations: migrations
      .filter(({ instance }) => about.has(instance))
      .map(({ newFlavor, newImage, oldFlavor, oldImage, ...migration }) => migration),
    copies: (await fixture.fleet.everyCopy())
      .filter(({ instance }) => about.has(instance))
      .map(({ flavor, image, claim, ...copy }) => ({ ...copy, units: namesOf(claim) })),
    remains: await readLeftovers(fixture.database),
    hosts: hosts.map(({ id, name, status, scheduling, holdings }) => ({
      ...{ id, name, status, scheduling },
      held: holdings
        .filter(({ instance }) => about.has(instance))
        .map(({ consumer, body }) => ({ consumer, units: namesOf(body) })),
    })),
    now: fixture.clock.now(),
    events: (await eventsAbout(fixture, about)).map(({ kind, who, at }) => `${at} ${who} ${kind}`),
  }
  return { law, what: `${what} ${JSON.stringify(evidence)}` }
}

const namesOf = (claim: ClaimBody | null) => claim?.units.map(({ unit }) => unit).sort() ?? null

const REPORTED_EVENTS = 40
const EVERY_EVENT = 100_000

/** No relay runs in this process, so relay the pending events first. */
async function eventsAbout({ database }: PostgresFixture, about: ReadonlySet<string>): Promise<readonly FleetEvent[]> {
  while ((await relayOnce(database)) > 0);
  const events = await readEventsAfter(database, 0n, EVERY_EVENT)
  return events.filter(({ instance }) => instance !== null && about.has(instance)).slice(-REPORTED_EVENTS)
}

/** A tick that throws is retried and may do no harm, but nothing here should make a tick throw. */
function complaint({ errors }: RunContext, seed: number): LawViolation | null {
  const error = errors.find((each) => each.startsWith(`run ${seed} `))
  return error === undefined ? null : { law: 'no tick throws', what: error }
}

/** The servers of one run. */
interface ServerGroup {
  fill(): Promise<void>
  /** Sometimes kills or stops one, and replaces those that have exited. Returns true if one has exited. */
  disturb(): Promise<boolean>
  /** Ends all kills. */
  endKills(): Promise<void>
  end(): Promise<void>
}

const KILL_PERMILLE = 25
const LEAVE_PERMILLE = 10
const LATEST_POINT = 160

function makeServerGroup(fixture: PostgresFixture, servers: Servers, name: string): ServerGroup {
  const { chance } = fixture
  const processes: ServerProcess[] = []
  let kills = true
  let names = 0
  const startOne = async () => {
    const dieAtPoint = kills && chance.permille(700) ? 1 + chance.below(LATEST_POINT) : null
    const { databaseUrl, since } = fixture
    const owner = `${name} server ${++names}`
    processes.push(
      await servers.start({ databaseUrl, owner, since, speed: SPEED, simulatorSpeed: SIMULATOR_SPEED, dieAtPoint }),
    )
  }
  const fill = async () => {
    while (processes.length < SERVERS) await startOne()
  }
  const removeExited = (): number => {
    const dead = processes.filter((server) => !server.running)
    for (const server of dead) processes.splice(processes.indexOf(server), 1)
    return dead.length
  }
  return {
    fill,
    disturb: async () => {
      await loseOne(fixture, processes)
      const died = removeExited()
      await fill()
      return died > 0
    },
    endKills: async () => {
      kills = false
      for (const server of processes) server.live()
      removeExited()
      await fill()
    },
    end: async () => {
      await Promise.all(processes.map(kill))
    },
  }
}

/** Sometimes kills or stops one server. Counts every death by SIGKILL, including those at a `dieAtPoint`. */
async function loseOne(fixture: PostgresFixture, processes: readonly ServerProcess[]): Promise<void> {
  const { chance } = fixture
  for (const server of processes) if (!server.running) count(fixture, 'SIGKILL')
  const living = processes.filter((server) => server.running)
  if (chance.permille(KILL_PERMILLE)) {
    const victim = chance.pick(living)
    if (!victim) return
    await kill(victim)
    count(fixture, 'SIGKILL')
  } else if (chance.permille(LEAVE_PERMILLE)) {
    await chance.pick(living)?.leave()
    count(fixture, 'clean stop')
  }
}

async function kill(server: ServerProcess): Promise<void> {
  server.kill()
  await server.gone
}
