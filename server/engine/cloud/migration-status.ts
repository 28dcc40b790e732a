import type { Outcome, Step } from '../migration/state'
import type { CloudMigration } from './snapshot'

// Nova's free-form migration status as the steps and outcomes of a migration here.

export interface NovaProgress {
  /** Null: a status that Berth does not know; it is shown unchanged. */
  readonly step: Step | null
  /** Set once it ended. */
  readonly outcome: Outcome | null
  /** As Nova prints it. */
  readonly status: string
}

type StatusMapping = readonly [Step, Outcome | null]

const KNOWN: Readonly<Record<string, StatusMapping>> = {
  accepted: ['claim', null],
  queued: ['claim', null],
  'pre-migrating': ['claim', null],
  preparing: ['prepare', null],
  running: ['transfer', null],
  'running (post-copy)': ['transfer', null],
  migrating: ['transfer', null],
  'post-migrating': ['transfer', null],
  finished: ['verify', null],
  confirming: ['release', null],
  reverting: ['release', null],
  completed: ['ended', 'completed'],
  done: ['ended', 'completed'],
  confirmed: ['ended', 'completed'],
  reverted: ['ended', 'reverted'],
  cancelled: ['ended', 'aborted'],
  failed: ['ended', 'failed'],
  error: ['ended', 'failed'],
}

export function novaProgress({ status }: Pick<CloudMigration, 'status'>): NovaProgress {
  const [step, outcome] = Object.hasOwn(KNOWN, status) ? (KNOWN[status] as StatusMapping) : [null, null]
  return { step, outcome, status }
}
