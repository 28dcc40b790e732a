import type { Host } from '../host'
import { memoize } from '../memoize'
import { type Inventory, inventoryOf } from '../resources/inventory'
import { treeOf } from '../resources/trait'
import type { NumaNode } from '../topology/host'
import { MEMORY_MB } from '../words/units'
import { nodeMemory, underRatio } from './node-memory'

// Ordinary memory of a host as a whole. An instance without a NUMA topology may have its memory on any node, and so may
// the hypervisor; what both use therefore counts against the sum of all nodes, in flat and nested layouts.

export interface OrdinaryMemory {
  /** Reserved by the huge-page pools of all nodes. */
  readonly hugeMib: number
  /** For instances and the hypervisor: the sum of the nodes. */
  readonly totalMib: number
  /** Reserved for the hypervisor (`reserved` of MEMORY_MB). */
  readonly reservedMib: number
  /** Capacity for claims: (total − reserved) × allocation ratio. */
  readonly capacityMib: number
  /** Held by instances that are placed on a node. */
  readonly placedMib: number
  /** Held by instances without a node, and by other consumers of the host's providers. */
  readonly floatingMib: number
}

/** Null when the host's nodes are unknown: then its inventories alone decide. */
export const ordinaryMemory = memoize((host: Host): OrdinaryMemory | null => {
  if (host.numaNodes.length === 0) return null
  const nodes = host.numaNodes.filter(takesInstances).map(nodeMemory)
  const sum = (of: (node: (typeof nodes)[number]) => number) => nodes.reduce((total, node) => total + of(node), 0)
  const inventories = memoryOf(host)
  const totalMib = sum(({ ordinaryMib }) => ordinaryMib)
  const reservedMib = inventories.reduce((total, { reserved }) => total + reserved, 0)
  return {
    hugeMib: sum(({ hugeMib }) => hugeMib),
    totalMib,
    reservedMib,
    capacityMib: underRatio(Math.max(0, totalMib - reservedMib), memoryRatio(host)),
    placedMib: sum(({ ordinaryUsedMib }) => ordinaryUsedMib),
    floatingMib: inventories.reduce((total, { used }) => total + used, 0) - allocatedWithTopology(host),
  }
})

/** Unclaimed ordinary memory; negative when overcommitted. */
export const ordinaryRoom = ({ capacityMib, placedMib, floatingMib }: OrdinaryMemory): number =>
  capacityMib - placedMib - floatingMib

/** Memory of a node without CPUs belongs to a device (a GPU's HBM): no instance is placed there. */
export const takesInstances = (node: NumaNode): boolean => node.sharedCpus.length + node.dedicatedCpus.length > 0

const memoryOf = (host: Host): readonly Inventory[] =>
  treeOf(host).flatMap((provider) => inventoryOf(provider, MEMORY_MB) ?? [])

/** The allocation ratio of memory; a nested layout has it on its children, all alike. */
export const memoryRatio = (host: Host): number => (memoryOf(host)[0]?.allocationRatioMilli ?? 1000) / 1000

/** Allocations of instances with a NUMA topology: those are counted by the pages of their nodes instead. */
function allocatedWithTopology(host: Host): number {
  const own = new Set(treeOf(host).map(({ id }) => id))
  let allocated = 0
  for (const { body } of host.holdings) {
    if (body.cells.length === 0) continue
    for (const { provider, resourceClass, amount } of body.amounts) {
      if (resourceClass === MEMORY_MB && own.has(provider)) allocated += amount
    }
  }
  return allocated
}
