import type { DemandFor, Finding } from '../audit/finding'
import type { Decide } from '../claim'
import type { ClaimId } from '../words/ids'
import type { HealPart } from './part'

// What a planner is given and what it answers.

/** Ids and rules come from outside, as everywhere in the engine. `decide` is that of `claim.ts`; nothing else fits. */
export interface HealOptions {
  readonly demandFor: DemandFor
  readonly newClaimId: () => ClaimId
  readonly decide: Decide
}

export type Healing =
  | { readonly ok: true; readonly part: HealPart }
  /** Why no change of rows can heal it, and what to do instead. */
  | { readonly ok: false; readonly why: string }

export interface PlannedHeal {
  readonly finding: Finding
  readonly healing: Healing
}
