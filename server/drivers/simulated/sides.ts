import type { Side } from '../../engine/migration/state'
import type { DriverOperation } from '../driver'
import type { Copy, Scene } from './record'

// Finds the copies of an instance on the source and the target of a migration. On one host (a resize, a rebuild) both
// exist side by side; the target's is the one that this migration created.

export function copyAtSide(scene: Scene, driverOperation: DriverOperation, side: Side): Copy | null {
  const isThere = ({ host, madeBy }: Copy) =>
    host === driverOperation[side] && (madeBy === driverOperation.migration) === (side === 'target')
  return scene.record.copies.find(isThere) ?? null
}
