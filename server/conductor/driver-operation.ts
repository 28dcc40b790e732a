import type { DriverOperation } from '../drivers/driver'
import type { ClaimBody, Host } from '../engine/host'
import type { Side } from '../engine/migration/state'
import type { InstanceId, MigrationId } from '../engine/words/ids'
import type { MigrationView } from './effects'

// A driver operation's view of a migration, taken from the view that its action was decided on.

export function driverOperationOf(view: MigrationView, reach: DriverOperation['reach']): DriverOperation {
  const { migration: m } = view
  return {
    migration: m.id,
    fence: m.fence,
    instanceFence: view.instance.generation,
    operation: m.operation,
    instance: m.instance,
    name: view.instance.name,
    source: m.source,
    target: m.target,
    flavor: { source: m.oldFlavor, target: m.newFlavor },
    image: { source: m.oldImage, target: m.newImage },
    claim: { source: claimOf(view, 'source'), target: claimOf(view, 'target') },
    wasRunning: m.wasRunning,
    storage: m.storageUsed,
    reach,
  }
}

/** The instance holds the side in the migration's direction and the migration the other one (L1). */
function claimOf(view: MigrationView, side: Side): ClaimBody | null {
  const { migration: m } = view
  const host = view.committed[side]
  if (m.keepsClaim || m.step === 'claim') return bodyHeldBy(host, m.instance)
  return bodyHeldBy(host, side === m.direction ? m.instance : m.id)
}

function bodyHeldBy(host: Host | null, consumer: InstanceId | MigrationId): ClaimBody | null {
  return host?.holdings.find((holding) => holding.consumer === consumer)?.body ?? null
}
