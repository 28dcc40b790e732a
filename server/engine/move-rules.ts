import type { MoveLimits } from './drain/ask'
import type { Policy } from './scheduler'

// What an operator has set about all moves.

/** What even an operator may be asked to find somebody else for: to state a host gone or fenced, to apply a heal. */
export const SECOND_PERSON_DEEDS = ['gone', 'fenced', 'heal'] as const
export type SecondPersonDeed = (typeof SECOND_PERSON_DEEDS)[number]

export interface MoveRules {
  readonly policy: Policy
  readonly limits: MoveLimits
  /** In ms; null waits for a person for ever. */
  readonly confirmWindowMs: number | null
  readonly secondPerson: readonly SecondPersonDeed[]
}
