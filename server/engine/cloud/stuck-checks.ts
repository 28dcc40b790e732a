import {
  instanceObject,
  migrationEvidence,
  migrationFingerprint,
  serverEvidence,
  serverFingerprint,
  serviceEvidence,
} from './evidence'
import type { CloudFacts } from './facts'
import { BLANK_DRAFT, type CloudDraft } from './finding'
import {
  ageOf,
  ageSince,
  isDead,
  isEnded,
  isResting,
  isSettled,
  lockOf,
  patienceOf,
  progressOf,
  workOn,
} from './history'
import type { CloudMigration, CloudServer } from './snapshot'

// Groups 4 and 9, and tasks of group 8: overdue operations. Each is locked while it may still progress.

export function stuckChecks(facts: CloudFacts, server: CloudServer): readonly CloudDraft[] {
  if (!facts.snapshot.migrations.isRead) return []
  const unfinished = (facts.migrationsOf.get(server.id) ?? []).filter((migration) => !isEnded(migration))
  const drafts = unfinished.flatMap((migration) => migrationDrafts(facts, server, migration))
  const works = unfinished.some((migration) => progressOf(facts, migration) !== null)
  return works ? drafts : [...drafts, ...taskDrafts(facts, server)]
}

function migrationDrafts(facts: CloudFacts, server: CloudServer, migration: CloudMigration): readonly CloudDraft[] {
  if (isResting(server, migration)) return awaitingDrafts(facts, server, migration)
  if (server.vmState === 'resized' && migration.status === 'confirming') {
    return confirmDrafts(facts, server, migration)
  }
  const age = ageOf(facts, migration)
  const old = age >= patienceOf(facts, migration.status) && isSettled(facts, server, migration)
  if (!old || workOn(facts, server, migration) === null || waitsItsTurn(facts, migration)) return []
  // Bytes copied since the record was written show progress that the record does not have.
  const job = migration.job === undefined ? '' : ` ${Object.values(migration.job).join(' ')}`
  const draft = draftOf(facts, server, migration)
  const cause = `The ${migration.type} has been ${migration.status} for ${minutes(age)} minutes, longer than this step should last.`
  return [{ ...draft, kind: 'migration-stuck', cause, print: draft.print + job }]
}

const minutes = (ms: number): number => Math.floor(ms / 60_000)

/** Live migrations from one source run one after the other. */
const waitsItsTurn = (facts: CloudFacts, { status, sourceHost }: CloudMigration): boolean =>
  status === 'queued' &&
  [...facts.migrations.values()].some(
    (other) =>
      other.sourceHost === sourceHost &&
      ['preparing', 'running', 'running (post-copy)'].includes(other.status) &&
      progressOf(facts, other) !== null,
  )

function draftOf(facts: CloudFacts, server: CloudServer, migration: CloudMigration) {
  return {
    ...BLANK_DRAFT,
    object: instanceObject(server),
    instances: [server.id],
    migrations: [migration.uuid],
    hosts: [migration.sourceHost, migration.targetHost].filter((host) => host !== null),
    evidence: [serverEvidence(facts, server), migrationEvidence(facts, migration)],
    locked: lockOf(facts, server),
    print: `${serverFingerprint(server)} ${migrationFingerprint(migration)}`,
  }
}

function awaitingDrafts(facts: CloudFacts, server: CloudServer, migration: CloudMigration): readonly CloudDraft[] {
  const { confirmWindowMs } = facts.settings
  const age = ageOf(facts, migration)
  if (confirmWindowMs === null || age < confirmWindowMs || server.taskState !== null) return []
  const cause = `The ${migration.type} finished ${minutes(age)} minutes ago and was neither confirmed nor reverted; ${migration.sourceHost} stays allocated.`
  return [{ ...draftOf(facts, server, migration), kind: 'resize-awaits-confirm', cause }]
}

function confirmDrafts(facts: CloudFacts, server: CloudServer, migration: CloudMigration): readonly CloudDraft[] {
  const source = migration.sourceHost
  const service = source === null ? undefined : facts.services.get(source)
  if (source === null || service === undefined || !isSettled(facts, server, migration)) return []
  const old = ageOf(facts, migration) >= patienceOf(facts, 'confirming')
  if (service.state === 'up' && !old) return []
  const cause =
    service.state === 'up' && !isDead(facts, source)
      ? `nova-compute on ${source} is up, but it does not act on the confirm any more.`
      : `nova-compute on ${source} died before it acted on the confirm; Nova refuses to confirm or revert again.`
  const draft = draftOf(facts, server, migration)
  const evidence = [...draft.evidence, serviceEvidence(facts, source)]
  return [{ ...draft, kind: 'confirm-stuck', cause, evidence, print: `${draft.print} ${service.state}` }]
}

function taskDrafts(facts: CloudFacts, server: CloudServer): readonly CloudDraft[] {
  const { taskState, updatedAt } = server
  if (taskState === null) return []
  const age = ageSince(facts, updatedAt)
  if (age < patienceOf(facts, taskState)) return []
  return [
    {
      ...BLANK_DRAFT,
      kind: 'task-stuck',
      object: instanceObject(server),
      instances: [server.id],
      hosts: server.host === null ? [] : [server.host],
      cause: `The task ${taskState} has made no progress for ${minutes(age)} minutes, and no migration of the instance is in progress.`,
      evidence: [serverEvidence(facts, server), ...(server.host === null ? [] : [serviceEvidence(facts, server.host)])],
      locked: lockOf(facts, server),
      print: serverFingerprint(server),
    },
  ]
}
