import type { Instance } from '../change'
import type { HostId } from '../words/ids'
import type { Disproof } from './disproof'
import { type ConsumerClaim, claimOn } from './migration'

export interface DeletionRecords {
  readonly instance: Instance
  readonly held: readonly ConsumerClaim[]
  readonly nameOf: (host: HostId) => string
}

/** An instance is destroyed only on the host that two rows name: its own, and its claim. */
export function deletionDisproof({ instance, held, nameOf }: DeletionRecords): Disproof | null {
  const { host, name, id } = instance
  return claimOn(host, held, { who: name, kind: 'instance', instance: id, nameOf })
}
