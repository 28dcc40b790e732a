import type { GuestTopology, PciRequest } from './topology/guest'
import type { GroupId, HostId } from './words/ids'

// What a flavor, an image and policy ask for, before any host is chosen.

/** Frozen copy of a Nova flavor. */
export interface Flavor {
  readonly name: string
  readonly vcpus: number
  readonly memoryMib: number
  readonly diskGib: number
  readonly extraSpecs: Readonly<Record<string, string>>
}

/** Raw image properties; strings as Glance keeps them. */
export interface Image {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
}

/** PCI alias table of the fleet (Nova `[pci] alias`): name → specs and default NUMA policy. */
export interface PciAlias {
  readonly name: string
  readonly spec: readonly Readonly<Record<string, string>>[]
  readonly numaPolicy: PciRequest['numaPolicy']
}

export interface VgpuRequest {
  readonly count: number
  /** Null takes any one type, all slots of one request from the same type. */
  readonly mdevType: string | null
}

/** Where it may go besides room. */
export interface Constraints {
  readonly requiredTraits: readonly string[]
  readonly forbiddenTraits: readonly string[]
  /** Each entry: the host must be in at least one of these aggregates. */
  readonly memberOf: readonly (readonly string[])[]
  readonly notMemberOf: readonly string[]
  readonly zone: string | null
  readonly network: { readonly physnets: readonly string[]; readonly tunneled: boolean } | null
}

export type GroupPolicy = 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity'

/** A server group with where its members live or head to now, the asking instance left out. */
export interface Group {
  readonly id: GroupId
  readonly generation: number
  readonly policy: GroupPolicy
  /** Nova `max_server_per_host` of anti-affinity; 1 unless told. */
  readonly maxPerHost: number
  /** Hosts that hold a claim of another member, one entry per member and host. */
  readonly memberHosts: readonly HostId[]
}

export interface Demand {
  /** Resource class → amount, from vcpus, memory, disk and `resources:` extra specs. */
  readonly amounts: Readonly<Record<string, number>>
  readonly guest: GuestTopology | null
  readonly devices: readonly PciRequest[]
  readonly vgpus: readonly VgpuRequest[]
  /** Labels of vPMEM namespaces, e.g. `6GB`. */
  readonly vpmem: readonly string[]
  readonly constraints: Constraints
}
