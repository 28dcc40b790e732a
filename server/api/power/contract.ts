import type { PowerAction } from '../../engine/power/request'
import type { PowerState } from '../../engine/power/state'
import type { Ms, Permit, Ref, RefusalView } from '../contract'
import type { Mutation, Query } from '../contract-procedure'

// What is asked and answered about the power of guests. Same rules as `contract.ts`.

export type { PowerAction, PowerState }

export interface PowerView {
  /** What the hypervisor shows; unknown while its host does not answer. */
  readonly state: PowerState
  readonly reason: string | null
  /** What its host showed when it last answered; null when it never showed the guest. */
  readonly last: PowerState | null
  /** The first and the last survey that showed it so. */
  readonly since: Ms | null
  readonly observedAt: Ms | null
  /** What the records promise and the hypervisor does not show. */
  readonly differs: boolean
  readonly request: PowerRequestView | null
}

export interface PowerRequestView {
  readonly action: PowerAction
  readonly at: Ms
  /** A stop powers the guest off from then on. */
  readonly hardAt: Ms
  readonly dueAt: Ms
  readonly who: string
  /** Why it came to nothing; null while it is under way. */
  readonly failed: { readonly at: Ms; readonly why: string } | null
}

/** What came of one instance of many: accepted, or refused with the reason. */
export interface PowerResult {
  readonly instance: Ref
  readonly acceptedAt: Ms | null
  readonly refusal: RefusalView | null
}

export interface PowerAskInput {
  /** Up to 200 at once; each answers for itself. */
  readonly ids: readonly string[]
  readonly action: PowerAction
  /** A stop that does not wait for the guest to shut down. */
  readonly hard?: boolean
  readonly reason?: string
}

/** Guests of a host that ran until it went down and are off since. */
export interface ReturnedView {
  readonly instances: readonly Ref[]
  readonly permit: Permit
  /** Starts them by itself once the host is back. */
  readonly byItself: boolean
  readonly rulePermit: Permit
}

export interface PowerProcedures {
  readonly 'power.request': Mutation<PowerAskInput, readonly PowerResult[]>
  readonly 'power.returned': Query<{ host: string }, ReturnedView>
  readonly 'power.startReturned': Mutation<{ host: string; reason?: string }, readonly PowerResult[]>
  readonly 'power.setRule': Mutation<{ host: string; on: boolean; reason?: string }, { acceptedAt: Ms }>
}
