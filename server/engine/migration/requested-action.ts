import { type Actor, type Change, NO_GUARDS } from '../change'
import { hostsOf } from './changes'
import type { Migration, RequestedAction } from './state'

/** The kind of the event that records a requested action. */
export const ACTION_REQUESTED = 'migration.action-requested'

export interface ActionRequest {
  readonly requestedAction: RequestedAction
  readonly actor: Actor
  /** When it was requested; ms since the epoch, as `at`. */
  readonly askedAt: number
  /** Time of the record: equal, or later when the row had to be reread. */
  readonly at: number
}

/** Writes a requested action, as `acceptAction` returned it: guarded by the row's generation, not by the lease (L5). */
export function requestChange(
  before: Migration,
  after: Migration,
  { requestedAction, actor, askedAt, at }: ActionRequest,
): Change {
  return {
    guards: { ...NO_GUARDS, migration: { id: before.id, generation: before.generation, fence: null } },
    writes: [{ do: 'put-migration', migration: after }],
    event: {
      kind: ACTION_REQUESTED,
      hosts: hostsOf(before),
      instance: before.instance,
      migration: before.id,
      data: { requestedAction, askedAt, step: before.step },
    },
    actor,
    at,
  }
}
