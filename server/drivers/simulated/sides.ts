import type { Side } from '../../engine/migration/state'
import type { Errand, Sight } from '../driver'
import type { Copy, Scene } from './record'

// Which copy of a guest is meant by the source and the target of a migration. On one host (a resize, a rebuild) both
// stand side by side, told apart by the migration that made the target's.

export function otherSide(side: Side): Side {
  return side === 'source' ? 'target' : 'source'
}

export function sourceCopy(scene: Scene, errand: Errand): Copy | null {
  return scene.guest.copies.find((copy) => copy.host === errand.source && copy.madeBy !== errand.migration) ?? null
}

export function targetCopy(scene: Scene, errand: Errand): Copy | null {
  return scene.guest.copies.find((copy) => copy.host === errand.target && copy.madeBy === errand.migration) ?? null
}

export function copyAtSide(scene: Scene, errand: Errand, side: Side): Copy | null {
  return side === 'source' ? sourceCopy(scene, errand) : targetCopy(scene, errand)
}

/** What a look at one side shows, when its host answers. */
export function sightOf(scene: Scene, errand: Errand, side: Side): Sight {
  const host = side === 'source' ? errand.source : errand.target
  if (host === null) return 'absent'
  return copyAtSide(scene, errand, side)?.is ?? 'absent'
}
