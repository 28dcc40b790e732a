import type { HypervisorHost } from '../../import/hypervisor'
import type { Ref } from '../names/names'
import type { Ms } from '../plain'

/** What the hypervisor of one host of a cloud reports, read on request. */
export interface HostReading {
  /** By Berth's clock, before the query. */
  readonly at: Ms
  /** As it calls the machine. */
  readonly hostname: string
  /** Without domains that cannot be read. */
  readonly hypervisor: HypervisorHost
  /** All domains; null where it does not report them. */
  readonly domains: readonly { readonly uuid: string; readonly name: string }[] | null
  /** Free pages by `node/size`; null where it does not say. */
  readonly freePages: ReadonlyMap<string, number | null>
  /** What it could not report, and what of its answer could not be read. */
  readonly unreported: readonly string[]
}

/** `connection`: the host in Berth whose libvirt reads it. */
export type HostWitness =
  | { readonly did: 'unconnected' }
  | { readonly did: 'silent'; readonly connection: Ref }
  | { readonly did: 'read'; readonly connection: Ref; readonly reading: HostReading }
