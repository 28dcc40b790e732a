import type { HypervisorHost } from '../../import/hypervisor'
import type { Ref } from '../names/names'
import type { Ms } from '../plain'

/** What the hypervisor of one host of a cloud says, read when somebody looked. */
export interface HostReading {
  /** By Berth's clock, before it was asked. */
  readonly at: Ms
  /** As it calls the machine. */
  readonly hostname: string
  /** Domains that cannot be read are left out of it. */
  readonly hypervisor: HypervisorHost
  /** All domains; null where it does not tell them. */
  readonly domains: readonly { readonly uuid: string; readonly name: string }[] | null
  /** Free pages by `node/size`; null where it does not say. */
  readonly freePages: ReadonlyMap<string, number | null>
  /** What it could not tell, and what of its answer could not be read. */
  readonly untold: readonly string[]
}

/** `connection`: the host in Berth whose libvirt reads it. */
export type HostWitness =
  | { readonly did: 'unconnected' }
  | { readonly did: 'silent'; readonly connection: Ref }
  | { readonly did: 'read'; readonly connection: Ref; readonly reading: HostReading }
