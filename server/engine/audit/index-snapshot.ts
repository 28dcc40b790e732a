import type { Migration } from '../migration/state'
import { remembered } from '../remembered'
import type { ConsumerId, InstanceId } from '../words/ids'
import type { AuditRecords, HeldClaim } from './finding'
import type { Snapshot } from './snapshot'

/** The indexes of a snapshot, built once for all checks. Of two active migrations of one instance the first counts. */
export const indexSnapshot = remembered((snapshot: Snapshot): AuditRecords => {
  const activeOf = new Map<InstanceId, Migration>()
  for (const migration of snapshot.migrations) {
    if (migration.step !== 'ended' && !activeOf.has(migration.instance)) activeOf.set(migration.instance, migration)
  }
  const heldBy = new Map<ConsumerId, HeldClaim[]>()
  for (const host of snapshot.hosts) {
    for (const holding of host.holdings) {
      const held = heldBy.get(holding.consumer)
      if (held === undefined) heldBy.set(holding.consumer, [{ host, holding }])
      else held.push({ host, holding })
    }
  }
  return {
    snapshot,
    hosts: byId(snapshot.hosts),
    instances: byId(snapshot.instances),
    migrations: byId(snapshot.migrations),
    activeOf,
    heldBy,
  }
})

function byId<T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<T['id'], T> {
  const map = new Map<T['id'], T>()
  for (const row of rows) map.set(row.id, row)
  return map
}
