import type { ClaimPlan } from './claim'
import type { Flavor, Image } from './demand'
import type { GroupGuard } from './group'
import type { Host, HostScheduling, HostStatus } from './host'
import type { MemoryPolicy } from './memory/policy'
import type { Migration, Side, StepRecord } from './migration/state'
import type { PowerRequest } from './power/request'
import type { ObservedPower } from './power/state'
import { guardOf, type ProviderGuard } from './resources/guard'
import type { Amount } from './resources/inventory'
import type { Line } from './rows'
import type { ClaimId, ConsumerId, GroupId, HostId, InstanceId, MigrationId } from './words/ids'
import type { MayBeUnreadable } from './words/unreadable'

// The one form in which decisions reach the tables. A change names the generations it relied on and what to write; the
// store and the simulation apply all of it or nothing.

/** deleting: accepted for deletion, its domain and claim not yet gone; accepts no further migration. */
export const VM_STATES = ['building', 'active', 'paused', 'stopped', 'shelved', 'error', 'deleting'] as const
export type VmState = (typeof VM_STATES)[number]

export interface Instance extends MayBeUnreadable {
  readonly id: InstanceId
  readonly name: string
  readonly project: string
  readonly flavor: Flavor
  readonly image: Image
  /** Recorded host; null while shelved or before the first host. */
  readonly host: HostId | null
  readonly vmState: VmState
  readonly zone: string | null
  readonly group: GroupId | null
  readonly generation: number
  /** The requested power action that is not done yet. */
  readonly powerRequest?: PowerRequest | null
  /** Observed, not recorded: null when its host was never surveyed, omitted by callers that have only the records. */
  readonly power?: ObservedPower | null
}

export type Write =
  | { readonly do: 'insert-instance'; readonly instance: Instance }
  | {
      readonly do: 'update-instance'
      readonly id: InstanceId
      readonly set: Partial<Pick<Instance, 'host' | 'vmState' | 'flavor' | 'image' | 'powerRequest'>>
      /** A start by the rule of its host: a second one before its observed power changes is a conflict. */
      readonly byRule?: true
    }
  | { readonly do: 'delete-instance'; readonly id: InstanceId }
  | { readonly do: 'insert-migration'; readonly migration: Migration }
  /** Replaces the row; the store raises the generation, the lease sets the fence. */
  | { readonly do: 'put-migration'; readonly migration: Migration }
  | { readonly do: 'put-step'; readonly step: StepRecord }
  /** Instance and migration swap what they hold (L2), except what is kept with the instance. Its own inverse. */
  | {
      readonly do: 'exchange'
      readonly instance: InstanceId
      readonly migration: MigrationId
      readonly keptAmounts?: readonly Amount[]
    }
  | {
      readonly do: 'take'
      readonly claim: ClaimId
      readonly consumer: ConsumerId
      readonly consumerKind: 'instance' | 'migration'
      readonly instance: InstanceId
      readonly plan: ClaimPlan
    }
  /** Releases all that the consumer holds. */
  | { readonly do: 'release'; readonly consumer: ConsumerId }
  /** A migration ended while this side's host was dead: its files are still there when the host returns. */
  | {
      readonly do: 'note-remains'
      readonly host: HostId
      readonly instance: InstanceId
      /** Null when the instance was deleted while its host was dead: then nothing of it may stay. */
      readonly migration: MigrationId | null
      readonly side: Side
    }
  /** The host was cleaned up after that migration (null: after any deletion) of the instance. */
  | {
      readonly do: 'clear-remains'
      readonly host: HostId
      readonly instance: InstanceId
      readonly migration: MigrationId | null
    }
  /** Raises the generation of the host's root provider: a claim decided before the status changed must not commit. */
  | {
      readonly do: 'set-host'
      readonly id: HostId
      readonly set: {
        readonly status?: HostStatus
        readonly scheduling?: HostScheduling
        readonly memory?: MemoryPolicy
        readonly reason?: string
        /** Starts instances that ran there before, once the host is back. */
        readonly resumesGuests?: boolean
      }
    }
  /** A reviewed line of a repair or layout conversion. It is applied only while its row still reads as it was shown. */
  | { readonly do: 'row'; readonly line: Line }

/**
 * Generations checked after the rows are locked, in a fixed order; each is raised by one when the change commits. A
 * migration may be inserted only while its instance has no active one; a partial unique index enforces that too.
 */
export interface Guards {
  /** generation null: lock and raise, but do not check (a release). */
  readonly providers: readonly (Omit<ProviderGuard, 'generation'> & { readonly generation: number | null })[]
  readonly instance: InstanceGuard | null
  /** Other instances whose rows a repair writes: a migration, build or deletion of one that began since is a conflict. */
  readonly furtherInstances?: readonly InstanceGuard[]
  readonly migration: { readonly id: MigrationId; readonly generation: number; readonly fence: number | null } | null
  readonly group: GroupGuard | null
  /** Of a claim: the limit of migrations in flight in the fleet, this one included. */
  readonly fleetLimit?: number
}

export interface InstanceGuard {
  readonly id: InstanceId
  readonly generation: number
}

export const instanceGuards = ({ instance, furtherInstances = [] }: Guards): readonly InstanceGuard[] =>
  instance === null ? furtherInstances : [instance, ...furtherInstances]

export const NO_GUARDS: Guards = { providers: [], instance: null, migration: null, group: null }

/** The host's root at the generation that was read: a claim, release or exchange made since is a conflict. */
export const rootGuard = (host: Host | null): Guards['providers'] => host?.providers.slice(0, 1).map(guardOf) ?? []

/** The author of a change (I9): a person or program with the request that caused it, or the conductor. */
export interface Actor {
  readonly who: string
  readonly request: string | null
  readonly reason: string | null
  /** For the audit log; no decision depends on it. */
  readonly origin?: Origin
}

/** The role, credential and address of a request. */
export interface Origin {
  readonly role: string
  /** The credential used: `session` or `token`, and its id in lists. Never the secret itself. */
  readonly credential: string
  readonly address: string | null
}

export interface EventBody {
  /** `migration.claimed`, `instance.built`, `host.status` …: noun, dot, participle or field. */
  readonly kind: string
  readonly hosts: readonly HostId[]
  readonly instance: InstanceId | null
  readonly migration: MigrationId | null
  readonly data: Readonly<Record<string, unknown>>
  /**
   * No client waits for this event. It is written only when the change raises a generation, which other servers'
   * projections must follow.
   */
  readonly quiet?: boolean
}

/** Author and time of a change; ms since the epoch, by the database's clock. */
export interface Attribution {
  readonly actor: Actor
  readonly at: number
}

export interface Change extends Attribution {
  readonly guards: Guards
  readonly writes: readonly Write[]
  readonly event: EventBody
}

/**
 * The reason why nothing of the change was written. `owner`: the consumer belongs to another client, and only that
 * client writes it. `law`: no concurrent write, but what the change would release, exchange or clear is not what it
 * must be (`engine/proof`).
 */
export interface Conflict {
  readonly on:
    | 'provider'
    | 'instance'
    | 'migration'
    | 'fence'
    | 'group'
    | 'limit'
    | 'unit'
    | 'active-migration'
    | 'row'
    | 'owner'
    | 'law'
  readonly id: string
  readonly expected: string
  readonly found: string
}

/** The conflict of a change that was decided on the result of an uncommitted change; null for other changes. */
export function lostBasis({ guards }: Change): Conflict | null {
  const lost = guards.providers.find(({ pending }) => pending?.isLost)
  if (!lost) return null
  const found = 'the write that it relies on was not committed'
  return { on: 'provider', id: lost.provider, expected: `${lost.generation}`, found }
}

export type ChangeResult = { readonly ok: true } | { readonly ok: false; readonly conflict: Conflict }
