import type { Finding } from '../audit/finding'
import { indexSnapshot } from '../audit/index-snapshot'
import { claimsOf } from '../audit/proof-checks'
import { nameOf } from '../audit/running-domain-checks'
import type { Snapshot } from '../audit/snapshot'
import type { Instance } from '../change'
import { deletionDisproof } from '../proof/deletion'
import type { InstanceId, MigrationId } from '../words/ids'

// Instances that may not be touched because a conductor runs their migration, build or deletion, and would write the
// same rows.

export interface Lock {
  /** Ready to print. */
  readonly why: string
  /** The active migration: a repair whose subject is this migration may touch the instance. */
  readonly migration: MigrationId | null
}

const AT_WORK: Readonly<Record<string, string>> = { building: 'It is being built', deleting: 'It is being deleted' }

export function locksOf(snapshot: Snapshot): ReadonlyMap<InstanceId, Lock> {
  const locks = new Map<InstanceId, Lock>()
  for (const instance of snapshot.instances) {
    const why = AT_WORK[instance.vmState]
    // No conductor runs a deletion that cannot be proved until the records are right.
    if (why !== undefined && !isParked(snapshot, instance)) locks.set(instance.id, { why, migration: null })
  }
  for (const { id, instance, operation, step } of snapshot.migrations) {
    if (step !== 'ended') locks.set(instance, { why: `A migration is active: ${operation} in ${step}`, migration: id })
  }
  return locks
}

function isParked(snapshot: Snapshot, instance: Instance): boolean {
  if (instance.vmState !== 'deleting') return false
  const records = indexSnapshot(snapshot)
  const held = claimsOf(records, instance.id)
  return deletionDisproof({ instance, held, nameOf: (host) => nameOf(records, host) }) !== null
}

/** Why these instances may not be changed now; null when they may. */
export function lockOf(
  finding: Finding,
  instances: readonly InstanceId[],
  locks: ReadonlyMap<InstanceId, Lock>,
): string | null {
  for (const instance of instances) {
    const lock = locks.get(instance)
    if (lock === undefined || (lock.migration !== null && lock.migration === finding.migration)) continue
    return `${lock.why}. Wait until that has ended.`
  }
  return null
}
