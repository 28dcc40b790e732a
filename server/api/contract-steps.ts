import type { Operation, Side, Step, StepRecord } from '../engine/migration/state'
import type { Held, Ms, Ref } from './contract'
import type { Query } from './contract-procedure'

// What is told about the steps of moves: how long they last against their history, who held what meanwhile, when no
// server led, and who says what about the guest. Same rules as `contract.ts`.

/** What a step took in earlier moves of the same operation. Times in ms. */
export interface PaceView {
  readonly samples: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** pair: between the same two hosts. step: between any, because too few went between these. */
  readonly scope: 'pair' | 'step'
  readonly pairSamples: number
}

export interface StepView {
  readonly seq: number
  readonly step: Step
  readonly heading: Side
  readonly startedAt: Ms
  readonly endedAt: Ms | null
  readonly result: StepRecord['result']
  readonly note: string | null
  /** Null when too few moves ever did that step: then nobody can say what is long for it. */
  readonly pace: PaceView | null
}

/** From when to when a side was held, and by whom: the bars under the step timeline (N1). */
export interface HeldSpan {
  readonly side: Side
  readonly host: Ref
  readonly holder: 'instance' | 'migration'
  readonly from: Ms
  readonly to: Ms | null
  readonly held: Held
}

/** A stretch in which no server led the move; `to` is null while it lasts. */
export interface AwaySpan {
  readonly from: Ms
  readonly to: Ms | null
}

/** What one source says about the moving guest, ready to print, and how old that is. */
export interface MoveFact {
  readonly source: 'records' | 'allocations' | 'hypervisor' | 'transfer'
  readonly side: Side | null
  readonly host: Ref | null
  readonly says: string
  /** When it was read or seen; null when nobody knows. */
  readonly at: Ms | null
  /** False when that source was asked and did not answer. */
  readonly answered: boolean
}

export interface StepTimesBucket {
  readonly from: Ms
  readonly to: Ms
  readonly samples: number
  readonly p50Ms: number
  readonly p95Ms: number
}
/** What one step of one operation took on the way forward. */
export interface StepTimesView {
  readonly operation: Operation
  readonly step: Step
  readonly samples: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** Stretches without a sample are left out. */
  readonly buckets: readonly StepTimesBucket[]
}
export interface StepHistoryView {
  /** When the first and the last of the moves ended; null when none has. */
  readonly range: { readonly from: Ms; readonly to: Ms } | null
  readonly rows: readonly StepTimesView[]
}

export interface StepProcedures {
  readonly 'migration.facts': Query<{ id: string }, readonly MoveFact[]>
  readonly 'migration.stepTimes': Query<void, StepHistoryView>
}
