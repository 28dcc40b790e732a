import type { Side } from '../../engine/migration/state'
import type { DriverOperation, ObservedState } from '../driver'
import type { Copy, Scene } from './record'

// Finds the copies of a guest on the source and the target of a migration. On one host (a resize, a rebuild) both exist
// side by side; the target's is the one that this migration created.

export function sourceCopy(scene: Scene, driverOperation: DriverOperation): Copy | null {
  return (
    scene.guest.copies.find(
      (copy) => copy.host === driverOperation.source && copy.madeBy !== driverOperation.migration,
    ) ?? null
  )
}

export function targetCopy(scene: Scene, driverOperation: DriverOperation): Copy | null {
  return (
    scene.guest.copies.find(
      (copy) => copy.host === driverOperation.target && copy.madeBy === driverOperation.migration,
    ) ?? null
  )
}

export function copyAtSide(scene: Scene, driverOperation: DriverOperation, side: Side): Copy | null {
  return side === 'source' ? sourceCopy(scene, driverOperation) : targetCopy(scene, driverOperation)
}

/** The observed state on one side, if its host answers. */
export function observedStateOf(scene: Scene, driverOperation: DriverOperation, side: Side): ObservedState {
  const host = side === 'source' ? driverOperation.source : driverOperation.target
  if (host === null) return 'absent'
  return copyAtSide(scene, driverOperation, side)?.is ?? 'absent'
}
