import type { Flavor, GroupPolicy, Image } from '../engine/demand'
import type { HostAdmission, HostTruth } from '../engine/host'
import type { MemoryPolicy } from '../engine/memory/policy'
import type { Cause, Operation, Outcome, Progress, Side, Step, Wish } from '../engine/migration/state'
import type { ProofLaw } from '../engine/proof/disproof'
import type { StorageMode, StorageUsed } from '../engine/storage/storage'
import type { ForceMethod } from '../engine/words/force'
import type {
  BuildInput,
  ClaimView,
  Held,
  HostAction,
  HostConsequences,
  HostDetail,
  HostListInput,
  HostRow,
  InstanceDetail,
  InstanceListInput,
  InstanceRow,
  ListCondition,
  MappingView,
  Ms,
  Page,
  PageInput,
  Permits,
  Ref,
  RefusalView,
  Role,
  SessionView,
  SimulatorFault,
} from './contract'
import type { HostMapView } from './contract-map'
import type { OverviewView } from './contract-overview'
import type { Mutation, Query } from './contract-procedure'
import type { AwaySpan, HeldSpan, PaceView, StepView } from './contract-steps'
import type { Verdict } from './contract-truth'

// The second half of the contract: moves, why-nots, events, and the list of procedures at the end.

// ── migrations ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** flight: carried or queued. waiting: for a person, a host or a retry. overdue: longer in its step than its history says. */
export type MigrationView = 'flight' | 'waiting' | 'overdue' | 'history' | 'all'
export type MigrationSort = 'started' | 'instance' | 'operation' | 'step' | 'source' | 'target' | 'ended' | 'due'

/** `state`: flight, queued, waiting, overdue, or its outcome. `waiting`: what it waits for. */
export type MigrationField =
  | 'text'
  | 'instance'
  | 'host'
  | 'from'
  | 'to'
  | 'operation'
  | 'step'
  | 'state'
  | 'outcome'
  | 'waiting'
  | 'wish'

export interface MigrationListInput extends PageInput<MigrationSort> {
  readonly view: MigrationView
  readonly where?: readonly ListCondition<MigrationField>[]
  readonly q?: string
  readonly operation?: readonly Operation[]
  readonly outcome?: readonly Outcome[]
  readonly waitingFor?: readonly WaitingView['for'][]
  readonly host?: string
  readonly instance?: string
}

export type WaitingView =
  | { readonly for: 'slot'; readonly place: number; readonly since: Ms }
  | { readonly for: 'host'; readonly host: Ref; readonly why: string; readonly since: Ms }
  | { readonly for: 'person'; readonly since: Ms }
  | { readonly for: 'retry'; readonly why: string; readonly nextAt: Ms; readonly since: Ms }
  /** Parked: which law its records break, and why. */
  | { readonly for: 'repair'; readonly law: ProofLaw; readonly why: string; readonly since: Ms }

/** A wish from asking to effect: each time is null until it has come. */
export interface WishTrail {
  readonly wish: Wish
  readonly by: string
  readonly reason: string | null
  readonly askedAt: Ms
  readonly acceptedAt: Ms | null
  readonly effectiveAt: Ms | null
  /** Set when the machine would not heed it any more. */
  readonly refused: string | null
}

export interface MigrationCounts extends Readonly<Record<MigrationView, number>> {
  readonly notConverging: number
}

export interface MigrationRow {
  readonly id: string
  readonly instance: Ref
  readonly operation: Operation
  readonly source: Ref | null
  readonly target: Ref | null
  readonly step: Step
  readonly heading: Side
  readonly home: Side
  readonly handedOver: boolean
  readonly outcome: Outcome | null
  readonly waiting: WaitingView | null
  readonly wish: WishTrail | null
  readonly progress: Progress | null
  /** The guest dirties memory faster than the link copies it: the transfer does not end by itself. */
  readonly notConverging: boolean
  readonly startedAt: Ms
  readonly stepSince: Ms
  readonly endedAt: Ms | null
  readonly dueAt: Ms | null
  /** What is held on both sides at once now; null when nothing is. */
  readonly heldTwice: Held | null
  readonly heldTwiceSince: Ms | null
  /** From when on its step is overdue by its history; null when it has ended or has too little history. */
  readonly overdueAt: Ms | null
  readonly pace: PaceView | null
  readonly permitted: Permits<Wish>
}

export interface CauseView extends Omit<Cause, 'refusals'> {
  readonly refusals: readonly { readonly host: Ref; readonly refusals: readonly RefusalView[] }[]
}

export interface MigrationDetail extends MigrationRow {
  readonly requestedTarget: Ref | null
  readonly startedBy: string
  readonly reason: string | null
  readonly oldFlavor: Flavor
  readonly newFlavor: Flavor
  readonly oldImage: Image
  readonly newImage: Image
  readonly keepsClaim: boolean
  /** How a live migration was asked to treat the disk, and what its claim picked. */
  readonly storage: StorageMode | null
  readonly storageUsed: StorageUsed | null
  readonly wasRunning: boolean
  readonly attempt: number
  readonly tried: readonly Ref[]
  readonly generation: number
  readonly fence: number
  readonly cause: CauseView | null
  readonly steps: readonly StepView[]
  readonly spans: readonly HeldSpan[]
  /** When no server led it; oldest first. */
  readonly away: readonly AwaySpan[]
  /** What each side holds now; null when that side holds nothing. */
  readonly sourceClaim: ClaimView | null
  readonly targetClaim: ClaimView | null
  /** Kept after the end too; null when no claim was ever made. */
  readonly mapping: MappingView | null
  readonly progressHistory: readonly Progress[]
  readonly wishes: readonly WishTrail[]
}

/** What a wish would free and bring back, per host. */
export interface ConsequenceHost {
  readonly host: Ref
  readonly held: Held
  readonly units: readonly string[]
}
export interface MoveConsequences {
  readonly wish: Wish
  readonly permitted: readonly Ref[]
  /** `name` is the instance's. */
  readonly refused: readonly (Ref & { readonly why: string })[]
  readonly frees: readonly ConsequenceHost[]
  readonly keeps: readonly ConsequenceHost[]
  /** The guest is stopped or paused by it. */
  readonly stopsGuests: number
  /** How many would be forced by which method; empty for every other request. */
  readonly methods: readonly { readonly method: ForceMethod; readonly count: number; readonly pausedMs: Ms | null }[]
  /** What the adviser says of it, worst first: each judgement once, with how many of the migrations share it. */
  readonly advice: readonly {
    readonly verdict: Verdict
    readonly because: string
    readonly needs: readonly string[]
    readonly count: number
  }[]
  readonly noWayBack: boolean
  readonly needsReason: boolean
  readonly needsTypedName: boolean
}
export interface WishResult {
  readonly id: string
  readonly acceptedAt: Ms | null
  readonly refusal: RefusalView | null
}

// ── why, and why not ───────────────────────────────────────────────────────────────────────────────────────────────

export type ExplainInput =
  | {
      readonly for: 'move'
      readonly instance: string
      readonly operation: Operation
      readonly flavor?: string
      readonly image?: string
      /** Of a live migration; absent is auto. */
      readonly storage?: StorageMode
    }
  | {
      readonly for: 'build'
      readonly flavor: string
      readonly image: string
      readonly zone?: string
      readonly group?: string
    }

export interface HostVerdict {
  readonly host: Ref
  readonly zone: string | null
  readonly truth: HostTruth
  readonly admission: HostAdmission
  readonly verdict: 'ok' | 'warning' | 'refused'
  /** Place in the scheduler's order among those that fit; null when refused. */
  readonly rank: number | null
  readonly isSource: boolean
  /** What a live migration to this host does with the disk; null when refused, and for every other operation. */
  readonly storage: StorageUsed | null
  readonly refusals: readonly RefusalView[]
  readonly warnings: readonly RefusalView[]
}
/** One rule of one host: its worst case with at most one holder, the one with most, and how many cases there are. */
export interface RuleInShort extends RefusalView {
  readonly times: number
}
/** Five hundred hosts with every case of every rule would be megabytes: `move.plan` tells one host in full. */
export interface VerdictInShort extends Omit<HostVerdict, 'refusals' | 'warnings'> {
  /** One entry per rule; of a host that takes it with warnings, those. */
  readonly reasons: readonly RuleInShort[]
  /** Set of a host that takes it and does not answer: it ranks behind all others, as the scheduler ranks it. */
  readonly silence: Silence | null
}
/** When a host that does not answer last did; null of one that never did. */
export interface Silence {
  readonly since: Ms | null
}
export interface ExplainView {
  /** May the move be started at all, whatever the host? */
  readonly permit: { readonly ok: true } | { readonly ok: false; readonly why: string }
  readonly demand: Held
  readonly counts: { readonly ok: number; readonly warning: number; readonly refused: number }
  /** In the scheduler's order, refused ones after, by number of refusals, then by name. */
  readonly hosts: readonly VerdictInShort[]
  readonly tookMs: number
  readonly seq: string
}
/** The claim that would be made on one host now; built from the same decision as the claim itself (I7). */
export interface PlanView {
  /** Every reason in full. */
  readonly verdict: HostVerdict
  /** Old → new as the claim would be; null when it is refused. */
  readonly mapping: MappingView | null
  /** Of a host that is stated up and does not answer, which the decision leaves open: since when. Null when it answers. */
  readonly silence: { readonly since: Ms | null } | null
}

export interface StartInput {
  readonly instance: string
  readonly operation: Operation
  /** Absent: the scheduler chooses. */
  readonly host?: string
  readonly flavor?: string
  readonly image?: string
  /** Of a live migration; absent is auto. Nova's block_migration: auto, false (shared), true (block). */
  readonly storage?: StorageMode
}

// ── events ────────────────────────────────────────────────────────────────────────────────────────────

export interface EventView {
  readonly seq: string
  readonly at: Ms
  readonly kind: string
  readonly hosts: readonly Ref[]
  readonly instance: Ref | null
  readonly migration: string | null
  readonly who: string
  readonly request: string | null
  readonly reason: string | null
  readonly data: Readonly<Record<string, unknown>>
}
export interface EventListInput {
  readonly host?: string
  readonly instance?: string
  readonly migration?: string
  /** Events before this sequence, newest first. */
  readonly before?: string
  readonly limit?: number
}
/** One message of `event.stream`, sent as `tracked(seq, item)`. A beat at least every 10 s keeps the live mark honest. */
export type StreamItem =
  | { readonly is: 'beat'; readonly at: Ms; readonly seq: string }
  /** What became true since the last message, in order; `seq` is the last one's. */
  | { readonly is: 'events'; readonly seq: string; readonly events: readonly StreamEvent[] }
export interface StreamEvent {
  readonly seq: string
  readonly at: Ms
  readonly kind: string
  readonly hosts: readonly string[]
  readonly instance: string | null
  readonly migration: string | null
}

export interface GroupView extends Ref {
  readonly policy: GroupPolicy
  readonly members: number
}

/** For admins. Passwords go in and never come out. */
export interface UserView extends Ref {
  readonly username: string
  readonly email: string
  readonly role: Role
  readonly createdAt: Ms
}
export type NewUser = Omit<UserView, 'id' | 'createdAt'> & { readonly password: string }

// ── procedures ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Ids in inputs are the uuid of the thing; a flavor and an image are named by their name. */
export interface Procedures {
  readonly 'session.me': Query<void, SessionView | null>
  readonly 'overview.get': Query<void, OverviewView>

  readonly 'host.list': Query<HostListInput, Page<HostRow>>
  readonly 'host.zones': Query<void, readonly string[]>
  readonly 'host.byId': Query<{ id: string }, HostDetail>
  readonly 'host.map': Query<{ id: string }, HostMapView>
  readonly 'host.claims': Query<{ id: string }, readonly ClaimView[]>
  readonly 'host.consequences': Query<{ id: string; action: HostAction }, HostConsequences>
  /** `proposal`: it needs a second person, so it was asked and nothing was stated yet. */
  readonly 'host.setTruth': Mutation<
    { id: string; truth: HostTruth; reason?: string },
    { acceptedAt: Ms; proposal?: string }
  >
  readonly 'host.setMemory': Mutation<{ id: string; policy: MemoryPolicy; reason: string }, { acceptedAt: Ms }>
  readonly 'host.setAdmission': Mutation<
    { id: string; admission: 'open' | 'disabled'; reason?: string },
    { acceptedAt: Ms }
  >

  readonly 'instance.list': Query<InstanceListInput, Page<InstanceRow>>
  readonly 'instance.byId': Query<{ id: string }, InstanceDetail>
  readonly 'instance.build': Mutation<BuildInput, { instance: string }>
  readonly 'instance.delete': Mutation<{ id: string; reason?: string }, { acceptedAt: Ms }>

  readonly 'move.explain': Query<ExplainInput, ExplainView>
  readonly 'move.plan': Query<ExplainInput & { host: string }, PlanView>
  readonly 'move.start': Mutation<StartInput, { migration: string }>

  readonly 'migration.list': Query<MigrationListInput, Page<MigrationRow>>
  readonly 'migration.counts': Query<void, MigrationCounts>
  readonly 'migration.byId': Query<{ id: string }, MigrationDetail>
  readonly 'migration.consequences': Query<{ ids: readonly string[]; wish: Wish }, MoveConsequences>
  /** One or up to 200 at once; each answers for itself. */
  readonly 'migration.wish': Mutation<{ ids: readonly string[]; wish: Wish; reason?: string }, readonly WishResult[]>

  readonly 'event.list': Query<EventListInput, readonly EventView[]>
  /** Subscription: input { lastEventId?: string }, yields tracked(seq, StreamItem). */
  readonly 'event.stream': {
    readonly type: 'subscription'
    readonly input: { lastEventId?: string }
    output: StreamItem
  }
  /** The same without a channel: what came after that sequence, at once, and a beat as the last item. */
  readonly 'event.since': Query<{ after?: string }, readonly StreamItem[]>

  readonly 'flavor.list': Query<void, readonly Flavor[]>
  readonly 'image.list': Query<void, readonly Image[]>
  readonly 'group.list': Query<void, readonly GroupView[]>

  readonly 'user.list': Query<void, readonly UserView[]>
  readonly 'user.create': Mutation<NewUser, UserView>
  readonly 'user.setRole': Mutation<{ id: string; role: Role }, UserView>
  readonly 'user.setPassword': Mutation<{ id: string; password: string }, { id: string }>

  readonly 'simulator.fault': Mutation<SimulatorFault, { appliedAt: Ms }>
}
