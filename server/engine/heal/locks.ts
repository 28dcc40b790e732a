import type { Snapshot } from '../audit/snapshot'
import type { InstanceId, MigrationId } from '../words/ids'

// Who may not be touched, because somebody is at work on it: a conductor carries its move, its build or its deletion,
// and would write the same rows.

export interface Lock {
  /** Ready to print. */
  readonly why: string
  /** The move in flight: a heal whose subject is this very move may touch the instance. */
  readonly migration: MigrationId | null
}

const AT_WORK: Readonly<Record<string, string>> = { building: 'It is being built', deleting: 'It is being deleted' }

export function locksOf(snapshot: Snapshot): ReadonlyMap<InstanceId, Lock> {
  const locks = new Map<InstanceId, Lock>()
  for (const { id, vmState } of snapshot.instances) {
    const why = AT_WORK[vmState]
    if (why !== undefined) locks.set(id, { why, migration: null })
  }
  for (const { id, instance, operation, step } of snapshot.migrations) {
    if (step !== 'ended') locks.set(instance, { why: `A move is in flight: ${operation} in ${step}`, migration: id })
  }
  return locks
}
