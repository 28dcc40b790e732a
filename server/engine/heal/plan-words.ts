import type { DemandFor, Finding } from '../audit/finding'
import type { Decide } from '../claim'
import type { ClaimId } from '../words/ids'
import type { HealPart } from './part'

// Input and output of the planner.

/** Ids and rules are passed in, as everywhere in the engine. `decide` must be that of `claim.ts`; nothing else fits. */
export interface HealOptions {
  readonly demandFor: DemandFor
  readonly newClaimId: () => ClaimId
  readonly decide: Decide
}

export type HealResult =
  | { readonly ok: true; readonly part: HealPart }
  /** Why no change of rows can repair it, and the remedy. */
  | { readonly ok: false; readonly why: string }

export interface PlannedHeal {
  readonly finding: Finding
  readonly healing: HealResult
}
