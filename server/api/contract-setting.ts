import type { MoveLimits } from '../engine/drain/ask'
import type { Policy } from '../engine/scheduler'
import type { Ms, Permit } from './contract'
import type { Mutation, Query } from './contract-procedure'

// What is asked and answered of settings. Same rules as `contract.ts`.

/** What even an operator asks somebody else for: to state a host gone or fenced, to apply a heal. */
export type SecondPersonDeed = 'gone' | 'fenced' | 'heal'

export interface MoveRulesInput {
  readonly policy: Policy
  readonly limits: MoveLimits
  /** Null waits for a person for ever. */
  readonly confirmWindowMs: Ms | null
  readonly secondPerson: readonly SecondPersonDeed[]
}

export interface MoveRulesView extends MoveRulesInput {
  /** Who changed any of them last, and when; null while nobody has, or when a script did. */
  readonly by: string | null
  readonly at: Ms | null
  readonly permit: Permit
}

export interface SettingProcedures {
  readonly 'setting.rules': Query<void, MoveRulesView>
  /** `readAt`: the `at` of the rules as they were shown. Refused when somebody changed them since. */
  readonly 'setting.setRules': Mutation<
    MoveRulesInput & { readonly readAt: Ms | null; readonly reason: string },
    MoveRulesView
  >
}
