import { booksOf } from '../audit/books-of'
import { nameOf } from '../audit/guest-checks'
import { claimsOf } from '../audit/proof-checks'
import type { Snapshot } from '../audit/snapshot'
import type { Instance } from '../books'
import { deletionDisproof } from '../proof/deletion'
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
  for (const instance of snapshot.instances) {
    const why = AT_WORK[instance.vmState]
    // A deletion that cannot be proved is carried by nobody until the records are right.
    if (why !== undefined && !isParked(snapshot, instance)) locks.set(instance.id, { why, migration: null })
  }
  for (const { id, instance, operation, step } of snapshot.migrations) {
    if (step !== 'ended') locks.set(instance, { why: `A move is in flight: ${operation} in ${step}`, migration: id })
  }
  return locks
}

function isParked(snapshot: Snapshot, instance: Instance): boolean {
  if (instance.vmState !== 'deleting') return false
  const books = booksOf(snapshot)
  const held = claimsOf(books, instance.id)
  return deletionDisproof({ instance, held, nameOf: (host) => nameOf(books, host) }) !== null
}
