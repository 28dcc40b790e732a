import { PAGE_ANY, PAGE_LARGE, PAGE_SMALL } from '../words/units'
import type { GuestCell } from './guest'
import type { PreparedCell } from './prepared'

// Memory of one guest cell in one host cell. Source: Nova `_numa_cell_supports_pagesize_request`.

export const NO_ROOM = -1
/** Nothing was asked and it fits: the placed cell says no page size either. */
export const NOTHING_ASKED = 0

/** Who is pinned does not overcommit memory, so only what is free counts for it. */
export const pinsCpus = (guest: GuestCell) => guest.cpuPolicy === 'dedicated' || guest.cpuPolicy === 'mixed'

/** The page size in KiB that holds the guest cell, NOTHING_ASKED, or NO_ROOM. */
export function choosePageKib(guest: GuestCell, host: PreparedCell): number {
  const asked = guest.pageKib
  if (asked === null) return roomWithoutPages(guest, host) ? NOTHING_ASKED : NO_ROOM
  // Largest first: fewer translations for the guest, and Nova does the same.
  const first = asked === PAGE_LARGE ? 1 : 0
  const last = asked === PAGE_SMALL ? 0 : host.pageKib.length - 1
  const exact = asked >= 0
  for (let size = Math.min(last, host.pageKib.length - 1); size >= first; size--) {
    if (exact && host.pageKib[size] !== asked) continue
    if (holds(guest.memoryMib, host.pageKib[size]!, host.freePages[size]!)) return host.pageKib[size]!
  }
  return NO_ROOM
}

/** Positions in `host.pageKib` that the guest cell may use at all, room or not. */
export function allowedPageSizes(guest: GuestCell, host: PreparedCell): readonly number[] {
  const all = [...host.pageKib.keys()]
  if (guest.pageKib === null || guest.pageKib === PAGE_SMALL) return all.slice(0, 1)
  if (guest.pageKib === PAGE_LARGE) return all.slice(1)
  return guest.pageKib === PAGE_ANY ? all : all.filter((size) => host.pageKib[size] === guest.pageKib)
}

export function holds(memoryMib: number, pageKib: number, pages: number): boolean {
  const kib = memoryMib * 1024
  return kib % pageKib === 0 && kib <= pages * pageKib
}

// Asking for nothing means the smallest pages. A guest that may float is tested against the cell, not against what is
// left of it: overcommit is then the limits' business.
function roomWithoutPages(guest: GuestCell, host: PreparedCell): boolean {
  const pinned = pinsCpus(guest)
  if (host.pageKib.length === 0) return guest.memoryMib <= (pinned ? host.freeMemoryMib : host.cell.memoryMib)
  return holds(guest.memoryMib, host.pageKib[0]!, pinned ? host.freePages[0]! : host.totalPages[0]!)
}
