import type { Instance } from '../../engine/change'
import { isDead } from '../../engine/host'
import type { Migration } from '../../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { readHostFacts } from '../../store/host/facts'
import { readActiveMigrations, readMigrations } from '../../store/migration/list'
import { readDrainFacts } from '../../store/run/drain-facts'
import { lastOf, TRIES } from '../../store/run/plan'
import type { RunMigration, WholeRun } from '../../store/run/row'
import { commitRun, type RunnerParts, type RunUpdate } from './parts'

// Records the results of a run's migrations, and the host's state. Everything is read from tables, so it does not
// matter which server began what, or whether it survived.

/** Everything outside the run's own rows that a round decides on. */
export interface RoundFacts {
  /** Instances that are recorded on the host. */
  readonly instances: ReadonlyMap<InstanceId, Instance>
  /** Every active migration, whoever started it. */
  readonly active: readonly Migration[]
  /** Why nothing more may start; null: no reason. */
  readonly halt: string | null
}

export async function readRunState(parts: RunnerParts, { run }: WholeRun): Promise<RoundFacts> {
  const { database } = parts
  const [facts, active, halt] = await Promise.all([
    readDrainFacts(database, run.host),
    readActiveMigrations(database),
    haltOf(parts, run),
  ])
  return { instances: new Map(facts.instances.map((each) => [each.id, each])), active, halt }
}

// An evacuation is valid only while its host is confirmed powered off: if it answers again, its instances may run.
async function haltOf(parts: RunnerParts, run: WholeRun['run']): Promise<string | null> {
  if (run.kind !== 'evacuation') return null
  const [hosts, [facts]] = await Promise.all([parts.hosts(), readHostFacts(parts.database, [run.host])])
  const host = hosts.find(({ id }) => id === run.host)
  if (host && !isDead(host.status)) return `${host.name} is ${host.status} again`
  const seenAt = facts?.lastSeenAt ?? null
  if (seenAt === null || run.startedAt === null || seenAt <= run.startedAt) return null
  return `${host?.name ?? 'the host'} answered again`
}

/** Records instances that ended, left on their own, or are migrated by others. Null after a conflicting write. */
export async function followMigrations(
  parts: RunnerParts,
  whole: WholeRun,
  seen: RoundFacts,
): Promise<WholeRun | null> {
  const ids = whole.migrations.flatMap(({ state, migration }) => (state === 'moving' && migration ? [migration] : []))
  const found = new Map((await readMigrations(parts.database, ids)).map(({ migration }) => [migration.id, migration]))
  const waits = whole.run.replanBecause !== null
  const all: FollowResult[] = whole.migrations.flatMap(
    (planned) => newsOf(planned, whole, { ...seen, found, host: whole.run.host }) ?? [],
  )
  const news = all.filter(({ planned }) => !waits || !whole.migrations.includes(planned))
  const unplanned = findUnplannedInstance(whole, seen)
  const replan = news.map(({ replan: because }) => because).find((because) => because !== null) ?? unplanned
  const set: RunUpdate['set'] = {
    ...(replan !== null && whole.run.replanBecause === null ? { replanBecause: replan } : {}),
    ...(seen.halt !== null && whole.run.state !== 'stopping' ? { state: 'stopping', note: seen.halt } : {}),
  }
  if (news.length === 0 && Object.keys(set).length === 0) return whole
  return commitRun(parts, whole, { set, put: news.map(({ planned }) => planned), kind: 'run.followed' })
}

/** The run itself gave it up, because its target fell silent. */
export const isAbortedByRun = ({ state, note }: RunMigration): boolean => state === 'moving' && note !== null

interface FollowResult {
  readonly planned: RunMigration
  readonly replan: string | null
}

interface RunMigrationFacts extends RoundFacts {
  readonly host: HostId
  readonly found: ReadonlyMap<MigrationId, Migration>
}

function newsOf(planned: RunMigration, whole: WholeRun, known: RunMigrationFacts): FollowResult | null {
  switch (planned.state) {
    case 'moving':
      return newsOfActive(planned, whole, known)
    case 'planned':
    case 'waiting':
    case 'stays':
    case 'blocked':
      return newsOfPlanned(planned, known)
    default:
      return null
  }
}

function newsOfActive(
  planned: RunMigration,
  { migrations }: WholeRun,
  { found }: RunMigrationFacts,
): FollowResult | null {
  const migration = planned.migration && found.get(planned.migration)
  if (!migration || migration.outcome === null) return null
  if (migration.outcome === 'completed') {
    // It may have released the capacity that others lack.
    const lacking = migrations.some(({ state }) => state === 'blocked')
    const done = { ...planned, to: migration.target, state: 'done' } as const
    return { planned: done, replan: lacking ? `${planned.name} has migrated` : null }
  }
  const byPerson = migration.cause?.kind !== 'failed' && !isAbortedByRun(planned)
  const note = planned.note ?? migration.cause?.message ?? migration.outcome
  // An operator's abort is final; a failure is tried elsewhere, a limited number of times.
  const attempts = byPerson ? TRIES : planned.attempts + 1
  return {
    planned: { ...planned, state: 'failed', note, attempts },
    replan: `the migration of ${planned.name} ended: ${note}`,
  }
}

function newsOfPlanned(planned: RunMigration, { instances, active, host }: RunMigrationFacts): FollowResult | null {
  const other = active.find(({ instance }) => instance === planned.instance)
  // A second migration leaves from elsewhere; its own start tells whether the instance is still there.
  const left = planned.from === host && !instances.has(planned.instance)
  if (left && !other) return { planned: { ...planned, state: 'done', note: 'left on its own' }, replan: null }
  if (other && isOurs(planned, other))
    return { planned: { ...planned, state: 'moving', migration: other.id }, replan: null }
  if (other && planned.state !== 'waiting')
    return { planned: { ...planned, state: 'waiting', note: other.id }, replan: null }
  if (!other && planned.state === 'waiting') {
    return { planned, replan: `the other migration of ${planned.name} ended` }
  }
  return null
}

/** It was started by a server that died before it could record it. */
function isOurs(planned: RunMigration, { operation, source, requestedTarget }: Migration): boolean {
  const same = operation === planned.method && source === planned.from && requestedTarget === planned.to
  return planned.state === 'planned' && same
}

/** An instance that came to the host after the plan was made. */
function findUnplannedInstance({ migrations }: WholeRun, { instances }: RoundFacts): string | null {
  const last = lastOf(migrations)
  for (const [id, { name }] of instances) {
    const row = last.get(id)
    if (row === undefined || row.state === 'done' || row.helper) return `${name} is on the host now`
  }
  return null
}
