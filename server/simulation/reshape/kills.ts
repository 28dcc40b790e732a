import { randomUUID } from 'node:crypto'
import type { FreshDatabase } from '../../boot/test-database'
import type { Host } from '../../engine/host'
import { type LayoutPlan, planLayout } from '../../engine/layout'
import { rolloutChange } from '../../engine/layout/change'
import { differences } from '../../engine/layout/differences'
import { hostProblems } from '../../engine/layout/obstacles'
import { newRollout, rolloutHost } from '../../engine/layout/rollout'
import type { HostId } from '../../engine/words/ids'
import { readOrder } from '../../import/read-order'
import { registerFleet } from '../../import/register'
import { commit } from '../../store/commit/commit'
import { connectDatabase, type Database } from '../../store/database/database'
import { readHost, readHosts } from '../../store/host/read'
import { childId } from '../../store/layout/ids'
import { readLastRollout } from '../../store/layout/read'
import { Chance } from '../chance'
import { makeRolloutProcesses, type RolloutProcess, type RolloutProcesses } from './fork'
import { BACKEND } from './orders'

// Kills the process that runs a rollout at random points, between commits and during them. After each kill every host
// must be exactly as before or exactly as planned, and the next process continues. Each rollout has its own database
// and fleet.

export interface KillOptions {
  readonly freshDatabase: () => Promise<FreshDatabase>
  readonly kills: number
  readonly seed: number
  readonly progress: (tally: KillTally) => void
}

export interface KillTally {
  readonly kills: number
  /** The process was killed by a signal at a random time. */
  readonly anyTime: number
  /** The process killed itself just before or after a commit. */
  readonly atCommit: number
  /** The connection of the process was cut during a commit. */
  readonly insideCommit: number
  /** State of the host that was being converted, after the kill. */
  readonly foundOld: number
  readonly foundNew: number
  readonly hosts: number
  readonly rollouts: number
  /** Hosts that were neither as before nor as planned, or wrong at the end. */
  readonly broken: readonly string[]
}

const NONE: KillTally = {
  kills: 0,
  anyTime: 0,
  atCommit: 0,
  insideCommit: 0,
  ...{ foundOld: 0, foundNew: 0, hosts: 0, rollouts: 0, broken: [] },
}
const FLEET = { what: 'demo', hosts: 16, instances: 130 } as const
const ACTOR = { who: 'simulation', request: null, reason: 'kills' }

export async function killReshapes({ seed, ...options }: KillOptions): Promise<KillTally> {
  const rolloutProcesses = await makeRolloutProcesses()
  const chance = new Chance(seed)
  let tally = NONE
  try {
    while (tally.kills < options.kills && tally.broken.length === 0) {
      tally = await oneRollout({ ...options, rolloutProcesses, chance }, tally)
    }
    return tally
  } finally {
    await rolloutProcesses.stop()
  }
}

interface KillContext extends Omit<KillOptions, 'seed'> {
  readonly rolloutProcesses: RolloutProcesses
  readonly chance: Chance
}

/** A rollout over a fresh fleet, killed again and again until it is done. */
async function oneRollout(context: KillContext, before: KillTally): Promise<KillTally> {
  const fresh = await context.freshDatabase()
  const database = connectDatabase({ url: fresh.url, connections: 4 })
  let tally = before
  try {
    const pictures = await heldFleet(database)
    await startRollout(database, [...pictures.keys()])
    while ((await readLastRollout(database))?.state === 'running' && tally.broken.length === 0) {
      const place = { database, databaseUrl: fresh.url }
      const how = tally.kills < context.kills ? await killed(context, place) : await lived(context, place)
      if (how !== null) tally = counted(tally, how, await leftAt(database))
      tally = { ...tally, broken: await torn(database, pictures) }
      context.progress(tally)
    }
    const end = tally.broken.length > 0 ? [] : await wrongAtTheEnd(database, pictures)
    return {
      ...tally,
      rollouts: tally.rollouts + 1,
      hosts: tally.hosts + pictures.size,
      broken: [...tally.broken, ...end],
    }
  } finally {
    await database.close()
    await fresh.drop()
  }
}

function counted(tally: KillTally, how: How, left: 'foundOld' | 'foundNew' | null): KillTally {
  const found = left === null ? {} : { [left]: tally[left] + 1 }
  return { ...tally, kills: tally.kills + 1, [how]: tally[how] + 1, ...found }
}

async function leftAt(database: Database): Promise<'foundOld' | 'foundNew' | null> {
  const rollout = await readLastRollout(database)
  const id = rollout && rolloutHost(rollout)
  const host = id && (await readHost(database, id))
  return host && (host.layout === 'flat' ? 'foundOld' : 'foundNew')
}

interface Picture {
  readonly before: Host
  /** Null: the host is blocked and must stay as it was. */
  readonly plan: LayoutPlan | null
}

async function heldFleet(database: Database): Promise<ReadonlyMap<HostId, Picture>> {
  const { value: fleet } = readOrder(FLEET)
  if (fleet === null) throw new Error('there is no demo fleet')
  const services = { database, adoptInstances: async () => {}, actor: ACTOR, at: Date.now(), progress: () => {} }
  await registerFleet(fleet, services)
  const hosts = await readHosts(database)
  return new Map(
    hosts.map((before) => {
      const answer = planLayout(before, childId)
      return [before.id, { before, plan: answer.ok ? answer.plan : null }]
    }),
  )
}

async function startRollout(database: Database, hosts: readonly HostId[]): Promise<void> {
  const at = Date.now()
  const rollout = newRollout({ id: randomUUID(), hosts, by: ACTOR.who, reason: 'kills', at })
  await commit(database, rolloutChange(null, rollout, { actor: ACTOR, at }))
}

type How = 'anyTime' | 'atCommit' | 'insideCommit'
const KINDS = { anyTime: 1, atCommit: 1, insideCommit: 1 } as const
const LATEST_MS = 250
const LATEST_COMMIT = 14
const LATEST_INSIDE_MS = 60

/** Starts a rollout process and kills it. Returns how it died; null: it finished before it was killed. */
async function killed(
  { rolloutProcesses, chance }: KillContext,
  { database, databaseUrl }: DatabaseTarget,
): Promise<How | null> {
  const how = chance.weighted(KINDS)
  const dieAtCommit = how === 'atCommit' ? 1 + chance.below(LATEST_COMMIT) : null
  const rolloutProcess = await rolloutProcesses.start({ databaseUrl, dieAtCommit })
  if (how === 'insideCommit') {
    const cut = await cutInside(database, rolloutProcess, chance.below(LATEST_INSIDE_MS))
    rolloutProcess.kill()
    await rolloutProcess.gone
    return cut ? how : null
  }
  if (how === 'anyTime') setTimeout(() => rolloutProcess.kill(), chance.below(LATEST_MS)).unref()
  return (await rolloutProcess.gone) === 'SIGKILL' ? how : null
}

/** Lets a process finish the rollout without a kill. */
async function lived({ rolloutProcesses }: KillContext, { databaseUrl }: DatabaseTarget): Promise<null> {
  await (await rolloutProcesses.start({ databaseUrl, dieAtCommit: null })).gone
  return null
}

interface DatabaseTarget {
  readonly database: Database
  readonly databaseUrl: string
}

/** Terminates the backend during a commit, before the transaction has ended. */
async function cutInside(database: Database, rolloutProcess: RolloutProcess, afterMs: number): Promise<boolean> {
  while (rolloutProcess.running) {
    const { rowCount } = await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = $1 and state = 'active'
          and query like '%commit_change%' and clock_timestamp() - query_start > $2::int * interval '1 millisecond'`,
      [BACKEND, afterMs],
    )
    if (rowCount !== null && rowCount > 0) return true
  }
  return false
}

/** Hosts that are neither as before nor as planned. */
async function torn(database: Database, pictures: ReadonlyMap<HostId, Picture>): Promise<string[]> {
  const hosts = await readHosts(database)
  return hosts.flatMap((now) => {
    const { before, plan } = pictures.get(now.id)!
    const old = differences(before, now)
    const planned = plan === null ? ['it was blocked'] : differences(plan.after, now)
    return old.length === 0 || planned.length === 0 ? [] : [`${now.name}: ${[...old, ...planned].join('; ')}`]
  })
}

async function wrongAtTheEnd(database: Database, pictures: ReadonlyMap<HostId, Picture>): Promise<string[]> {
  const rollout = await readLastRollout(database)
  const hosts = await readHosts(database)
  const flat = hosts.filter(({ id, layout }) => (layout === 'flat') === (pictures.get(id)?.plan !== null))
  const counted = rollout === null ? 0 : rollout.healed + rollout.skipped + rollout.blocked
  return [
    ...(rollout?.state === 'done' && counted === hosts.length ? [] : [`rollout ${JSON.stringify(rollout)}`]),
    ...flat.map(({ name, layout }) => `${name} is ${layout} at the end`),
    ...hosts.flatMap((host) => hostProblems(host).map((problem) => `${host.name}: ${problem}`)),
  ]
}
