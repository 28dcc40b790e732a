import { memoize } from '../memoize'
import { type NodeMemory, nodeMemory } from '../memory/node-memory'
import { type DevicePool, poolDevices } from './device/pools'
import type { Device, NumaNode } from './host'

// A host snapshot with everything that does not depend on the instance precomputed. A fleet evaluates thousands of
// demands on the same snapshot; recomputing cores and pools for each would take most of the time.

/** Free CPUs that share one physical core, ascending. */
export type FreeCore = readonly number[]

export interface PreparedNode {
  readonly node: NumaNode
  readonly index: number
  readonly freeCpus: number
  /** Threads of the largest core, free or not. */
  readonly smt: number
  /** Cores with a free CPU: fewest free first, then by CPU id; and the same, most free first. */
  readonly coresAscending: readonly FreeCore[]
  readonly coresDescending: readonly FreeCore[]
  /** How many cores have at least this many free threads, indexed by that number. */
  readonly coresWith: readonly number[]
  /** Shared and dedicated CPUs are one set: a legacy host (`vcpu_pin_set`), where `isolate` is honoured on SMT. */
  readonly legacy: boolean
  readonly freeMemoryMib: number
  readonly memory: NodeMemory
  /** Page sizes in KiB ascending, with free and total pages. */
  readonly pageKib: readonly number[]
  readonly freePages: readonly number[]
  readonly totalPages: readonly number[]
  /** An instance without devices should leave NUMA nodes with free devices to instances that need them. */
  readonly hasFreeDevices: boolean
}

export interface PreparedHost {
  readonly numaNodes: readonly NumaNode[]
  readonly devices: readonly Device[]
  readonly preparedNodes: readonly PreparedNode[]
  readonly pools: readonly DevicePool[]
  readonly nodeIndex: ReadonlyMap<number, number>
  /** Policy `socket` is defined only when every NUMA node's socket is known. */
  readonly socketsKnown: boolean
}

/**
 * Pure: the same NUMA nodes and devices give the same prepared host. Prepare again when `usage.ts` returns new nodes.
 * Given the host as it was prepared `before`, unchanged node objects are reused: a claim changes one or two.
 */
export function prepareHost(
  numaNodes: readonly NumaNode[],
  devices: readonly Device[],
  before: PreparedHost | null = null,
): PreparedHost {
  const sameNodes =
    before?.numaNodes.length === numaNodes.length &&
    numaNodes.every((node, index) => before.numaNodes[index]?.id === node.id)
  const nodeIndex = new Map(numaNodes.map((node, index) => [node.id, index]))
  const pools = sameNodes && before.devices === devices ? before.pools : poolDevices(devices, nodeIndex)
  const withDevices = new Set(pools.map((pool) => pool.nodeIndex))
  const preparedNodes = numaNodes.map((node, index) => {
    const known = before?.preparedNodes[index]
    if (known?.node === node && known.hasFreeDevices === withDevices.has(index)) return known
    return prepareNode(node, index, withDevices.has(index))
  })
  return {
    numaNodes,
    devices,
    preparedNodes,
    pools,
    nodeIndex,
    socketsKnown: numaNodes.every((node) => node.socket !== null),
  }
}

/** For repeated questions on the same hosts: an unchanged host is not prepared again. */
export const preparedOf = memoize(({ numaNodes, devices }: Pick<PreparedHost, 'numaNodes' | 'devices'>) =>
  prepareHost(numaNodes, devices),
)

function prepareNode(node: NumaNode, index: number, hasFreeDevices: boolean): PreparedNode {
  const cores = freeCores(node)
  const smt = node.siblings.reduce((most, group) => Math.max(most, group.length), 1)
  const pages = node.pages.toSorted((a, b) => a.sizeKib - b.sizeKib)
  return {
    node,
    index,
    freeCpus: cores.reduce((sum, core) => sum + core.length, 0),
    smt,
    coresAscending: cores.toSorted((a, b) => a.length - b.length || a[0]! - b[0]!),
    coresDescending: cores.toSorted((a, b) => b.length - a.length || a[0]! - b[0]!),
    coresWith: Array.from({ length: smt + 1 }, (_, threads) => cores.filter((core) => core.length >= threads).length),
    legacy: sameSet(node.sharedCpus, node.dedicatedCpus),
    freeMemoryMib: node.memoryMib - node.memoryUsedMib,
    memory: nodeMemory(node),
    pageKib: pages.map((pool) => pool.sizeKib),
    freePages: pages.map((pool) => pool.total - pool.used - pool.reserved),
    totalPages: pages.map((pool) => pool.total),
    hasFreeDevices,
  }
}

/** A CPU in no sibling group of the hypervisor counts as a separate core. */
function freeCores(node: NumaNode): readonly FreeCore[] {
  const pinned = new Set(node.pinnedCpus)
  const free = new Set(node.dedicatedCpus.filter((cpu) => !pinned.has(cpu)))
  const cores: FreeCore[] = []
  for (const group of node.siblings) {
    const core = group.filter((cpu) => free.delete(cpu)).sort((a, b) => a - b)
    if (core.length > 0) cores.push(core)
  }
  for (const cpu of free) cores.push([cpu])
  return cores
}

function sameSet(left: readonly number[], right: readonly number[]): boolean {
  const known = new Set(left)
  return left.length === right.length && right.every((cpu) => known.has(cpu))
}
