import { pciUnit } from '../words/units'
import type { FitDemand } from './demand'
import type { GuestNode, GuestTopology, PciRequest } from './guest-topology'
import type { Device, NumaNode } from './host'

// Small hosts and instances for the tests of this folder: each test states only what it is about.

/** Core `c` of NUMA node `i` has the CPUs `100i + c`, `100i + 10 + c` …; everything is dedicated, 1 GiB of memory. */
export function testNode(id: number, cores: number, rest: Partial<NumaNode> & { threads?: number } = {}): NumaNode {
  const { threads = 2, ...given } = rest
  const siblings = Array.from({ length: cores }, (_, core) =>
    Array.from({ length: threads }, (_, thread) => 100 * id + 10 * thread + core),
  )
  return {
    id,
    socket: id,
    sharedCpus: [],
    dedicatedCpus: siblings.flat().sort((a, b) => a - b),
    siblings,
    pinnedCpus: [],
    sharedUsed: 0,
    memoryMib: 1024,
    memoryUsedMib: 0,
    pages: [],
    ...given,
  }
}

/** An instance of pinned NUMA nodes with this many vCPUs each and 64 MiB. */
export function pinnedGuest(vcpus: readonly number[], rest: Partial<GuestNode> = {}): GuestTopology {
  let next = 0
  const nodes = vcpus.map((count, id): GuestNode => {
    const first = next
    next += count
    return {
      id,
      sharedVcpus: [],
      dedicatedVcpus: Array.from({ length: count }, (_, index) => first + index),
      memoryMib: 64,
      pageKib: null,
      cpuPolicy: 'dedicated',
      threadPolicy: null,
      ...rest,
    }
  })
  return { emulatorThreads: null, cells: nodes }
}

export function demandOf(topology: GuestTopology | null, rest: Partial<FitDemand> = {}): FitDemand {
  return { topology, devices: [], ...rest }
}

export function testDevice(address: string, node: number | null, rest: Partial<Device> = {}): Device {
  const pci = { address, vendorId: '8086', productId: '1563', devType: 'type-VF' as const, tags: {} }
  return {
    unit: pciUnit(address),
    kind: 'pci',
    cell: node,
    parent: null,
    resourceClass: 'CUSTOM_VF',
    pci,
    free: true,
    ...rest,
  }
}

/** A PF with VFs: `a.0` and `a.1` … of one NUMA node. */
export function testCard(name: string, node: number | null, vfs: number): readonly Device[] {
  const address = `${name}.0`
  const pci = { address, vendorId: '8086', productId: '1563', devType: 'type-PF' as const, tags: {} }
  const children = Array.from({ length: vfs }, (_, index) =>
    testDevice(`${name}.${index + 1}`, node, { parent: pciUnit(address) }),
  )
  return [testDevice(address, node, { pci }), ...children]
}

export function pciRequest(count: number, rest: Partial<PciRequest> = {}): PciRequest {
  return {
    kind: 'pci',
    requestId: 'nic',
    alias: 'nic',
    count,
    spec: [{ vendor_id: '8086' }],
    numaPolicy: null,
    ...rest,
  }
}
