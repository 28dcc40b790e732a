import type { UnitKind, UnitName } from '../words/units'

// The parts of a host and their usage, as the fit sees them. All values are frozen data; `usage.ts` returns a new host
// for every claim or release.

/** Pages of one size in a NUMA node. Source: libvirt capabilities `<pages>`, Nova `NUMAPagesTopology`. */
export interface PagePool {
  readonly sizeKib: number
  readonly total: number
  readonly used: number
  readonly reserved: number
}

/** Provider networks with affinity to a NUMA node (Nova `[neutron] physnets`, tunneled networks). */
export interface NodeNetwork {
  readonly physnets: readonly string[]
  readonly tunneled: boolean
}

/** One NUMA node. CPU ids are the host's thread ids, ascending. Source: Nova `NUMACell`. */
export interface NumaNode {
  readonly id: number
  /** Physical package, null when the hypervisor does not report it. */
  readonly socket: number | null
  readonly sharedCpus: readonly number[]
  readonly dedicatedCpus: readonly number[]
  /** SMT sibling groups; a group of one is a core without SMT. */
  readonly siblings: readonly (readonly number[])[]
  /** Dedicated CPUs that are held, ascending. */
  readonly pinnedCpus: readonly number[]
  /** Number of shared vCPUs placed on the NUMA node. */
  readonly sharedUsed: number
  readonly memoryMib: number
  readonly memoryUsedMib: number
  /** Empty when the hypervisor reports no page information. Ascending by size. */
  readonly pages: readonly PagePool[]
  readonly network?: NodeNetwork
  /** Relative distance to the NUMA nodes of the host in their order (10 = local). Source: ACPI SLIT. */
  readonly distances?: readonly number[]
}

export type PciDevType = 'type-PCI' | 'type-PF' | 'type-VF' | 'vdpa'

/** One assignable device function, vGPU or vPMEM namespace. CPUs are units too, but belong to their NUMA node. */
export interface Device {
  readonly unit: UnitName
  readonly kind: Exclude<UnitKind, 'cpu'>
  readonly cell: number | null
  /** The unit this one is cut from: a VF's PF, a vGPU's GPU. Holding either blocks the other. */
  readonly parent: UnitName | null
  /** Resource class under which Placement counts it, when its provider keeps an inventory of that class. */
  readonly resourceClass: string
  readonly pci?: {
    readonly address: string
    readonly vendorId: string
    readonly productId: string
    readonly devType: PciDevType
    /** Tags of the operator's device_spec: physical_network, remote_managed, live_migratable … */
    readonly tags: Readonly<Record<string, string>>
  }
  readonly mdevType?: string
  readonly sizeMib?: number
  /** Placement provider that carries it in a nested layout (PF, GPU, PMEM region). */
  readonly provider?: string
  /** Vanished from the host, or from the operator's device_spec, while held: kept until its holder releases it. */
  readonly gone?: boolean
  /** Available: neither held nor blocked by a held parent or child, and not gone from the host. */
  readonly free: boolean
}
