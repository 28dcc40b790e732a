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

/** A guest that a host shows and no record places there. */
export interface LeftoverView {
  /** The name under which the records know it elsewhere; null: they do not know it. */
  readonly known: string | null
  readonly power: { readonly state: PowerState; readonly reason: string | null } | null
  readonly remove: Permit
  readonly adopt: Permit
}

export interface AdoptInput {
  readonly host: string
  readonly instance: string
  readonly name: string
  readonly project: string
  readonly flavor: string
  readonly image: string
  readonly reason?: string
}

export interface PowerProcedures {
  readonly 'power.leftover': Query<{ host: string; instance: string }, LeftoverView>
  /** The conductor destroys it there. Refused unless it is proven that this is not the last copy. */
  readonly 'power.removeLeftover': Mutation<{ host: string; instance: string; reason: string }, { acceptedAt: Ms }>
  readonly 'power.adopt': Mutation<AdoptInput, { instance: string }>
  readonly 'power.request': Mutation<PowerAskInput, readonly PowerResult[]>
  readonly 'power.returned': Query<{ host: string }, ReturnedView>
  readonly 'power.startReturned': Mutation<{ host: string; reason?: string }, readonly PowerResult[]>
  readonly 'power.setRule': Mutation<{ host: string; on: boolean; reason?: string }, { acceptedAt: Ms }>
}
