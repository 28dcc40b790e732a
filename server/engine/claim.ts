import type { Demand, Group } from './demand'
import type { ClaimBody, Host, HostCpu } from './host'
import type { GroupId, HostId, ProviderId } from './words/ids'
import type { Refusal } from './words/refusal'

// Demand + host → a plan or every refusal. The only path that decides (I7): claims, the explain matrix, the
// scheduler, drain plans and the audit's "would it fit" all ask here.

declare const decided: unique symbol

/** Generation a decision relied on; the store checks it after taking the row lock. */
export interface ProviderGuard {
  readonly provider: ProviderId
  readonly generation: number
}

/** A checked claim. Only `decide` makes one, and the store takes nothing else, so unchecked numbers never land. */
export interface ClaimPlan extends ClaimBody {
  readonly [decided]: true
  readonly host: HostId
  readonly guards: readonly ProviderGuard[]
  readonly group: { readonly id: GroupId; readonly generation: number } | null
}

/** What a live guest brings along and the target must match. */
export interface LiveGuest {
  readonly cpu: HostCpu
  /** Page size per guest cell as it is now; null where the guest has none. */
  readonly pageKibs: readonly (number | null)[]
}

export interface Question {
  readonly demand: Demand
  readonly host: Host
  readonly group: Group | null
  /** Set when the guest moves while running. */
  readonly live: LiveGuest | null
  /** The host the instance leaves when it must not be the target. */
  readonly notHost: HostId | null
}

export type Verdict =
  | { readonly ok: true; readonly plan: ClaimPlan; readonly warnings: readonly Refusal[] }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }

export type Decide = (question: Question) => Verdict
