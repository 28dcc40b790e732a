import { operationRow } from '../migration/operations'
import type { Migration, Side } from '../migration/state'
import type { SideStates } from '../migration/switch-decision'
import { otherSide } from '../words/side'
import { type DeletionRecords, deletionDisproof } from './deletion'
import { type Disproof, disproof } from './disproof'
import { type LeftoverRowRecords, leftoverRowDisproof } from './leftover-row'
import { disproofOf, type MigrationRecords } from './migration'

// Every destroy, release or exchange is proved here first.

export type Proposition =
  /** The migration's row may be acted on at all. */
  | { readonly is: 'migration'; readonly records: MigrationRecords }
  /** That side of it may be cleaned up, by what its hosts just answered. */
  | { readonly is: 'cleaning'; readonly migration: Migration; readonly side: Side; readonly at: SideStates }
  /** The instance may be destroyed on its recorded host. */
  | { readonly is: 'deletion'; readonly records: DeletionRecords }
  /** The leftover that a row lists may be cleaned up on the host. */
  | { readonly is: 'leftover'; readonly records: LeftoverRowRecords }

/** Why it may not be acted on; null when it is proved. */
export function prove(of: Proposition): Disproof | null {
  switch (of.is) {
    case 'migration':
      return disproofOf(of.records)
    case 'cleaning':
      return cleaningDisproof(of.migration, of.side, of.at)
    case 'deletion':
      return deletionDisproof(of.records)
    case 'leftover':
      return leftoverRowDisproof(of.records)
    default:
      return of satisfies never
  }
}

/** Reports of hypervisors against cleaning up that side: the last copy of an instance is never destroyed. */
function cleaningDisproof(migration: Migration, side: Side, at: SideStates): Disproof | null {
  const other = at[otherSide(side)]
  if (at[side] === 'running' && other !== 'running') {
    return disproof(
      'only-copy',
      `the instance runs on the ${side} and was not observed running on the ${otherSide(side)}`,
    )
  }
  // An instance built or unpacked from an image can be recreated, and the state of a silent side is unknown.
  const { transfer } = operationRow(migration.operation)
  if (at[side] !== 'stopped' || transfer === 'rebuild' || transfer === 'unpack') return null
  if (other === 'lost') {
    return disproof(
      'only-copy',
      `the instance is on the ${side} and the host of the ${otherSide(side)} is permanently lost`,
    )
  }
  if (other !== 'absent' && other !== 'shell' && other !== 'left') return null
  return disproof('only-copy', `the instance is on the ${side} and the ${otherSide(side)} answered without it`)
}
