// What clients of several copies of the Placement API saw, each line with the time it was asked and answered. One process
// asks all, so the times are of one clock.

/** When a request was on its way. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/**
 * done: acknowledged. full: refused for lack of capacity. raced: refused because another was first. lost: no response.
 */
export type Outcome = 'done' | 'full' | 'raced' | 'lost'

/** What a consumer holds: so much of one provider, or nothing. */
export interface Holding {
  readonly provider: string | null
  readonly amount: number
}

/** A write of one consumer that only one client writes, one after the other. */
export interface OwnWrite extends Span {
  readonly consumer: string
  readonly to: Holding
  readonly outcome: Outcome
  /** The same for all writes of one request that changes two consumers. */
  readonly action: number
}

/** A read of such a consumer by its client, while it was not writing. */
export interface OwnRead extends Span {
  readonly consumer: string
  readonly saw: Holding
}

/** A read of how much of a provider is used. */
export interface UseRead extends Span {
  readonly provider: string
  readonly used: number
}

/** A write that says which generation it follows, of a thing that many clients write. */
export interface GuardedWrite extends Span {
  readonly thing: string
  readonly generation: number
  readonly outcome: Outcome
}

/** Candidates of a provider that only one client uses, asked right after it filled or emptied it. */
export interface CandidateRead extends Span {
  readonly provider: string
  readonly isFull: boolean
  readonly found: number
}

export interface History {
  /** By provider. It never changes. */
  readonly capacity: ReadonlyMap<string, number>
  readonly writes: readonly OwnWrite[]
  readonly reads: readonly OwnRead[]
  readonly uses: readonly UseRead[]
  readonly guarded: readonly GuardedWrite[]
  readonly candidates: readonly CandidateRead[]
  /** What every copy that lives says at the end. */
  readonly ends: readonly EndState[]
}

export interface EndState {
  readonly copy: string
  readonly holdings: ReadonlyMap<string, Holding>
  readonly used: ReadonlyMap<string, number>
  /** By thing: its generation at the beginning and now, and what it counts, when it counts. */
  readonly things: ReadonlyMap<string, { readonly from: number; readonly to: number; readonly counted: number | null }>
}

export const NOTHING_HELD: Holding = { provider: null, amount: 0 }
export const sameHolding = (a: Holding, b: Holding) => a.provider === b.provider && a.amount === b.amount
