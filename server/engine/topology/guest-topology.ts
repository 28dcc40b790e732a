// The NUMA nodes and devices that an instance needs, before any host is chosen. Source: Nova `InstanceNUMATopology`.

export type CpuPolicy = 'shared' | 'dedicated' | 'mixed'
export type CpuThreadPolicy = 'prefer' | 'isolate' | 'require'
export type EmulatorThreadsPolicy = 'share' | 'isolate'

/** One guest NUMA node. vCPU ids are the guest's. */
export interface GuestNode {
  readonly id: number
  readonly sharedVcpus: readonly number[]
  readonly dedicatedVcpus: readonly number[]
  readonly memoryMib: number
  /** null = not requested; PAGE_SMALL, PAGE_LARGE, PAGE_ANY; or exactly this many KiB. */
  readonly pageKib: number | null
  /** null means shared. */
  readonly cpuPolicy: CpuPolicy | null
  readonly threadPolicy: CpuThreadPolicy | null
}

export interface GuestTopology {
  readonly emulatorThreads: EmulatorThreadsPolicy | null
  readonly cells: readonly GuestNode[]
}

export type PciNumaPolicy = 'required' | 'legacy' | 'preferred' | 'socket'

/** One request for PCI functions (a flavor's alias, or a port). Source: Nova `InstancePCIRequest`. */
export interface PciRequest {
  readonly kind: 'pci'
  readonly requestId: string
  readonly alias: string
  readonly count: number
  /** A device matches when one entry matches in all of its keys. */
  readonly spec: readonly Readonly<Record<string, string>>[]
  readonly numaPolicy: PciNumaPolicy | null
  /** One Placement provider per device, when Placement has chosen. */
  readonly providers?: readonly string[]
}

/** Ratios and networks that limit a fit. Source: Nova `NUMATopologyLimits`. */
export interface FitLimits {
  readonly cpuAllocationRatio: number
  readonly ramAllocationRatio: number
  readonly network?: { readonly physnets: readonly string[]; readonly tunneled: boolean }
}

/** Placement of one guest NUMA node. `pins` maps guest vCPU to host CPU. */
export interface PlacedNode {
  readonly guestCell: number
  readonly hostCell: number
  readonly memoryMib: number
  /** Null when not requested; the smallest size of the NUMA node is then used. */
  readonly pageKib: number | null
  readonly sharedVcpus: readonly number[]
  readonly pins: readonly (readonly [vcpu: number, cpu: number])[]
  /** CPUs for emulator threads (policy `isolate`). */
  readonly reservedCpus: readonly number[]
  /** Only under `isolate` without a whole core for the reserved CPU: its siblings keep their holders. */
  readonly reservedSharesCore?: boolean
  readonly cpuPolicy: CpuPolicy | null
  readonly threadPolicy: CpuThreadPolicy | null
}
