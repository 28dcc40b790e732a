import type { FitLimits, GuestTopology, PciRequest, PlacedNode } from '../engine/topology/guest-topology'
import type { Device, NumaNode } from '../engine/topology/host'
import { pciUnit } from '../engine/words/units'
import type {
  VectorDevice,
  VectorGuest,
  VectorGuestNode,
  VectorLimits,
  VectorNode,
  VectorPool,
  VectorRequest,
} from './vector-file'

// Converts the vectors' types to the engine's. Decides nothing.

export function numaNodeOf(cell: VectorNode): NumaNode {
  return {
    id: cell.id,
    socket: cell.socket,
    sharedCpus: cell.cpuset,
    dedicatedCpus: cell.pcpuset,
    siblings: cell.siblings,
    pinnedCpus: cell.pinnedCpus,
    sharedUsed: cell.cpuUsage,
    memoryMib: cell.memoryMib,
    memoryUsedMib: cell.memoryUsageMib,
    pages: cell.memPages.map(({ sizeKib, total, used, reserved }) => ({ sizeKib, total, used, reserved })),
    ...(cell.network === undefined ? {} : { network: cell.network }),
  }
}

export function topologyOf(guest: VectorGuest): GuestTopology {
  return {
    emulatorThreads: guest.emulatorThreadsPolicy,
    cells: guest.cells.map((cell) => ({
      id: cell.id,
      sharedVcpus: cell.cpuset,
      dedicatedVcpus: cell.pcpuset,
      memoryMib: cell.memoryMib,
      pageKib: cell.pageSizeKib,
      cpuPolicy: cell.cpuPolicy,
      threadPolicy: cell.cpuThreadPolicy,
    })),
  }
}

/** A guest NUMA node placed on a host (usage vectors): its id is the host node's. */
export function placedOf(cell: VectorGuestNode, index: number): PlacedNode {
  return {
    guestCell: index,
    hostCell: cell.id,
    memoryMib: cell.memoryMib,
    pageKib: cell.pageSizeKib,
    sharedVcpus: cell.cpuset,
    pins: Object.entries(cell.cpuPinning ?? {}).map(([vcpu, cpu]) => [Number(vcpu), cpu] as const),
    reservedCpus: cell.cpusetReserved ?? [],
    cpuPolicy: cell.cpuPolicy,
    threadPolicy: cell.cpuThreadPolicy,
  }
}

export function limitsOf(limits: VectorLimits | null): FitLimits | null {
  if (limits === null) return null
  const { cpuAllocationRatio, ramAllocationRatio, network } = limits
  return { cpuAllocationRatio, ramAllocationRatio, ...(network === undefined ? {} : { network }) }
}

export function requestOf(request: VectorRequest): PciRequest {
  const { requestId, aliasName, count, spec, numaPolicy, placementProviders } = request
  return {
    kind: 'pci',
    requestId,
    alias: aliasName,
    count,
    spec,
    numaPolicy,
    ...given('providers', placementProviders),
  }
}

function given<K extends string, T>(key: K, value: T | null | undefined): { [P in K]?: T } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { [P in K]: T })
}

export function deviceOf(device: VectorDevice): Device {
  const { address, vendorId, productId, devType, tags } = device
  return {
    unit: pciUnit(address),
    kind: 'pci',
    cell: device.numaNode,
    parent: device.parentAddress === null ? null : pciUnit(device.parentAddress),
    resourceClass: `CUSTOM_PCI_${vendorId}_${productId}`.toUpperCase(),
    pci: { address, vendorId, productId, devType, tags },
    ...given('provider', device.rpUuid),
    free: device.free,
  }
}

/**
 * Fit vectors count devices per pool; the engine has one entry per device. Their addresses are invented, one bus per
 * pool.
 */
export function devicesOfPools(pools: readonly VectorPool[]): readonly VectorDevice[] {
  return pools.flatMap(({ count, tags = {}, ...pool }, bus) =>
    Array.from({ length: count }, (_, index) => ({
      ...pool,
      tags,
      address: `0000:${bus.toString(16).padStart(2, '0')}:${(index >> 3).toString(16).padStart(2, '0')}.${index & 7}`,
      parentAddress: null,
      free: true,
    })),
  )
}
