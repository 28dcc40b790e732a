import type { MoveRules } from '../engine/move-rules'
import type { Ms, Permit } from './contract'
import type { Mutation, Query } from './contract-procedure'

// What is asked and answered of settings. Same rules as `contract.ts`.

/** What is over is refused. All may be 1 or more. */
export interface RuleBounds {
  readonly perHost: number
  readonly fleet: number
  readonly confirmWindowMs: { readonly least: Ms; readonly most: Ms }
}

export interface MoveRulesView extends MoveRules {
  readonly bounds: RuleBounds
  /** Who changed any of them last, and when; null while nobody has, or when a script did. */
  readonly by: string | null
  readonly at: Ms | null
  readonly permit: Permit
}

/** Each warning says what is wrong and what to set. */
export interface ServerView {
  readonly warnings: readonly string[]
}

export interface SettingProcedures {
  readonly 'setting.server': Query<void, ServerView>
  readonly 'setting.rules': Query<void, MoveRulesView>
  /** `readAt`: the `at` of the rules as they were shown. Refused when somebody changed them since. */
  readonly 'setting.setRules': Mutation<
    MoveRules & { readonly readAt: Ms | null; readonly reason: string },
    MoveRulesView
  >
}
