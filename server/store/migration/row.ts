import type { Migration, StepRecord } from '../../engine/migration/state'

// A migration and its steps as rows. Names differ only in case; times are numbers here and timestamps in the tables.

const at = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export function migrationRow(m: Migration, acceptedAt: number) {
  return {
    ...migrationPut(m, { raise: m.generation, at: acceptedAt }),
    ended_at: m.outcome === null ? null : at(acceptedAt),
    instance_id: m.instance,
    operation: m.operation,
    source: m.source,
    requested_target: m.requestedTarget,
    new_flavor: m.newFlavor,
    new_image: m.newImage,
    old_flavor: m.oldFlavor,
    old_image: m.oldImage,
    was_running: m.wasRunning,
    keeps_claim: m.keepsClaim,
    storage: m.storage,
    confirm_window_ms: m.confirmWindowMs,
    fence: m.fence,
    created_at: at(m.createdAt),
  }
}

/** The columns that a transition may change (`put_migrations`), and the increment of the generation. */
export function migrationPut(m: Migration, change: { readonly raise: number; readonly at: number }) {
  return {
    id: m.id,
    generation: change.raise,
    updated_at: at(change.at),
    target: m.target,
    step: m.step,
    direction: m.direction,
    home: m.home,
    handed_over: m.handedOver,
    forced: m.forced,
    storage_used: m.storageUsed,
    kept: m.kept,
    requested_action: m.requestedAction,
    cause: m.cause,
    outcome: m.outcome,
    waiting: m.waiting,
    progress: m.progress,
    tried: m.tried,
    attempt: m.attempt,
    seq: m.seq,
    step_since: at(m.stepSince),
    due_at: at(m.dueAt),
    next_at: at(m.nextAt),
  }
}

export function stepRow(step: StepRecord) {
  return {
    migration_id: step.migration,
    seq: step.seq,
    step: step.step,
    direction: step.direction,
    started_at: at(step.startedAt),
    ended_at: at(step.endedAt),
    result: step.result,
    note: step.note,
  }
}

/**
 * A migration as one JSON object, for statements that return it among other things. `m` names the row in the query.
 * Times are ms since the epoch, so that a value read equals the value written.
 */
export const MIGRATION_JSON = `json_build_object(
  'id', m.id, 'instance', m.instance_id, 'operation', m.operation, 'source', m.source, 'target', m.target,
  'requestedTarget', m.requested_target, 'newFlavor', m.new_flavor, 'newImage', m.new_image,
  'oldFlavor', m.old_flavor, 'oldImage', m.old_image, 'wasRunning', m.was_running, 'step', m.step,
  'direction', m.direction, 'home', m.home, 'handedOver', m.handed_over, 'forced', m.forced,
  'keepsClaim', m.keeps_claim, 'storage', m.storage, 'storageUsed', m.storage_used, 'kept', m.kept, 'requestedAction', m.requested_action, 'cause', m.cause, 'outcome', m.outcome,
  'waiting', m.waiting, 'progress', m.progress, 'tried', m.tried,
  'attempt', m.attempt, 'seq', m.seq, 'stepSince', ms(m.step_since), 'confirmWindowMs', m.confirm_window_ms,
  'generation', m.generation, 'fence', m.fence, 'createdAt', ms(m.created_at), 'dueAt', ms(m.due_at),
  'nextAt', ms(m.next_at))`

export const STEP_JSON = `json_build_object(
  'migration', s.migration_id, 'seq', s.seq, 'step', s.step, 'direction', s.direction,
  'startedAt', ms(s.started_at), 'endedAt', ms(s.ended_at), 'result', s.result, 'note', s.note)`
