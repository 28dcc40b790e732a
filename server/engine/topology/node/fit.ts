import { cpusFit } from '../cpu/cpus'
import type { FitLimits, GuestNode } from '../guest-topology'
import { choosePageKib, NO_ROOM } from '../pages'
import type { PreparedNode } from '../prepared'

// Whether and how well one guest NUMA node fits on one host NUMA node. Source: Nova `_numa_fit_instance_cell`.

export interface NodeQuestion {
  readonly guestNode: GuestNode
  /** Host CPUs for emulator threads: 1 for the first guest NUMA node under `isolate`, else 0. */
  readonly reserve: number
  readonly limits: FitLimits | null
  /** As in `FitInput`. */
  readonly ordinaryRoomMib?: number | undefined
}

export function nodeFits(question: NodeQuestion, host: PreparedNode): boolean {
  const { guestNode, reserve, limits } = question
  if (!cpusFit(guestNode, host, reserve)) return false
  if (limits !== null && guestNode.cpuPolicy !== 'dedicated' && !withinLimits(question, host, limits)) return false
  return choosePageKib(question, host) !== NO_ROOM
}

/** Pinned CPUs are never overcommitted, so the ratios apply to floating ones. */
function withinLimits(
  { guestNode, ordinaryRoomMib }: NodeQuestion,
  { node }: PreparedNode,
  limits: FitLimits,
): boolean {
  if (node.sharedUsed + guestNode.sharedVcpus.length > node.sharedCpus.length * limits.cpuAllocationRatio) return false
  // With separate accounting of pages, the ratio applies to ordinary pages: see `choosePageKib`.
  if (ordinaryRoomMib !== undefined) return true
  return node.memoryUsedMib + guestNode.memoryMib <= node.memoryMib * limits.ramAllocationRatio
}

// Weights of the parts of a score, each larger than everything below it can sum up to.
const MEMORY_SPAN = 2 ** 26
const CPU_SPAN = 2 ** 14
const DEVICE_SPAN = 2 ** 10

/** Lower is better: close devices, then fewest CPUs left over, then least memory left over (best fit). */
export function nodeFitCost(guest: GuestNode, host: PreparedNode, deviceRank: number): number {
  const cpus =
    guest.dedicatedVcpus.length > 0
      ? host.freeCpus - guest.dedicatedVcpus.length
      : Math.max(0, host.node.sharedCpus.length * 16 - host.node.sharedUsed - guest.sharedVcpus.length)
  const memoryMib = Math.max(0, host.freeMemoryMib - guest.memoryMib)
  const near = Math.min(deviceRank, DEVICE_SPAN - 1) * CPU_SPAN + Math.min(cpus, CPU_SPAN - 1)
  return near * MEMORY_SPAN + Math.min(memoryMib, MEMORY_SPAN - 1)
}

/** Caches equal inputs: an instance of four equal NUMA nodes is computed once. */
export function sameQuestion(a: NodeQuestion, b: NodeQuestion): boolean {
  const left = a.guestNode
  const right = b.guestNode
  return (
    a.reserve === b.reserve &&
    left.dedicatedVcpus.length === right.dedicatedVcpus.length &&
    left.sharedVcpus.length === right.sharedVcpus.length &&
    left.memoryMib === right.memoryMib &&
    left.pageKib === right.pageKib &&
    left.cpuPolicy === right.cpuPolicy &&
    left.threadPolicy === right.threadPolicy
  )
}
