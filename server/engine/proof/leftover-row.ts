import type { Instance } from '../change'
import type { Migration, Side } from '../migration/state'
import type { SideState } from '../migration/switch-decision'
import type { HostId, InstanceId, MigrationId } from '../words/ids'
import { type Disproof, disproof } from './disproof'

// Whether the leftovers that a row names may be cleaned up on a host. That destroys everything that the host has of the
// instance, so any contradicting evidence outweighs the row.

const STANDS: ReadonlySet<SideState> = new Set(['running', 'stopped'])

export interface LeftoverRow {
  readonly host: HostId
  readonly instance: InstanceId
  readonly migration: MigrationId | null
  readonly side: Side
}

export interface LeftoverRowRecords {
  readonly leftover: LeftoverRow
  /** Null when it was deleted. */
  readonly instance: Pick<Instance, 'id' | 'name' | 'host' | 'vmState'> | null
  /** The migration that the row names; null when it does not exist. */
  readonly migration: Migration | null
  /** The instance's active migration. */
  readonly active: Migration | null
  /** Whether any consumer holds a claim for the instance on the host. */
  readonly claimed: boolean
  /** What this host and the instance's recorded host just answered; null when none was queried. */
  readonly observed: { readonly here: SideState; readonly home: SideState } | null
}

export function leftoverRowDisproof(records: LeftoverRowRecords): Disproof | null {
  return recordsDisproof(records) ?? copyDisproof(records)
}

/** No migration left it: its instance was deleted, or an operator requested the removal of a misplaced copy. */
function looseDisproof({ leftover, instance, active, claimed }: LeftoverRowRecords): Disproof | null {
  const who = instance?.name ?? leftover.instance
  if (claimed) return disproof('claims', `a claim is held on this host for ${who}`)
  if (instance === null) return null
  if (instance.host === leftover.host) return disproof('resident', `${who} has this host as its current host`)
  if (active !== null) return disproof('resident', `a migration of ${who} is active`)
  if (instance.host === null && instance.vmState !== 'shelved') {
    return disproof('only-copy', `${who} is on no host, and no image of it is stored`)
  }
  return null
}

function copyDisproof({ leftover, instance, observed }: LeftoverRowRecords): Disproof | null {
  if (leftover.migration === null && instance !== null && observed !== null && !STANDS.has(observed.home)) {
    return disproof('only-copy', `${instance.name} was not observed on its current host`)
  }
  if (instance === null || observed?.here !== 'running' || observed.home === 'running') return null
  return disproof('only-copy', `${instance.name} runs on this host and was not observed running on its current host`)
}

function recordsDisproof(records: LeftoverRowRecords): Disproof | null {
  const { leftover, instance, migration, active, claimed } = records
  const who = instance?.name ?? leftover.instance
  if (leftover.migration === null) return looseDisproof(records)
  if (migration === null) return disproof('instance', 'the migration that should have left it does not exist')
  if (migration.instance !== leftover.instance) {
    return disproof('instance', `the migration that should have left ${who} is of another instance`)
  }
  if (migration.step !== 'ended') return disproof('step', 'the migration that should have left it has not ended')
  if (migration[leftover.side] !== leftover.host)
    return disproof('hosts', 'the migration had no such side on this host')
  if (migration.home === leftover.side) return disproof('home', `the migration ended with ${who} on this side`)
  const samePlace = migration.source === migration.target
  if (instance?.host === leftover.host && !samePlace)
    return disproof('resident', `${who} has this host as its current host`)
  const isTouched = active !== null && (active.source === leftover.host || active.target === leftover.host)
  if (isTouched && !(samePlace && waitsForCleaning(active, leftover.host))) {
    return disproof('resident', `a migration of ${who} from or to this host is active`)
  }
  if (claimed && !samePlace) return disproof('claims', `a claim is held on this host for ${who}`)
  return null
}

/**
 * The migration rolls back to a returned host, and starts the instance there only once the host is cleaned up. Without
 * this exception each would wait for the other.
 */
const waitsForCleaning = ({ step, direction, source, target }: Migration, host: HostId): boolean =>
  step === 'switch' && (direction === 'source' ? source : target) === host
