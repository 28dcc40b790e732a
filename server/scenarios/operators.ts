import { randomUUID } from 'node:crypto'
import type { Actor, Change, ChangeResult } from '../engine/change'
import { sameDemand } from '../engine/claim'
import { type DemandOptions, demandOf, type Flavor, type Image } from '../engine/demand'
import { type HostStatus, isDead } from '../engine/host'
import { startBuild, startDelete } from '../engine/lifecycle'
import { accept, type InstanceSpec, type MigrationRequest } from '../engine/migration/accept'
import { acceptAction } from '../engine/migration/machine'
import type { Operation, RequestedAction } from '../engine/migration/state'
import { choose } from '../engine/scheduler'
import type { ClaimId, GroupId, HostId, InstanceId, MigrationId } from '../engine/words/ids'
import type { Database } from '../store/database/database'
import { readHost, readHosts } from '../store/host/read'
import { readGroup, readInstanceView, readMigrationView } from '../store/migration/view'

// Operators' requests, done as the API does them: read, decide in the engine, commit by generation. Scenarios and the
// simulation on PostgreSQL both use this.

export interface OperatorsParts {
  readonly database: Database
  readonly demand: DemandOptions
  readonly confirmWindowMs: number | null
  now(): number
  commit(change: Change): Promise<ChangeResult>
}

export interface BuildOptions {
  readonly flavor: Flavor
  readonly image?: Image
  readonly host?: HostId
  readonly group?: GroupId
}

export interface MigrationOptions extends Partial<Omit<MigrationRequest, 'operation'>> {
  readonly operation: Operation
}

/** Null or false: the request was refused, or lost every race. */
export interface Operators {
  build(ask: BuildOptions): Promise<InstanceId | null>
  deleteInstance(instance: InstanceId): Promise<boolean>
  migrate(instance: InstanceId, ask: MigrationOptions): Promise<MigrationId | null>
  requestAction(migration: MigrationId, requestedAction: RequestedAction): Promise<boolean>
  setStatus(host: HostId, status: HostStatus): Promise<boolean>
}

const PLAIN: Image = { name: 'debian', properties: {} }
const ACTOR: Actor = { who: 'olga', request: null, reason: 'scenario' }
const TRIES = 5 // a conductor may write the same rows at the same time

export function makeOperators(parts: OperatorsParts): Operators {
  return {
    build: (ask) => build(parts, ask),
    deleteInstance: (instance) =>
      commitWithRetry(parts, () => deletionOf(parts, instance)).then((done) => done !== null),
    migrate: (instance, ask) => commitWithRetry(parts, () => migrationOf(parts, instance, ask)),
    requestAction: (migration, requestedAction) =>
      commitWithRetry(parts, () => actionRequestOf(parts, migration, requestedAction)).then((done) => done !== null),
    setStatus: (host, status) =>
      commitWithRetry(parts, () => statusChangeOf(parts, host, status)).then((done) => done !== null),
  }
}

interface Decision<T> {
  readonly change: Change
  readonly answer: T
}

async function commitWithRetry<T>(parts: OperatorsParts, decide: () => Promise<Decision<T> | null>): Promise<T | null> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const decision = await decide()
    if (decision === null) return null
    if ((await parts.commit(decision.change)).ok) return decision.answer
  }
  return null
}

async function build(
  parts: OperatorsParts,
  { flavor, image = PLAIN, host, group }: BuildOptions,
): Promise<InstanceId | null> {
  const id = randomUUID() as InstanceId
  const result = demandOf(flavor, image, parts.demand)
  if (!result.ok) return null
  return commitWithRetry(parts, async () => {
    const hosts = await readHosts(parts.database, host ? [host] : undefined)
    const members = group ? await readGroup(parts.database, { group, without: id }) : null
    const question = { demand: result.demand, instance: id, group: members, live: null, excludedHost: null }
    const best = choose(question, hosts, { policy: 'spread' }).plans[0]
    if (!best) return null
    const row = { id, name: `vm-${id.slice(0, 4)}`, project: 'p1', flavor, image, zone: null, group: group ?? null }
    const claim = { id: randomUUID() as ClaimId, plan: best.plan }
    return { change: startBuild(row, claim, { actor: ACTOR, at: parts.now() }), answer: id }
  })
}

async function deletionOf(parts: OperatorsParts, instance: InstanceId): Promise<Decision<true> | null> {
  const view = await readInstanceView(parts.database, instance)
  if (!view) return null
  const deletion = startDelete(view, { actor: ACTOR, at: parts.now() })
  return deletion.ok ? { change: deletion.change, answer: true } : null
}

async function migrationOf(
  parts: OperatorsParts,
  instance: InstanceId,
  { operation, target = null, newFlavor = null, newImage = null, storage = null }: MigrationOptions,
): Promise<Decision<MigrationId> | null> {
  const view = await readInstanceView(parts.database, instance)
  if (!view) return null
  const id = randomUUID() as MigrationId
  const accepted = accept(
    view,
    { operation, target, newFlavor, newImage, storage },
    {
      id,
      sameDemand: (old, now) => asksTheSame(parts, old, now),
      confirmWindowMs: parts.confirmWindowMs,
      actor: ACTOR,
      at: parts.now(),
    },
  )
  return accepted.ok ? { change: accepted.change, answer: id } : null
}

function asksTheSame({ demand }: OperatorsParts, old: InstanceSpec, now: InstanceSpec): boolean {
  const [before, after] = [demandOf(old.flavor, old.image, demand), demandOf(now.flavor, now.image, demand)]
  return before.ok && after.ok && sameDemand(before.demand, after.demand)
}

async function actionRequestOf(
  parts: OperatorsParts,
  id: MigrationId,
  requestedAction: RequestedAction,
): Promise<Decision<true> | null> {
  const view = await readMigrationView(parts.database, id)
  const accepted = view && acceptAction(view.migration, requestedAction, parts.now())
  if (!view || !accepted?.ok) return null
  const change: Change = {
    guards: {
      providers: [],
      instance: null,
      migration: { id, generation: view.migration.generation, fence: null },
      group: null,
    },
    writes: [{ do: 'put-migration', migration: accepted.migration }],
    event: {
      kind: 'migration.action-requested',
      hosts: [],
      instance: view.instance.id,
      migration: id,
      data: { requestedAction },
    },
    actor: ACTOR,
    at: parts.now(),
  }
  return { change, answer: true }
}

/** A dead host that returns takes no claims until its leftovers are cleaned up (I11). */
async function statusChangeOf(parts: OperatorsParts, id: HostId, status: HostStatus): Promise<Decision<true> | null> {
  const host = await readHost(parts.database, id)
  const root = host?.providers[0]
  if (!host || !root || host.status === status || host.status === 'lost') return null
  const returns = status === 'up' && isDead(host.status) && host.leftovers.length > 0
  const change: Change = {
    guards: {
      providers: [{ provider: root.id, generation: root.generation }],
      instance: null,
      migration: null,
      group: null,
    },
    writes: [{ do: 'set-host', id, set: { status, ...(returns && { scheduling: 'quarantined' as const }) } }],
    event: { kind: 'host.status', hosts: [id], instance: null, migration: null, data: { status } },
    actor: ACTOR,
    at: parts.now(),
  }
  return { change, answer: true }
}
