import type { HypervisorHost } from '../../import/hypervisor'
import type { Ref } from '../names/names'
import type { Ms } from '../plain'

/** What the hypervisor of one host of a cloud reports, read on request. */
export interface HostReading {
  /** By Berth's clock, before the query. */
  readonly at: Ms
  /** Its name for the machine. */
  readonly hostname: string
  /** Without domains that cannot be read. */
  readonly hypervisor: HypervisorHost
  /** All domains; null when not reported. */
  readonly domains: readonly { readonly uuid: string; readonly name: string }[] | null
  /** Free pages by `node/size`; null when not reported. */
  readonly freePages: ReadonlyMap<string, number | null>
  /** Parts that it could not report, and unreadable parts of its answer. */
  readonly unreported: readonly string[]
}

/** `connection`: the host in Berth whose libvirt reads it. */
export type HostWitness =
  | { readonly did: 'unconnected' }
  | { readonly did: 'silent'; readonly connection: Ref }
  | { readonly did: 'read'; readonly connection: Ref; readonly reading: HostReading }
