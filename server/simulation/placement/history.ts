// What the clients of several copies of the Placement API saw, each entry with the times of request and response. All
// requests come from one process, so all times are from one clock.

/** From request to response. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/**
 * done: acknowledged. full: refused for lack of capacity. raced: refused because another write came first. lost: no
 * response.
 */
export type Outcome = 'done' | 'full' | 'raced' | 'lost'

/** The allocation of a consumer: an amount from one provider, or nothing. */
export interface Holding {
  readonly provider: string | null
  readonly amount: number
}

/** A write to a consumer that only one client writes, one write at a time. */
export interface OwnWrite extends Span {
  readonly consumer: string
  readonly to: Holding
  readonly outcome: Outcome
  /** The same for both writes of a request that changes two consumers. */
  readonly action: number
}

/** A read of such a consumer by its client, between two of its writes. */
export interface OwnRead extends Span {
  readonly consumer: string
  readonly saw: Holding
}

/** A read of a provider's usage. */
export interface UseRead extends Span {
  readonly provider: string
  readonly used: number
}

/** A write guarded by a generation, to an object that many clients write. */
export interface GuardedWrite extends Span {
  readonly thing: string
  readonly generation: number
  readonly outcome: Outcome
}

/** Allocation candidates of a provider that only one client uses, requested right after it filled or emptied it. */
export interface CandidateRead extends Span {
  readonly provider: string
  readonly isFull: boolean
  readonly found: number
}

export interface History {
  /** By provider. Never changes. */
  readonly capacity: ReadonlyMap<string, number>
  readonly writes: readonly OwnWrite[]
  readonly reads: readonly OwnRead[]
  readonly uses: readonly UseRead[]
  readonly guarded: readonly GuardedWrite[]
  readonly candidates: readonly CandidateRead[]
  /** The final state, as reported by each running copy. */
  readonly ends: readonly EndState[]
}

export interface EndState {
  readonly copy: string
  readonly holdings: ReadonlyMap<string, Holding>
  readonly used: ReadonlyMap<string, number>
  /** By object: first and last generation, and how far a counter was incremented; null: not a counter. */
  readonly things: ReadonlyMap<string, { readonly from: number; readonly to: number; readonly counted: number | null }>
}

export const NOTHING_HELD: Holding = { provider: null, amount: 0 }
export const sameHolding = (a: Holding, b: Holding) => a.provider === b.provider && a.amount === b.amount
