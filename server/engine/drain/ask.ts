import type { Instance } from '../books'
import type { Demand, Group } from '../demand'
import type { ClaimBody, Host } from '../host'
import type { Operation } from '../migration/state'
import type { Policy } from '../scheduler'
import type { GroupId, HostId, InstanceId, MigrationId } from '../words/ids'
import type { HostRefusals, Refusal, RefusalKind } from '../words/refusal'

// Input and output of the drain planner. A drain empties a running host; an evacuation rebuilds the instances of a dead
// host elsewhere. The search is the same: only the first operation of each instance differs.

export type RunKind = 'drain' | 'evacuation'
/** What may be done with a guest that cannot move live. */
export type Fallback = 'cold' | 'stay' | 'stop'
/** What a person chose for one guest; it goes before the fallback. */
export type Chosen = 'live-migrate' | 'cold-migrate' | 'stay'

/** One instance as the planner sees it: on the host to empty, or on another host where it may have to make room. */
export interface DrainGuest {
  readonly instance: Instance
  /** Null when flavor and image do not make a demand any more: then nothing can be decided about it. */
  readonly demand: Demand | null
  readonly moving: MigrationId | null
  readonly chosen: Chosen | null
  /** Higher goes first. */
  readonly priority: number
}

/** A server group without its members' places: those are read off the hosts, and change from step to step. */
export type GroupRule = Omit<Group, 'memberHosts'>

/** Where a search ends without an answer: with this many questions even a large fleet is answered within 3 s. */
export const DRAIN_STEPS = 60_000

export interface MoveLimits {
  readonly perSource: number
  readonly perTarget: number
  readonly fleet: number
}

/** Unless an operator has set others. */
export const USUAL_LIMITS: MoveLimits = { perSource: 2, perTarget: 2, fleet: 64 }

export interface DrainAsk {
  readonly kind: RunKind
  readonly host: HostId
  readonly hosts: readonly Host[]
  /** Guests of the host to empty and, when others may step aside, of the other hosts. */
  readonly guests: readonly DrainGuest[]
  readonly groups: readonly GroupRule[]
  /** Members of those groups, also those that are no guests of the question. */
  readonly members: ReadonlyMap<InstanceId, GroupId>
  readonly limits: MoveLimits
  readonly policy: Policy
  readonly fallback: Fallback
  /** Whether guests of other hosts may be moved to make room. */
  readonly others: boolean
  /** How many host checks the search may make before it gives up. */
  readonly steps: number
}

/** How many hosts were checked, and how many of them refuse by each rule; a host may refuse by several. */
export interface Refusing {
  readonly of: number
  readonly rules: readonly { readonly rule: RefusalKind; readonly hosts: number }[]
}

export interface DrainMove {
  readonly instance: InstanceId
  readonly from: HostId
  readonly to: HostId
  readonly method: Operation
  /** True for a guest of another host that steps aside. */
  readonly helper: boolean
  /** Places in the list of moves, from 0, of those that must have ended first because they make its room. */
  readonly after: readonly number[]
  /** From 1. Moves of one wave may run side by side: both sides of each are held until all of them ended. */
  readonly wave: number
  /** Hosts that would have taken it when its turn came. */
  readonly fits: number
  /** Why it does not move live; empty when it does, or when it is not running. */
  readonly notLive: readonly Refusal[]
  /** The same over all hosts; null when it moves live, or is not running. */
  readonly refusing: Refusing | null
  readonly body: ClaimBody
}

/** exhaustive: every order was tried. bounded: the search ended at its limit. no-host-at-all: not even on empty hosts. */
export type Proof = 'exhaustive' | 'bounded' | 'no-host-at-all'

/** One change after which the instance would go; each was verified by `decide`. */
export type SmallestChange =
  | { readonly is: 'move-cold'; readonly host: HostId }
  | { readonly is: 'enable-host'; readonly host: HostId }
  | { readonly is: 'host-up'; readonly host: HostId }
  | { readonly is: 'guest-away'; readonly host: HostId; readonly instance: InstanceId }
  | { readonly is: 'drop-group'; readonly host: HostId; readonly group: GroupId }
  | { readonly is: 'drop-zone'; readonly host: HostId; readonly zone: string }
  | { readonly is: 'more-room'; readonly host: HostId; readonly refusals: readonly Refusal[] }

/** A guest that the plan leaves on the host. */
export interface Left {
  readonly instance: InstanceId
  readonly is: 'stays' | 'stops' | 'blocked'
  /** The hosts nearest to a yes, with their reasons. */
  readonly refusals: readonly (HostRefusals & { readonly host: HostId })[]
  /** The rule that refused most often. */
  readonly rule: RefusalKind | null
  readonly proof: Proof
  readonly change: SmallestChange | null
  /** Of all hosts, not only of those listed. Null without checks; rows of an older plan have none. */
  readonly refusing?: Refusing | null
}

export interface DrainPlan {
  readonly moves: readonly DrainMove[]
  readonly left: readonly Left[]
  /** How many host checks were made. */
  readonly asked: number
}
