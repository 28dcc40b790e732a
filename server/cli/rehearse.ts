import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startTestServer } from '../boot/test-database'
import { simulatedFleet } from '../drivers/simulated/driver'
import { tableState } from '../drivers/simulated/table-state'
import { audit } from '../engine/audit'
import { type Actor, NO_GUARDS } from '../engine/change'
import { demandOf } from '../engine/demand'
import type { Host } from '../engine/host'
import { accept } from '../engine/migration/accept'
import { type HostId, type InstanceId, parseMigrationId } from '../engine/words/ids'
import { readOrder } from '../import/read-order'
import { registerFleet } from '../import/register'
import { issueLines, reportLines } from '../import/report'
import { readSnapshot } from '../store/audit/records'
import { readAliases } from '../store/catalog/policy'
import { commit } from '../store/commit/commit'
import { connectDatabase, type Database } from '../store/database/database'
import { readInstanceView } from '../store/migration/view'
import { simulatorTable } from '../store/simulator/simulator'
import { start } from '../wiring'
import { rehearseKills, rolloutEnded, startRollout } from './rehearse-layout'
import { messageOf, printedHelp, wrongCall } from './usage'

// npm run rehearse -- --nodes nodes.csv --pods pods.csv --empty 100: imports a fleet into a database of its own,
// disables this many of its fullest hosts, live-migrates all their instances away at once, waits until every migration
// has ended, and audits the records against the hypervisors. Exits with 1 when the audit finds anything.
// --reshape: meanwhile a rollout converts every host to nested. --kills 100: instead of all this, kills the server that
// runs a rollout over the demo fleet this many times; each host must be unchanged or converted.

const ACTOR: Actor = { who: 'rehearsal', request: null, reason: 'empty hosts at once' }
const SPEED = 400 // how much faster than real networks memory is copied
const PROGRESS_INTERVAL_MS = 5_000
const GIVE_UP_MS = 30 * 60_000

const USAGE =
  'usage: npm run rehearse -- --nodes nodes.csv --pods pods.csv [--empty 100] [--reshape] | --kills 100 [--seed 1]'

/** Or why there are none. */
function readOptions() {
  try {
    return parseArgs({
      options: {
        ...{ nodes: { type: 'string' }, pods: { type: 'string' }, empty: { type: 'string', default: '100' } },
        ...{ reshape: { type: 'boolean', default: false }, kills: { type: 'string' }, seed: { type: 'string' } },
      },
    }).values
  } catch (error) {
    return messageOf(error)
  }
}

const isCount = (value: number | undefined): value is number => Number.isInteger(value) && (value ?? 0) >= 1

async function main(): Promise<number> {
  if (printedHelp(process.argv.slice(2), USAGE)) return 0
  const values = readOptions()
  if (typeof values === 'string') return wrongCall(values, USAGE)
  const [count, kills, seed] = [values.empty, values.kills ?? '1', values.seed ?? '1'].map(Number)
  if (!isCount(count) || !isCount(kills) || !isCount(seed))
    return wrongCall('--empty, --kills and --seed take a whole number, at least 1', USAGE)
  if (values.kills !== undefined) return rehearseKills(kills, seed)
  if (!values.nodes || !values.pods) return wrongCall('Name both tables: --nodes and --pods', USAGE)
  const { value: fleet, issues } = readOrder({ what: 'fleet', nodes: values.nodes, pods: values.pods })
  for (const line of issueLines(issues)) console.error(line)
  if (fleet === null) return 2
  const server = await startTestServer()
  try {
    const { url } = await server.freshDatabase()
    const database = connectDatabase({ url })
    const simulator = simulatedFleet({ state: tableState(simulatorTable(database)), now: Date.now, speed: SPEED })
    const registered = await registerFleet(fleet, {
      database,
      adoptInstances: simulator.adopt,
      actor: ACTOR,
      at: Date.now(),
      progress: () => {},
    })
    for (const line of reportLines(registered)) console.log(line)
    await emptyHosts({ database, url, count, reshape: values.reshape })
    const found = await findings(database, simulator)
    for (const finding of found.slice(0, 10)) console.log(JSON.stringify(finding))
    console.log(`audit      ${found.length} findings`)
    await database.close()
    return found.length === 0 ? 0 : 1
  } finally {
    await server.stop()
  }
}

interface Rehearsal {
  readonly database: Database
  readonly url: string
  readonly count: number
  readonly reshape: boolean
}

async function emptyHosts({ database, url, count, reshape }: Rehearsal): Promise<void> {
  const { hosts } = await readSnapshot(database)
  const fullest = [...hosts]
    .sort((a, b) => devicesHeld(a) - devicesHeld(b) || instancesOn(b) - instancesOn(a))
    .slice(0, count)
  for (const host of fullest) await close(database, host.id)
  const instances = fullest.flatMap((host) => host.holdings.map((holding) => holding.instance))
  Object.assign(process.env, { SIMULATOR_SPEED: String(SPEED), BERTH_DEMO: 'no' })
  const berth = await start({ databaseUrl: url, log: () => {} })
  const began = Date.now()
  try {
    for (const instance of instances) await liveMigrate(database, instance)
    console.log(`requested  ${instances.length} live migrations off ${fullest.length} hosts, all at once`)
    if (reshape) {
      await startRollout(database, ACTOR)
      for (const line of await rolloutEnded(database, began + GIVE_UP_MS)) console.log(line)
    }
    await untilEnded(database)
    console.log(`outcomes   ${await outcomes(database)} in ${Math.round((Date.now() - began) / 1000)} s`)
    const left = (await readSnapshot(database)).hosts.filter((host) => fullest.some(({ id }) => id === host.id))
    const empty = left.filter((host) => host.holdings.length === 0).length
    console.log(`hosts      ${empty} of ${fullest.length} are empty`)
  } finally {
    await berth.quiesce()
    await berth.stop()
  }
}

// The fleet has workloads waiting for devices, so no host has one free for such an instance: hosts without held
// devices come first.
const devicesHeld = (host: Host) => host.devices.filter((device) => !device.free).length
const instancesOn = (host: Host) => host.holdings.length

async function close(database: Database, host: HostId): Promise<void> {
  const event = { kind: 'host.scheduling', hosts: [host], instance: null, migration: null, data: {} }
  const set = { scheduling: 'disabled', reason: 'rehearsal' } as const
  await commit(database, {
    guards: NO_GUARDS,
    writes: [{ do: 'set-host', id: host, set }],
    event,
    actor: ACTOR,
    at: Date.now(),
  })
}

async function liveMigrate(database: Database, instance: InstanceId): Promise<void> {
  const view = await readInstanceView(database, instance)
  const id = parseMigrationId(randomUUID())
  if (view === null || id === null) throw new Error(`${instance} is not recorded`)
  const accepted = accept(
    view,
    { operation: 'live-migrate', target: null, newFlavor: null, newImage: null },
    { id, sameDemand: () => true, confirmWindowMs: null, actor: ACTOR, at: Date.now() },
  )
  if (!accepted.ok) throw new Error(`${instance} cannot migrate: ${JSON.stringify(accepted.refusals)}`)
  await commit(database, accepted.change)
}

async function untilEnded(database: Database): Promise<void> {
  const giveUpAt = Date.now() + GIVE_UP_MS
  for (;;) {
    const { rows } = await database.pool.query<{ left: number }>(
      'select count(*)::int as left from migration where outcome is null',
    )
    const left = rows[0]?.left ?? 0
    if (left === 0) return
    if (Date.now() > giveUpAt) throw new Error(`${left} migrations have not ended`)
    console.error(`${left} migrations are active or queued`)
    await new Promise((resolve) => setTimeout(resolve, PROGRESS_INTERVAL_MS))
  }
}

async function outcomes(database: Database): Promise<string> {
  const { migrations } = await readSnapshot(database)
  const counts = new Map<string, number>()
  for (const { outcome, cause } of migrations) {
    const rules = new Set((cause?.refusals ?? []).flatMap(({ refusals }) => refusals.map(({ kind }) => kind)))
    const why = rules.size > 0 ? ` (${[...rules].sort().join(', ')})` : cause ? ` (${cause.message})` : ''
    counts.set(`${outcome}${why}`, (counts.get(`${outcome}${why}`) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => `${count} ${reason}`).join('; ')
}

async function findings(database: Database, simulator: ReturnType<typeof simulatedFleet>) {
  const snapshot = await readSnapshot(database)
  const aliases = await readAliases(database)
  const domains: { host: HostId; instance: InstanceId; observedState: 'running' | 'stopped' | 'shell' }[] = []
  for (const { id: host } of snapshot.hosts)
    for (const { instance, observedState } of (await simulator.survey(host)) ?? [])
      domains.push({ host, instance, observedState: observedState === 'left' ? 'stopped' : observedState })
  return audit({ ...snapshot, domains }, ({ flavor, image }) => {
    const result = demandOf(flavor, image, { aliases })
    return result.ok ? result.demand : null
  })
}

process.exitCode = await main()
