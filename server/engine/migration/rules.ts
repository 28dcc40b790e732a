import type { MigrationLimits } from '../drain/plan'
import type { Policy } from '../scheduler'

// An operator's settings for all migrations.

/**
 * Actions that may need a second operator's approval: marking a host as lost or fenced, applying a repair, releasing
 * another owner's allocation, requesting an action from Nova.
 */
export const SECOND_PERSON_ACTIONS = ['lost', 'fenced', 'heal', 'release', 'cloud'] as const
export type SecondPersonAction = (typeof SECOND_PERSON_ACTIONS)[number]

/** The Placement API's response to a client that claims for its own instance on a host of Berth. */
export const FOREIGN_INSTANCES = ['refuse', 'allow'] as const
export type ForeignInstances = (typeof FOREIGN_INSTANCES)[number]

export interface MigrationRules {
  readonly policy: Policy
  readonly limits: MigrationLimits
  /** In ms; null awaits confirm or revert without end. */
  readonly confirmWindowMs: number | null
  readonly secondPerson: readonly SecondPersonAction[]
  readonly foreignInstances: ForeignInstances
}
