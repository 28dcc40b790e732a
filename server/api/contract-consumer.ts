import type { Ms, Permit, Ref } from './contract'
import type { Mutation, Query } from './contract-procedure'
import type { ProposalView } from './contract-truth'

// Consumers that another client of the Placement API owns.

export interface OwnerView {
  /** `API token nova`. */
  readonly name: string
  /** Last write; null when nobody knows. */
  readonly at: Ms | null
  readonly request: string | null
}

export interface ForeignConsumerView {
  readonly id: string
  /** Null when its client said none. */
  readonly type: string | null
  readonly project: string
  readonly user: string
  readonly generation: number
  readonly owner: OwnerView
  readonly amounts: readonly {
    readonly provider: string
    readonly host: Ref | null
    readonly resourceClass: string
    readonly amount: number
  }[]
  /** Whether this person may release it; `asks`: a second person is asked first. */
  readonly permit: Permit
  readonly asks: boolean
  /** The last question about it to a second person. */
  readonly proposal: ProposalView | null
}

export interface ConsumerProcedures {
  readonly 'consumer.foreign': Query<{ readonly id: string }, ForeignConsumerView>
  /** `generation`: as it was shown. Answers the proposal when a second person has to agree first. */
  readonly 'consumer.release': Mutation<
    { readonly id: string; readonly generation: number; readonly reason: string },
    { readonly released: boolean; readonly proposal: string | null }
  >
}
