import { byId, grouped } from '../ledger/grouped'
import { memoize } from '../memoize'
import type { Migration } from '../migration/state'
import type { InstanceId } from '../words/ids'
import type { AuditRecords } from './finding'
import type { Snapshot } from './snapshot'

/** The indexes of a snapshot, built once for all checks. Of two active migrations of one instance the first counts. */
export const indexSnapshot = memoize((snapshot: Snapshot): AuditRecords => {
  const activeMigrationOf = new Map<InstanceId, Migration>()
  for (const migration of snapshot.migrations) {
    if (migration.step !== 'ended' && !activeMigrationOf.has(migration.instance))
      activeMigrationOf.set(migration.instance, migration)
  }
  const held = snapshot.hosts.flatMap((host) => host.holdings.map((holding) => ({ host, holding })))
  return {
    snapshot,
    hosts: byId(snapshot.hosts),
    instances: byId(snapshot.instances),
    migrations: byId(snapshot.migrations),
    activeMigrationOf,
    claimsByConsumer: grouped(held, ({ holding }) => holding.consumer),
  }
})
