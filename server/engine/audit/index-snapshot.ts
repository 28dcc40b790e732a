import { byId, grouped } from '../ledger/grouped'
import type { Migration } from '../migration/state'
import { remembered } from '../remembered'
import type { InstanceId } from '../words/ids'
import type { AuditRecords } from './finding'
import type { Snapshot } from './snapshot'

/** The indexes of a snapshot, built once for all checks. Of two active migrations of one instance the first counts. */
export const indexSnapshot = remembered((snapshot: Snapshot): AuditRecords => {
  const activeOf = new Map<InstanceId, Migration>()
  for (const migration of snapshot.migrations) {
    if (migration.step !== 'ended' && !activeOf.has(migration.instance)) activeOf.set(migration.instance, migration)
  }
  const held = snapshot.hosts.flatMap((host) => host.holdings.map((holding) => ({ host, holding })))
  return {
    snapshot,
    hosts: byId(snapshot.hosts),
    instances: byId(snapshot.instances),
    migrations: byId(snapshot.migrations),
    activeOf,
    heldBy: grouped(held, ({ holding }) => holding.consumer),
  }
})
