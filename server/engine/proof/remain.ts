import type { Instance } from '../books'
import type { Standing } from '../migration/look'
import type { Migration, Side } from '../migration/state'
import type { HostId, InstanceId, MigrationId } from '../words/ids'
import { type Disproof, disproof } from './disproof'

// Whether what a row names as left on a host may be cleaned there. What is destroyed then is all that the host has of
// the instance, so everything that says otherwise is believed before the row.

const STANDS: ReadonlySet<Standing> = new Set(['running', 'stopped'])

export interface RemainRow {
  readonly host: HostId
  readonly instance: InstanceId
  readonly migration: MigrationId | null
  readonly side: Side
}

export interface RemainRecords {
  readonly remain: RemainRow
  /** Null when it was deleted. */
  readonly instance: Pick<Instance, 'id' | 'name' | 'host' | 'vmState'> | null
  /** The one the row names; null when there is none of that id. */
  readonly migration: Migration | null
  /** The instance's migration under way. */
  readonly active: Migration | null
  /** Whether a claim for the instance exists on the host. */
  readonly claimed: boolean
  /** What the host and the instance's current host answered just now; null without a query. */
  readonly seen: { readonly here: Standing; readonly home: Standing } | null
}

export function remainDisproof(records: RemainRecords): Disproof | null {
  return recordsDisproof(records) ?? copyDisproof(records)
}

/** No migration left it: its instance was deleted, or an operator requested the removal of a stray copy. */
function looseDisproof({ remain, instance, active, claimed }: RemainRecords): Disproof | null {
  const who = instance?.name ?? remain.instance
  if (claimed) return disproof('claims', `a claim is held on this host for ${who}`)
  if (instance === null) return null
  if (instance.host === remain.host) return disproof('resident', `${who} has this host as its current host`)
  if (active !== null) return disproof('resident', `a migration of ${who} is active`)
  if (instance.host === null && instance.vmState !== 'shelved') {
    return disproof('only-copy', `${who} is on no host, and no image of it is stored`)
  }
  return null
}

function copyDisproof({ remain, instance, seen }: RemainRecords): Disproof | null {
  if (remain.migration === null && instance !== null && seen !== null && !STANDS.has(seen.home)) {
    return disproof('only-copy', `${instance.name} was not observed on its current host`)
  }
  if (instance === null || seen?.here !== 'running' || seen.home === 'running') return null
  return disproof('only-copy', `${instance.name} runs on this host and was not observed running on its current host`)
}

function recordsDisproof(records: RemainRecords): Disproof | null {
  const { remain, instance, migration, active, claimed } = records
  const who = instance?.name ?? remain.instance
  if (remain.migration === null) return looseDisproof(records)
  if (migration === null) return disproof('instance', 'the migration that should have left it does not exist')
  if (migration.instance !== remain.instance) {
    return disproof('instance', `the migration that should have left ${who} is of another instance`)
  }
  if (migration.step !== 'ended') return disproof('step', 'the migration that should have left it has not ended')
  if (migration[remain.side] !== remain.host) return disproof('hosts', 'the migration had no such side on this host')
  if (migration.home === remain.side) return disproof('home', `the migration ended with ${who} on this side`)
  const samePlace = migration.source === migration.target
  if (instance?.host === remain.host && !samePlace)
    return disproof('resident', `${who} has this host as its current host`)
  const isTouched = active !== null && (active.source === remain.host || active.target === remain.host)
  if (isTouched && !(samePlace && waitsForCleaning(active, remain.host))) {
    return disproof('resident', `a migration of ${who} from or to this host is active`)
  }
  if (claimed && !samePlace) return disproof('claims', `a claim is held on this host for ${who}`)
  return null
}

/**
 * It rolled back to a host that returned meanwhile, and starts the instance there only once the host is cleaned: until
 * then nothing of it is active on the host, and it would deadlock with what waits for its end.
 */
const waitsForCleaning = ({ step, direction, source, target }: Migration, host: HostId): boolean =>
  step === 'switch' && (direction === 'source' ? source : target) === host
