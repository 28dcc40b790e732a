import type { Refusing } from '../engine/drain/ask'
import type { HostTruth } from '../engine/host'
import type { Operation } from '../engine/migration/state'
import type { Held, HostContact, Ms, Permit, Permits, Ref, RefusalView } from './contract'
import type { Mutation, Query } from './contract-procedure'
import type { ProposalView } from './contract-truth'

// What the console asks about work over many guests: emptying a host (a drain), bringing the guests of a dead host up
// elsewhere (an evacuation), and spreading a host's inventory over nested providers (its layout).

// ── drains and evacuations ─────────────────────────────────────────────────────────────────────────────────────────

export type { Refusing } from '../engine/drain/ask'
export type RunKind = 'drain' | 'evacuation'
/** draft: planned, not started. stopping: what is in flight ends, nothing more starts. */
export type RunState = 'draft' | 'running' | 'paused' | 'stopping' | 'done' | 'stopped'
/** helper: another guest, of another host, that makes room first. */
export type PlannedState = 'planned' | 'waiting' | 'moving' | 'done' | 'failed' | 'skipped' | 'stays' | 'blocked'

/** What may be done with a guest that cannot move live. */
export type Fallback = 'cold' | 'stay' | 'stop'

export interface PlannedMove {
  readonly n: number
  readonly instance: Ref
  readonly from: Ref
  readonly to: Ref | null
  readonly method: Operation | 'stop' | null
  readonly helper: boolean
  /** Moves that must have ended first, because they make its room. */
  readonly after: readonly number[]
  readonly wave: number
  readonly priority: number
  readonly held: Held
  /** In one sentence: why here, why so, why now. */
  readonly why: string
  /** Over all hosts: why none takes it, or none takes it live. Null where that is not the reason. */
  readonly refusing: Refusing | null
  readonly state: PlannedState
  readonly migration: string | null
  /** Why it has no target, most telling hosts first. */
  readonly refusals: readonly { readonly host: Ref; readonly refusals: readonly RefusalView[] }[]
  readonly permitted: Permits<'skip' | 'change-method' | 'retry'>
}

export interface Blocker {
  readonly instance: Ref
  readonly why: string
  readonly rule: string | null
  readonly refusing: Refusing | null
  /** The smallest change that would make a plan: `4 more whole cores on any host of zone z1`. */
  readonly smallestChange: string | null
  /** exhaustive: every order was tried. bounded: the search ended at its limit. */
  readonly proof: 'exhaustive' | 'bounded' | 'no-host-at-all'
}

export interface RunRow {
  readonly id: string
  readonly kind: RunKind
  readonly host: Ref
  readonly state: RunState
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Guests that stay on the host, by choice or for want of room. */
  readonly left: number
  readonly by: string
  readonly reason: string | null
  readonly at: Ms
  readonly endedAt: Ms | null
  readonly permitted: Permits<'start' | 'pause' | 'resume' | 'stop' | 'replan'>
}

/** How the plan changed, as a diff: what was planned before against what is planned now. */
export interface PlanDiff {
  readonly version: number
  readonly at: Ms
  readonly because: string
  readonly lines: readonly { readonly sign: '-' | '+' | '~'; readonly instance: Ref; readonly what: string }[]
}

export interface RunDetail extends RunRow {
  readonly planVersion: number
  readonly fallback: Fallback
  readonly helpersAllowed: boolean
  /** Why it stopped, or who stopped it; null while it goes on. */
  readonly note: string | null
  /** Why it is being planned anew in this moment; null when it is not. */
  readonly replanning: string | null
  readonly moves: readonly PlannedMove[]
  readonly blockers: readonly Blocker[]
  readonly diffs: readonly PlanDiff[]
  /** Hosts the plan touches, with what each holds before and after every wave; for the puzzle. */
  readonly board: readonly {
    readonly host: Ref
    readonly capacity: { readonly pcpu: number; readonly vcpu: number; readonly memoryMib: number }
    readonly guests: readonly { readonly instance: Ref; readonly held: Held }[]
  }[]
  readonly tookMs: number
  readonly estimate: RunEstimate
}

/** From what the steps of earlier migrations took. */
export interface RunEstimate {
  /** Until all is moved, half of the times and 19 times of 20; null without a baseline. */
  readonly leftMs: { readonly p50: Ms; readonly p95: Ms } | null
  /** All guests together, from now to the end; null without a baseline. */
  readonly downtimeMs: Ms | null
  /** By the migrations of this run so far; null when one of them did not say. */
  readonly causedMs: Ms | null
  /** Operations without a baseline. */
  readonly without: readonly Operation[]
}

export interface EvacuationView {
  readonly host: Ref
  readonly lastSeenAt: Ms | null
  readonly truth: HostTruth
  readonly contact: HostContact | null
  /** Whether anybody says that no guest runs there. A person's word is attested, and nothing more. */
  readonly fencing: {
    /** contradicted: a survey after the statement found the host answering. */
    readonly state: 'none' | 'attested' | 'contradicted'
    readonly by: string | null
    readonly at: Ms | null
    readonly how: string
    /** The reason that was given with it. */
    readonly reason: string | null
  }
  readonly permit: Permit
  readonly run: string | null
  /** True when starting it asks a second person instead. */
  readonly asks: boolean
  /** The question that waits for a second person; null when none does. */
  readonly approval: ProposalView | null
  /** After its return: guests that still stand there and must go before it may take anything. */
  readonly stale: readonly { readonly instance: Ref; readonly sight: string; readonly livesOn: Ref | null }[]
  readonly quarantined: boolean
}

/** Who would go where. Asked apart: working it out takes seconds on a full fleet, and what is known does not wait for it. */
export interface EvacuationPlan {
  readonly guests: readonly PlannedMove[]
  readonly blockers: readonly Blocker[]
}

// ── layout ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export type LayoutState = 'flat' | 'planned' | 'blocked' | 'transforming' | 'healed' | 'verified' | 'failed'
export interface TreeNode {
  readonly name: string
  readonly is: 'root' | 'cell' | 'pf' | 'gpu' | 'pmem'
  readonly inventories: readonly {
    readonly resourceClass: string
    readonly total: number
    readonly reserved: number
    readonly used: number
  }[]
  readonly children: readonly TreeNode[]
}
export interface LayoutRow {
  readonly host: Ref
  readonly zone: string | null
  readonly state: LayoutState
  readonly blockedBy: string | null
  readonly by: string | null
  readonly at: Ms | null
  readonly version: number
  readonly consumers: number
  readonly wave: string | null
}
export interface LayoutPlanView {
  readonly host: Ref
  readonly state: LayoutState
  readonly blockedBy: string | null
  readonly before: TreeNode
  readonly after: TreeNode | null
  readonly lines: readonly {
    readonly sign: '-' | '+' | '~'
    readonly what: string
    readonly before: string | null
    readonly after: string | null
    readonly why: string
  }[]
  readonly movedAllocations: number
  readonly permit: Permit
}
export interface LayoutWave {
  readonly id: string
  readonly state: 'running' | 'paused' | 'done' | 'stopped'
  readonly hosts: number
  readonly healed: number
  /** Nested already when their turn came. */
  readonly skipped: number
  /** Stayed flat, with the reason on their row. */
  readonly blocked: number
  /** The host at which it stopped by itself; resuming tries that host again. */
  readonly failed: Ref | null
  readonly why: string | null
  readonly by: string
  readonly reason: string
  readonly at: Ms
  readonly permitted: Permits<'pause' | 'resume' | 'stop'>
}

export interface RunProcedures {
  readonly 'run.list': Query<{ kind?: RunKind; host?: string }, readonly RunRow[]>
  readonly 'run.byId': Query<{ id: string }, RunDetail>
  /** Works out and stores a plan; the host is not touched. */
  readonly 'run.plan': Mutation<
    { kind: RunKind; host: string; fallback: Fallback; helpers: boolean; reason: string },
    { run: string }
  >
  /**
   * Starting a drain disables the host with the reason. An evacuation needs a host that is fenced or gone; of a silent one
   * `attest`, the host's name typed, states it fenced.
   */
  readonly 'run.start': Mutation<
    { id: string; reason: string; attest?: string },
    { acceptedAt: Ms /** When it waits for a second person. */; proposal?: string }
  >
  readonly 'run.steer': Mutation<{ id: string; do: 'pause' | 'resume' | 'stop' | 'replan' }, { acceptedAt: Ms }>
  readonly 'run.steerMove': Mutation<
    { id: string; n: number; do: 'skip' | 'retry' | 'first'; method?: 'live-migrate' | 'cold-migrate' | 'stay' },
    { acceptedAt: Ms }
  >
  readonly 'run.evacuation': Query<{ host: string }, EvacuationView>
  readonly 'run.evacuationPlan': Query<{ host: string }, EvacuationPlan>

  readonly 'layout.board': Query<void, { readonly rows: readonly LayoutRow[]; readonly wave: LayoutWave | null }>
  readonly 'layout.plan': Query<{ host: string }, LayoutPlanView>
  /** Plans every host and changes nothing but the markers. */
  readonly 'layout.dryRun': Mutation<void, { readonly planned: number; readonly blocked: number }>
  /** One host at once (tRPC keeps the word apply for itself). */
  readonly 'layout.reshape': Mutation<
    { host: string; reason: string },
    { state: LayoutState; blockedBy: string | null }
  >
  readonly 'layout.wave': Mutation<{ hosts: readonly string[] | 'all'; reason: string }, { wave: string }>
  readonly 'layout.steer': Mutation<{ wave: string; do: 'pause' | 'resume' | 'stop' }, { acceptedAt: Ms }>
}
