import type { Instance, VmState } from '../../engine/change'
import type { Holding } from '../../engine/host'
import type { Migration } from '../../engine/migration/state'
import { type ClaimTotals, type MigrationRef, migrationRef, NO_TOTALS, totalsOf } from '../claim/view'
import type { Names, Ref } from '../names/names'
import { type InstanceAction, type InstanceFacts, instancePermits, type Permits } from '../permit/permits'
import type { Rights } from '../permit/rights'
import { type PowerView, powerView } from '../power/view'

export interface InstanceRow extends Ref {
  readonly project: string
  readonly vmState: VmState
  readonly power: PowerView | null
  readonly host: Ref | null
  readonly zone: string | null
  readonly flavor: { readonly name: string; vcpus: number; memoryMib: number; diskGib: number }
  readonly image: string
  readonly group: Ref | null
  readonly held: ClaimTotals
  /** Host NUMA nodes it is on; empty when it has no NUMA topology. */
  readonly cells: readonly number[]
  readonly migration: MigrationRef | null
  readonly permitted: Permits<InstanceAction>
}

export interface InstanceContext extends Omit<InstanceFacts, 'instance' | 'activeMigration'> {
  readonly rights: Rights
  readonly names: Names
  readonly group: Ref | null
  readonly migration: Migration | null
  /** The instance's own claim; that of its migration is shown with the migration. */
  readonly holding: Holding | null
}

export function instanceRow(instance: Instance, context: InstanceContext): InstanceRow {
  const { rights, names, group, migration, holding, host } = context
  const { name: flavor, vcpus, memoryMib, diskGib } = instance.flavor
  const cells = new Set(holding?.body.cells.map((node) => node.hostCell))
  return {
    id: instance.id,
    name: instance.name,
    project: instance.project,
    vmState: instance.vmState,
    power: powerView(instance),
    host: instance.host === null ? null : names.host(instance.host),
    zone: instance.zone ?? host?.zone ?? null,
    flavor: { name: flavor, vcpus, memoryMib, diskGib },
    image: instance.image.name,
    group,
    held: holding ? totalsOf(holding.body) : NO_TOTALS,
    cells: [...cells].sort((a, b) => a - b),
    migration: migration ? migrationRef(migration) : null,
    permitted: instancePermits({ instance, host, activeMigration: migration?.id ?? null }, rights),
  }
}
