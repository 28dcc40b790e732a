import type { CloudFacts } from '../facts'
import { ageSince, isDead, lockOf } from '../history'
import type { CloudMigration, CloudServer, CloudService } from '../snapshot'

// Actions that an operator can request from Nova, with their subjects.

const INSTANCE_ACTION_KINDS = [
  ...(['live-migrate', 'migrate', 'resize', 'confirm', 'revert', 'evacuate', 'shelve', 'unshelve'] as const),
  ...(['start', 'stop', 'reboot', 'rebuild', 'reset-state'] as const),
] as const
const MIGRATION_ACTION_KINDS = ['abort', 'force-complete'] as const
const HOST_ACTION_KINDS = ['enable', 'disable', 'force-down', 'force-up'] as const
export const CLOUD_ACTION_KINDS = [...INSTANCE_ACTION_KINDS, ...MIGRATION_ACTION_KINDS, ...HOST_ACTION_KINDS] as const
export type CloudActionKind = (typeof CLOUD_ACTION_KINDS)[number]

export const SUBJECTS = ['instance', 'migration', 'host'] as const
export type SubjectKind = (typeof SUBJECTS)[number]

/** How the disks of a live migration get to the target. */
export const STORAGE_MODES = ['auto', 'block', 'shared'] as const
export const RESET_STATES = ['active', 'error'] as const

/** The operator's input. Null: left to Nova, or not part of the action. */
export interface ActionInput {
  /** Destination. */
  readonly host: string | null
  readonly storage: (typeof STORAGE_MODES)[number]
  /** Id of a flavor. */
  readonly flavor: string | null
  readonly state: (typeof RESET_STATES)[number]
  /** Nova stores it with a disabled service. */
  readonly reason: string
}
export type ActionField = 'host' | 'storage' | 'flavor' | 'state'

export interface ActionSubject {
  readonly facts: CloudFacts
  readonly server: CloudServer | null
  /** For an instance, its newest one. */
  readonly migration: CloudMigration | null
  readonly service: CloudService | null
}

/** Null: the cloud no longer lists it. */
export function subjectOf(facts: CloudFacts, kind: SubjectKind, id: string): ActionSubject | null {
  if (kind === 'host') {
    const service = facts.services.get(id)
    return service ? { facts, server: null, migration: null, service } : null
  }
  const named = kind === 'migration' ? facts.migrations.get(id) : undefined
  const server = facts.servers.get(kind === 'instance' ? id : (named?.instance ?? ''))
  const migration = named ?? facts.migrationsOf.get(id)?.[0] ?? null
  if (kind === 'migration' ? named === undefined : server === undefined) return null
  return { facts, server: server ?? null, migration, service: facts.services.get(server?.host ?? '') ?? null }
}

export type Need =
  /** No task and no migration in progress. */
  | 'rests'
  /** The state is not overwritten while Nova may still work on the instance. */
  | 'rests-or-stuck'
  | 'host-up'
  /** This call does not rewrite a volume. */
  | 'has-image'
  /** Down, and attested as powered off: a service that is down is no proof. */
  | 'host-fenced'
  | 'source-up'
  | 'is-up'
  /** Down, or attested as powered off before Nova noticed. */
  | 'is-lost'
  | 'is-enabled'
  | 'is-disabled'
  | 'is-forced-down'

const STUCK_TASK_MS = 3_600_000

/** Why a need is not met; null when it is. */
export const NEEDS: Readonly<Record<Need, (subject: ActionSubject) => string | null>> = {
  rests: ({ facts, server }) => {
    const lock = server && lockOf(facts, server)
    return lock === null ? null : `In progress: ${lock}.`
  },
  'rests-or-stuck': ({ facts, server }) => {
    const lock = server && lockOf(facts, server)
    if (server === null || lock === null || ageSince(facts, server.updatedAt) > STUCK_TASK_MS) return null
    return `In progress: ${lock}. Its state can be reset an hour after its last change.`
  },
  'host-up': ({ server, service }) =>
    service?.state === 'up'
      ? null
      : `nova-compute on ${server?.host ?? 'no host'} is ${service?.state ?? 'not listed'}.`,
  'has-image': ({ server }) => (server?.image ? null : 'Its root disk is a volume, or its image is not known.'),
  'host-fenced': ({ facts, server, service }) => {
    if (service?.state !== 'down') return `nova-compute on ${server?.host ?? 'no host'} is not down.`
    return isDead(facts, server?.host ?? null)
      ? null
      : `Nobody attested that ${server?.host} is powered off. Its instances may run, and an evacuation would start second copies.`
  },
  'source-up': ({ facts, migration }) => {
    const source = migration?.sourceHost ?? ''
    return facts.services.get(source)?.state === 'up' ? null : `nova-compute on the source ${source} is down.`
  },
  'is-up': ({ service }) => (service?.forcedDown ? 'It is forced down already.' : null),
  'is-lost': ({ facts, service }) =>
    service?.state === 'down' || isDead(facts, service?.host ?? null)
      ? null
      : 'nova-compute is up. Mark the host as fenced first if it is powered off.',
  'is-enabled': ({ service }) => (service?.status === 'enabled' ? null : 'It is disabled already.'),
  'is-disabled': ({ service }) => (service?.status === 'disabled' ? null : 'It is enabled already.'),
  'is-forced-down': ({ service }) => (service?.forcedDown ? null : 'It is not forced down.'),
}
