import type { Demand } from '../demand'
import type { HostHolders } from '../holders'
import type { Host } from '../host'
import type { GuestNode, GuestTopology, PlacedNode } from '../topology/guest-topology'
import { type Fit, type FitInput, fitInstance } from '../topology/numa'
import type { Refusal } from '../words/refusal'
import { MEMORY_MB, PAGE_ANY, PAGE_LARGE, PAGE_SMALL } from '../words/units'
import { type OrdinaryMemory, ordinaryMemory, ordinaryRoom } from './host-memory'
import { ordinaryPageKib } from './node-memory'

// Ordinary memory of the host as a whole against a demand. The fit checks each node's share; this covers instances
// without a node, and the sum.

/** Null under Nova's accounting, and when the host's nodes are unknown. */
export const exactOrdinaryMemory = (host: Host): OrdinaryMemory | null =>
  host.memory === 'exact' ? ordinaryMemory(host) : null

interface Shortage {
  readonly demand: Demand
  readonly host: Host
  readonly holders: HostHolders
}

/** Refuses before any node is chosen; a demand without ordinary memory is never refused. */
export function ordinaryShortage({ demand, host, holders }: Shortage): Refusal | null {
  const memory = exactOrdinaryMemory(host)
  if (memory === null) return null
  const need = demand.topology ? surelyOrdinary(demand.topology, host) : (demand.amounts[MEMORY_MB] ?? 0)
  return need > 0 && need > ordinaryRoom(memory) ? refusalOf(memory, need, holders) : null
}

function refusalOf(memory: OrdinaryMemory, need: number, holders: HostHolders): Refusal {
  const room = ordinaryRoom(memory)
  return {
    ...{ kind: 'ordinary-memory', where: { hugeMib: memory.hugeMib } },
    ...{ need, free: Math.max(0, room), shortBy: need - room },
    heldBy: holders.ofOrdinary(),
  }
}

/** Memory of the guest NUMA nodes that fit only in ordinary pages. */
function surelyOrdinary({ cells }: GuestTopology, host: Host): number {
  const smallest = Math.min(...host.numaNodes.map((node) => ordinaryPageKib(node) ?? Number.POSITIVE_INFINITY))
  const isOrdinary = ({ pageKib }: GuestNode) => pageKib === null || pageKib === PAGE_SMALL || pageKib === smallest
  return sum(cells.filter(isOrdinary))
}

const sum = (nodes: readonly Pick<GuestNode, 'memoryMib'>[]) => nodes.reduce((mib, node) => mib + node.memoryMib, 0)

/**
 * `fitInstance`, when guest NUMA nodes that take pages of any size also share the host's ordinary memory. If they take
 * too much of it, more and more of them, the largest first, are required to use huge pages.
 */
export function fitWithOrdinary(input: FitInput, host: Host, holders: HostHolders): Fit {
  const memory = exactOrdinaryMemory(host)
  if (memory === null) return fitInstance(input)
  const room = ordinaryRoom(memory)
  const asked = { ...input, ordinaryRoomMib: room }
  const first = fitInstance(asked)
  const { topology } = input.demand
  const any = topology?.cells.filter(({ pageKib }) => pageKib === PAGE_ANY) ?? []
  if (!first.ok || !topology || any.length === 0 || ordinaryOf(first.cells, host) <= room) return first
  const largestFirst = any.toSorted((a, b) => b.memoryMib - a.memoryMib)
  for (let count = 1; count <= any.length; count++) {
    const huge = new Set(largestFirst.slice(0, count))
    const nodes = topology.cells.map((node) => (huge.has(node) ? { ...node, pageKib: PAGE_LARGE } : node))
    const fit = fitInstance({ ...asked, demand: { ...input.demand, topology: { ...topology, cells: nodes } } })
    if (fit.ok && ordinaryOf(fit.cells, host) <= room) return fit
  }
  return { ok: false, refusals: [refusalOf(memory, ordinaryOf(first.cells, host), holders)] }
}

function ordinaryOf(placed: readonly PlacedNode[], host: Host): number {
  const smallest = new Map(host.numaNodes.map((node) => [node.id, ordinaryPageKib(node)]))
  return sum(placed.filter(({ hostCell, pageKib }) => pageKib === null || pageKib === smallest.get(hostCell)))
}
