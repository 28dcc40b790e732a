import type { Instance } from '../change'
import type { Demand, Group } from '../demand'
import type { ClaimBody, Host } from '../host'
import type { Operation } from '../migration/state'
import type { Policy } from '../scheduler'
import type { GroupId, HostId, InstanceId, MigrationId } from '../words/ids'
import type { HostRefusals, Refusal, RefusalKind } from '../words/refusal'

// Input and output of the drain planner. A drain empties a running host; an evacuation rebuilds the instances of a dead
// host elsewhere. Both plan alike; only the first operation of each instance differs.

export type RunKind = 'drain' | 'evacuation'
/** What to do with an instance that cannot migrate live. */
export type Fallback = 'cold' | 'stay' | 'stop'
/** The operator's choice for one instance; it overrides the fallback. */
export type DrainChoice = 'live-migrate' | 'cold-migrate' | 'stay'

/** One instance as the planner sees it: on the host to empty, or on another host and possibly moved to make room. */
export interface DrainInstance {
  readonly record: Instance
  /** Null when flavor and image no longer make a valid demand: then the instance cannot be planned. */
  readonly demand: Demand | null
  readonly activeMigration: MigrationId | null
  readonly chosen: DrainChoice | null
  /** Higher goes first. */
  readonly priority: number
}

/** A server group without its members' hosts: those are read from the hosts and change from step to step. */
export type GroupRule = Omit<Group, 'memberHosts'>

/** The bound of a search: with this many decisions even a large fleet is planned within 3 s. */
export const DRAIN_STEPS = 60_000

export interface MigrationLimits {
  readonly perSource: number
  readonly perTarget: number
  readonly fleet: number
}

/** Defaults, unless an operator has set others. */
export const DEFAULT_LIMITS: MigrationLimits = { perSource: 2, perTarget: 2, fleet: 64 }

export interface DrainInput {
  readonly kind: RunKind
  readonly host: HostId
  readonly hosts: readonly Host[]
  /** Instances of the host to empty and, when others may be moved, of the other hosts. */
  readonly instances: readonly DrainInstance[]
  readonly groups: readonly GroupRule[]
  /** Members of those groups, including instances outside `instances`. */
  readonly members: ReadonlyMap<InstanceId, GroupId>
  readonly limits: MigrationLimits
  readonly policy: Policy
  readonly fallback: Fallback
  /** Whether instances of other hosts may be moved to make room. */
  readonly helpersAllowed: boolean
  /** Maximum number of decisions on hosts before the search ends without an answer. */
  readonly steps: number
}

/** How many hosts were checked, and how many of them refuse by each rule; a host may refuse by several. */
export interface RefusalCounts {
  readonly of: number
  readonly rules: readonly { readonly rule: RefusalKind; readonly hosts: number }[]
}

export interface DrainMigration {
  readonly instance: InstanceId
  readonly from: HostId
  readonly to: HostId
  readonly method: Operation
  /** True for an instance of another host that is moved to make room. */
  readonly helper: boolean
  /** Indexes in the list of migrations, from 0, of those that must end first because they make its room. */
  readonly after: readonly number[]
  /** From 1. Migrations of one batch may run in parallel: both sides of each are held until all of them ended. */
  readonly wave: number
  /** Hosts that would have accepted it at that step. */
  readonly fits: number
  /** Why it does not migrate live; empty when it does, or when it is not running. */
  readonly notLive: readonly Refusal[]
  /** The same over all hosts; null when it migrates live, or is not running. */
  readonly refusing: RefusalCounts | null
  readonly body: ClaimBody
}

/** exhaustive: every order was tried. bounded: the search hit its limit. no-host-at-all: not even on empty hosts. */
export type Proof = 'exhaustive' | 'bounded' | 'no-host-at-all'

/** One change after which the instance could go; `decide` has confirmed each. */
export type SmallestChange =
  | { readonly is: 'move-cold'; readonly host: HostId }
  | { readonly is: 'enable-host'; readonly host: HostId }
  | { readonly is: 'host-up'; readonly host: HostId }
  | { readonly is: 'guest-away'; readonly host: HostId; readonly instance: InstanceId }
  | { readonly is: 'drop-group'; readonly host: HostId; readonly group: GroupId }
  | { readonly is: 'drop-zone'; readonly host: HostId; readonly zone: string }
  | { readonly is: 'more-room'; readonly host: HostId; readonly refusals: readonly Refusal[] }

/** An instance that the plan leaves on the host. */
export interface RemainingInstance {
  readonly instance: InstanceId
  readonly is: 'stays' | 'stops' | 'blocked'
  /** The hosts closest to accepting it, with their reasons. */
  readonly refusals: readonly (HostRefusals & { readonly host: HostId })[]
  /** The most frequent rule among the refusals. */
  readonly rule: RefusalKind | null
  readonly proof: Proof
  readonly change: SmallestChange | null
  /** Over all hosts, not only those listed. Null when none was checked; rows of an older plan have none. */
  readonly refusing?: RefusalCounts | null
}

export interface DrainPlan {
  readonly migrations: readonly DrainMigration[]
  readonly remaining: readonly RemainingInstance[]
  /** Number of decisions on hosts. */
  readonly decisions: number
}
