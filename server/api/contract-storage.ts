import type { Ms, Permit } from './contract'
import type { Mutation, Query } from './contract-procedure'

// What is asked and answered of shared storage.

export interface SharedStorageView {
  readonly id: string
  readonly name: string
  readonly totalGib: number
  readonly usedGib: number
  /** Ids of the hosts it serves. */
  readonly hosts: readonly string[]
}

export interface StorageProcedures {
  readonly 'storage.list': Query<void, { readonly storages: readonly SharedStorageView[]; readonly permit: Permit }>
  readonly 'storage.create': Mutation<{ name: string; totalGib: number; reason: string }, { id: string }>
  /** Takes the host's own disk away; refused while a disk lies on it. */
  readonly 'storage.join': Mutation<{ host: string; storage: string; reason: string }, { acceptedAt: Ms }>
  /** `diskGib`: the host's own disk from then on. Refused while a disk of an instance there lies on the storage. */
  readonly 'storage.leave': Mutation<
    { host: string; storage: string; diskGib: number; reason: string },
    { acceptedAt: Ms }
  >
}
