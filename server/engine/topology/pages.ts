import { underRatio } from '../memory/node-memory'
import { PAGE_ANY, PAGE_LARGE, PAGE_SMALL } from '../words/units'
import type { GuestNode } from './guest-topology'
import type { NodeQuestion } from './node/fit'
import type { PreparedNode } from './prepared'

// Fits the memory of one guest NUMA node into one host NUMA node. Source: Nova `_numa_cell_supports_pagesize_request`.

export const NO_ROOM = -1
/** Nothing was requested and it fits: the placed NUMA node has no page size either. */
export const NO_PAGE_SIZE = 0

/** Pinned instances do not overcommit memory, so only free memory counts for them. */
export const pinsCpus = (guest: GuestNode) => guest.cpuPolicy === 'dedicated' || guest.cpuPolicy === 'mixed'

type MemoryQuestion = Omit<NodeQuestion, 'reserve'>

/** The page size in KiB that holds the guest NUMA node, NO_PAGE_SIZE, or NO_ROOM. */
export function choosePageKib(question: MemoryQuestion, host: PreparedNode): number {
  const { guestNode, ordinaryRoomMib } = question
  const requested = guestNode.pageKib
  const apart = ordinaryRoomMib !== undefined
  if (requested === null) {
    const room = apart ? holdsOrdinary(question, host) : roomWithoutPages(guestNode, host)
    return room ? NO_PAGE_SIZE : NO_ROOM
  }
  // Largest first: fewer translations for the guest, and Nova does the same.
  const first = requested === PAGE_LARGE ? 1 : 0
  const last = requested === PAGE_SMALL ? 0 : host.pageKib.length - 1
  const exact = requested >= 0
  for (let size = Math.min(last, host.pageKib.length - 1); size >= first; size--) {
    if (exact && host.pageKib[size] !== requested) continue
    const room =
      apart && size === 0
        ? holdsOrdinary(question, host)
        : holds(guestNode.memoryMib, host.pageKib[size]!, host.freePages[size]!)
    if (room) return host.pageKib[size]!
  }
  return NO_ROOM
}

/** True when ordinary pages of the node hold the guest NUMA node, with separate accounting for huge pages. */
function holdsOrdinary(question: MemoryQuestion, host: PreparedNode): boolean {
  const { memoryMib } = question.guestNode
  return isPageMultiple(memoryMib, host.pageKib[0]) && memoryMib <= ordinaryRoomFor(question, host)
}

const isPageMultiple = (memoryMib: number, pageKib: number | undefined) =>
  pageKib === undefined || (memoryMib * 1024) % pageKib === 0

/**
 * Ordinary memory of the node available to the guest NUMA node, in MiB; negative when overcommitted. A node that is
 * pinned or names a page size has exclusive memory. A floating node is under the ratio, and never has more than exists.
 */
export function ordinaryRoomFor(
  { guestNode, limits, ordinaryRoomMib }: MemoryQuestion,
  { memory }: PreparedNode,
): number {
  const { ordinaryMib, ordinaryUsedMib } = memory
  if (guestNode.pageKib === PAGE_ANY) return Math.min(ordinaryMib - ordinaryUsedMib, ordinaryRoomMib ?? ordinaryMib)
  if (pinsCpus(guestNode) || guestNode.pageKib !== null) return ordinaryMib - ordinaryUsedMib
  if (limits === null) return ordinaryMib
  return Math.min(ordinaryMib, underRatio(ordinaryMib, limits.ramAllocationRatio) - ordinaryUsedMib)
}

/** Indexes in `host.pageKib` that the guest NUMA node may use at all, with or without room. */
export function allowedPageSizes(guest: GuestNode, host: PreparedNode): readonly number[] {
  const all = [...host.pageKib.keys()]
  if (guest.pageKib === null || guest.pageKib === PAGE_SMALL) return all.slice(0, 1)
  if (guest.pageKib === PAGE_LARGE) return all.slice(1)
  return guest.pageKib === PAGE_ANY ? all : all.filter((size) => host.pageKib[size] === guest.pageKib)
}

export function holds(memoryMib: number, pageKib: number, pages: number): boolean {
  const kib = memoryMib * 1024
  return kib % pageKib === 0 && kib <= pages * pageKib
}

// Without a request the smallest pages are used. An instance that may float is tested against the NUMA node, not
// against what is left of it: the limits then govern overcommit.
function roomWithoutPages(guest: GuestNode, host: PreparedNode): boolean {
  const pinned = pinsCpus(guest)
  if (host.pageKib.length === 0) return guest.memoryMib <= (pinned ? host.freeMemoryMib : host.node.memoryMib)
  return holds(guest.memoryMib, host.pageKib[0]!, pinned ? host.freePages[0]! : host.totalPages[0]!)
}
