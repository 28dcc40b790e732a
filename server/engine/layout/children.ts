import type { Host } from '../host'
import { counted, grouped } from '../ledger/grouped'
import { takesInstances } from '../memory/host-memory'
import type { Device, NumaNode } from '../topology/host'
import { MEMORY_MB, PCPU, type UnitName, VCPU } from '../words/units'
import { isCounted } from './obstacles'

// The child providers of a host: one per NUMA node, per card with its functions, per GPU, and per node with persistent
// memory. Names are those of Nova's libvirt driver where it has any, so that Placement's clients know them.

export interface Child {
  readonly name: string
  /** The NUMA node it stands for; null for cards and memory regions. */
  readonly numaNode: number | null
  readonly traits: readonly string[]
  /** Resource class → how much of it the parts have. */
  readonly has: ReadonlyMap<string, number>
  /** Devices it carries. */
  readonly units: readonly UnitName[]
}

const NUMA_ROOT = 'HW_NUMA_ROOT'

/** NUMA nodes first, then devices, each in the host's order. */
export function childrenOf(host: Host): readonly Child[] {
  return [...nodeChildren(host), ...deviceChildren(host)]
}

// A class that the root does not count stays uncounted in the NUMA nodes: an operator may have omitted it on purpose. A
// node without CPUs (memory of a device seen as a NUMA node) takes no instance and gets no child.
function nodeChildren(host: Host): Child[] {
  return host.numaNodes.filter(takesInstances).flatMap((node) => {
    const has = new Map(partsOf(node).filter(([resourceClass, much]) => much > 0 && isCounted(host, resourceClass)))
    if (has.size === 0) return []
    return [{ name: `${host.name}_NUMA${node.id}`, numaNode: node.id, traits: [NUMA_ROOT], has, units: [] }]
  })
}

const partsOf = (node: NumaNode): readonly (readonly [string, number])[] => [
  [VCPU, node.sharedCpus.length],
  [PCPU, node.dedicatedCpus.length],
  [MEMORY_MB, node.memoryMib],
]

function deviceChildren(host: Host): Child[] {
  const byUnit = new Map(host.devices.map((device) => [device.unit, device]))
  return [...grouped(host.devices, (device) => cardOf(device, byUnit))].map(([card, devices]) => ({
    name: `${host.name}_${nameOf(card, devices)}`,
    numaNode: null,
    traits: [],
    has: counted(devices.map(({ resourceClass }) => resourceClass)),
    units: devices.map(({ unit }) => unit),
  }))
}

/** The outermost device that it is cut from, or the region of its NUMA node's persistent memory. */
function cardOf(device: Device, byUnit: ReadonlyMap<UnitName, Device>): string {
  if (device.kind === 'vpmem') return device.cell === null ? 'pmem' : `pmem${device.cell}`
  let top = device
  const seen = new Set<UnitName>()
  for (let up = byUnit.get(device.unit); up && !seen.has(up.unit); up = up.parent ? byUnit.get(up.parent) : undefined) {
    seen.add(up.unit)
    top = up
  }
  return addressOf(top)
}

// `vgpu:0000:d8:00.0:nvidia-35:3` is cut from the GPU at 0000:d8:00.0, even when the GPU itself is not offered.
function addressOf({ kind, unit, pci }: Device): string {
  if (pci) return pci.address
  const parts = unit.split(':').slice(1)
  return (kind === 'vgpu' ? parts.slice(0, 3) : parts).join(':')
}

/** Nova names a GPU after its node device, and any other card after its address. */
function nameOf(card: string, devices: readonly Device[]): string {
  if (!devices.some(({ kind }) => kind === 'vgpu')) return card
  return `pci_${card.replaceAll(/[:.]/g, '_')}`
}
