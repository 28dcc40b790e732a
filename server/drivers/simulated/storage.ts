import type { ClaimBody } from '../../engine/host'
import { DISK_GB } from '../../engine/words/units'
import type { Errand } from '../driver'
import type { Scene } from './record'
import { sourceCopy } from './sides'

/**
 * Why the storage mode does not fit the two hosts; null when it does. A disk lies where its guest was built or last
 * copied to, whatever the records have come to say since: so libvirt and Nova look at the hosts before they start.
 */
export function storageUnfit(scene: Scene, errand: Errand): string | null {
  const from = sourceCopy(scene, errand)?.claim ?? null
  const to = errand.claim.target
  if (errand.storage === null || from === null || to === null || from.amounts.length === 0) return null
  const disk = diskOf(from)
  if (errand.storage === 'block') {
    if (disk === null) return 'block migration needs a local disk, and the guest has none'
    return disk === diskOf(to) ? 'block migration cannot be used with shared storage' : null
  }
  return disk === null || disk === diskOf(to) ? null : 'the disk of the guest is not on storage that the target shares'
}

/** The provider that holds the disk. */
const diskOf = ({ amounts }: ClaimBody) =>
  amounts.find(({ resourceClass }) => resourceClass === DISK_GB)?.provider ?? null
