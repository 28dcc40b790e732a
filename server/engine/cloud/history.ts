import { type CloudFacts, isComplete } from './facts'
import type { CloudMigration, CloudServer, CloudSnapshot } from './snapshot'

// Classifies a record by Nova's own sequence of states: over, resting, active, or abandoned. Nova sets task_state
// before it creates a record and clears it with the last step, so an unfinished record of an instance without a task is
// abandoned, with the exceptions below.

const ENDED = new Set(['completed', 'confirmed', 'reverted', 'failed', 'error', 'cancelled', 'done'])
const UNFINISHED = new Set([
  ...['accepted', 'queued', 'preparing', 'running', 'running (post-copy)'],
  ...['pre-migrating', 'migrating', 'post-migrating', 'finished', 'confirming', 'reverting'],
])

const MINUTE = 60_000

/** How long each status and task may last before an operator should intervene. Generous: some of them copy disks. */
const PATIENCE: Readonly<Record<string, number>> = {
  accepted: 10 * MINUTE,
  queued: 10 * MINUTE,
  preparing: 45 * MINUTE,
  running: 24 * 60 * MINUTE,
  'running (post-copy)': 6 * 60 * MINUTE,
  'pre-migrating': 30 * MINUTE,
  migrating: 24 * 60 * MINUTE,
  'post-migrating': 60 * MINUTE,
  confirming: 10 * MINUTE,
  reverting: 60 * MINUTE,
  // Live: the target has taken the instance over, and the source still cleans up.
  arrived: 10 * MINUTE,
  image_uploading: 24 * 60 * MINUTE,
  image_snapshot: 24 * 60 * MINUTE,
  shelving_image_uploading: 24 * 60 * MINUTE,
  task: 60 * MINUTE,
}

export const patienceOf = ({ settings }: CloudFacts, word: string): number =>
  settings.patienceMs[word] ?? PATIENCE[word] ?? settings.patienceMs.task ?? 60 * MINUTE

export const isEnded = ({ status }: CloudMigration): boolean => ENDED.has(status)

const touchedAt = (migration: CloudMigration): number => migration.updatedAt ?? migration.createdAt
export const ageOf = (facts: CloudFacts, migration: CloudMigration): number => ageSince(facts, touchedAt(migration))

/** Identifies the last change of a record, whatever the clock showed; null: it was not changed since it was made. */
export const lastWriteOf = <T extends number | null>({
  updatedAt,
  writtenAs,
}: {
  readonly updatedAt: T
  readonly writtenAs?: number
}): T | number => (updatedAt === null ? updatedAt : (writtenAs ?? updatedAt))

/** The minimum time since a timestamp of the cloud, whichever way its clock stepped meanwhile. */
export const ageSince = ({ snapshot }: Pick<CloudFacts, 'snapshot'>, at: number): number =>
  snapshot.now - steadyTime(snapshot, at)

/** A timestamp by the cloud's present clock; one from before a clock step is treated as the time of the step. */
export function steadyTime({ now, steadySince }: CloudSnapshot, at: number): number {
  if (steadySince === undefined) return at
  return at < steadySince || at > now ? steadySince : at
}

/** Neither the record nor its instance was written in the last moments. */
export const isSettled = (facts: CloudFacts, server: CloudServer | undefined, migration?: CloudMigration): boolean =>
  Math.min(
    ageSince(facts, server?.updatedAt ?? 0),
    migration === undefined ? Number.POSITIVE_INFINITY : ageSince(facts, touchedAt(migration)),
  ) >= facts.settings.settleMs

export const isResting = ({ vmState }: CloudServer, { status }: CloudMigration): boolean =>
  vmState === 'resized' && status === 'finished'

/**
 * Null: over or abandoned. Else why it counts as in progress. A status that Berth does not know is in progress: no
 * finding relies on an unknown word.
 */
export function progressOf(facts: CloudFacts, migration: CloudMigration): string | null {
  const server = facts.servers.get(migration.instance)
  const words = `migration ${migration.id} is ${migration.status}`
  if (isEnded(migration)) {
    // A revert writes `reverted` before the source has the instance back; the task shows that more follows.
    const newest = facts.migrationsOf.get(migration.instance)?.[0] === migration
    if (newest && server !== undefined && server.taskState !== null && !isDead(facts, server.host)) return words
    return isSettled(facts, server, migration) ? null : `${words} (changed just now)`
  }
  if (!UNFINISHED.has(migration.status)) return `${words}, a status that Berth does not know`
  // Without its instance nothing can proceed (if the list of instances is complete).
  if (server === undefined) return isComplete(facts.snapshot.servers) ? null : words
  if (server.taskState !== null || isResting(server, migration) || !isSettled(facts, server, migration)) return words
  if (server.vmState === 'resized' && migration.status === 'confirming') return confirmProgress(facts, migration, words)
  const arrived = migration.type === 'live-migration' && server.host === migration.targetHost
  if (arrived && ageOf(facts, migration) < patienceOf(facts, 'arrived')) return words
  return null
}

function confirmProgress(facts: CloudFacts, migration: CloudMigration, words: string): string | null {
  if (isDead(facts, migration.sourceHost)) return null
  const service = facts.services.get(migration.sourceHost ?? '')
  if (service?.state !== 'up') return `${words}, and its source may still act on it`
  return ageOf(facts, migration) < patienceOf(facts, 'confirming') ? words : null
}

/** A report dated well after the attestation comes from a running nova-compute. */
const REPORT_SLACK_MS = 5_000

/** Of the hosts attested as powered off, with the time of that, those that have not reported since. */
export function stillDead(
  { services }: ServicesRead,
  attested: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const reports = new Map<string, number>()
  for (const { binary, host, updatedAt } of services.isRead ? services.value : [])
    if (binary === 'nova-compute') reports.set(host, updatedAt ?? 0)
  return new Map([...attested].filter(([host, since]) => (reports.get(host) ?? 0) <= since + REPORT_SLACK_MS))
}

type ServicesRead = Pick<CloudSnapshot, 'services'>

/**
 * Hosts whose service was set differently between two reads, and when it was last written. Nova dates that write like a
 * report, so alone it does not prove that the host is alive; a running nova-compute reports again soon.
 */
export function servicesSetBetween(before: ServicesRead, after: ServicesRead): ReadonlyMap<string, number> {
  const set = new Map<string, number>()
  if (!before.services.isRead || !after.services.isRead) return set
  const known = new Map(before.services.value.map((row) => [row.id, row]))
  for (const { id, host, binary, updatedAt, ...now } of after.services.value) {
    const then = known.get(id)
    const isSame =
      then?.status === now.status && then.forcedDown === now.forcedDown && then.disabledReason === now.disabledReason
    if (binary === 'nova-compute' && then && !isSame && updatedAt !== null) set.set(host, updatedAt)
  }
  return set
}

export const isDead = ({ snapshot }: CloudFacts, host: string | null): boolean =>
  host !== null && snapshot.deadHosts.has(host)

/** As `progressOf`, but a source that is attested as powered off, and still has the instance, does no work. */
export const workOn = (facts: CloudFacts, server: CloudServer, migration: CloudMigration): string | null =>
  diedWithSource(facts, server, migration) ? null : progressOf(facts, migration)

export const diedWithSource = (facts: CloudFacts, server: CloudServer, migration: CloudMigration): boolean =>
  !isEnded(migration) && migration.sourceHost === server.host && isDead(facts, server.host)

/** Why nothing about the instance may change now; null when it rests. Only an attested dead host overrides a task. */
export function lockOf(facts: CloudFacts, server: CloudServer): string | null {
  if (!isComplete(facts.snapshot.migrations)) return 'its migrations are not known'
  const dead = isDead(facts, server.host)
  if (server.taskState !== null && !dead) return `its task is ${server.taskState}`
  for (const migration of facts.migrationsOf.get(server.id) ?? []) {
    if (isEnded(migration) || isResting(server, migration)) continue
    const progress = workOn(facts, server, migration)
    if (progress !== null) return progress
  }
  return null
}
