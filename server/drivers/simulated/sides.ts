import type { Side } from '../../engine/migration/state'
import type { DriverOperation, ObservedState } from '../driver'
import type { Copy, Scene } from './record'

// Which copy of a guest is meant by the source and the target of a migration. On one host (a resize, a rebuild) both
// stand side by side, told apart by the migration that made the target's.

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

/** What a look at one side shows, when its host answers. */
export function observedStateOf(scene: Scene, driverOperation: DriverOperation, side: Side): ObservedState {
  const host = side === 'source' ? driverOperation.source : driverOperation.target
  if (host === null) return 'absent'
  return copyAtSide(scene, driverOperation, side)?.is ?? 'absent'
}
