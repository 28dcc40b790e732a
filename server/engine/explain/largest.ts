import { decide, type Question } from '../claim'
import type { Demand } from '../demand'
import type { Host } from '../host'
import { type Interruptible, runToCompletion } from '../interruptible'
import { freeOf } from '../resources/inventory'
import { preparedOf } from '../topology/numa'
import type { HostId } from '../words/ids'

// The largest size that still fits on some host. It searches over `decide`, so a claim would accept the result; and it
// is bounded, so that a page can request it. Sizes are not quite monotonic (an odd number of threads may not fit where
// an even one does), so the result of the binary search is then checked against the larger sizes that it skipped.

/** A family of demands with one size parameter. */
export interface Axis {
  readonly from: number
  readonly to: number
  readonly step: number
  /** Null where such a demand makes no sense, such as 7 vCPUs on 2 equal NUMA nodes. */
  readonly demandAt: (size: number) => Demand | null
  /** Hosts are tried by their free amount of it, the most first. */
  readonly by: string
}

export interface Largest {
  readonly size: number
  readonly demand: Demand
  readonly host: Host
}

export interface LargestAnswer {
  /** Null when not even the smallest size fits anywhere. */
  readonly found: Largest | null
  /** True when every larger size of the axis was refused by every host. */
  readonly exact: boolean
}

export type OpenQuestion = Omit<Question, 'host' | 'prepared' | 'demand'>

export interface LargestQuery {
  readonly question: OpenQuestion
  readonly hosts: readonly Host[]
  /** Maximum number of decisions over all sizes and hosts. */
  readonly budget: number
}

export const largestOf = (axis: Axis, ask: LargestQuery): LargestAnswer =>
  runToCompletion(interruptibleLargest(axis, ask))

/** The same, with a yield per decision. */
export function* interruptibleLargest(axis: Axis, ask: LargestQuery): Interruptible<LargestAnswer> {
  const sizes = sizesOf(axis)
  const search = new Search(axis, ask)
  let found: Largest | null = null
  let low = 0
  let high = sizes.length - 1
  // The smallest first, then doubled each time: a refusal by all hosts is what costs, and when decisions run out there
  // is a result.
  for (let at = 0; at <= high; at = 2 * at + 1) {
    const size = sizes[at]!
    const fits = yield* search.fits(size)
    if (fits) {
      found = fits
      low = at + 1
    } else if (found) high = at - 1
  }
  while (low <= high) {
    const middle = (low + high) >> 1
    const fits = yield* search.fits(sizes[middle]!)
    if (fits) found = fits
    if (fits) low = middle + 1
    else high = middle - 1
  }
  // From the top down, the sizes that the binary search skipped; the first that fits ends it.
  for (const size of sizes.toReversed()) {
    if (found && size <= found.size) break
    found = (yield* search.fits(size)) ?? found
  }
  return { found, exact: !search.exhausted }
}

function sizesOf({ from, to, step }: Axis): readonly number[] {
  const count = Math.max(0, Math.floor((to - from) / step) + 1)
  return Array.from({ length: count }, (_, at) => from + at * step)
}

class Search {
  exhausted = false
  private left: number
  private readonly known = new Map<number, Largest | null>()
  private readonly free = new Map<string, ReadonlyMap<HostId, number>>()
  private readonly roomy: readonly Host[]

  constructor(
    private readonly axis: Axis,
    private readonly ask: LargestQuery,
  ) {
    this.left = ask.budget
    const free = this.freeOf(axis.by)
    const room = (host: Host) => free.get(host.id) ?? 0
    this.roomy = [...ask.hosts].sort((a, b) => room(b) - room(a) || (a.name < b.name ? -1 : 1))
  }

  *fits(size: number): Interruptible<Largest | null> {
    const known = this.known.get(size)
    if (known !== undefined) return known
    const answer = yield* this.search(size)
    this.known.set(size, answer)
    return answer
  }

  private *search(size: number): Interruptible<Largest | null> {
    const demand = this.axis.demandAt(size)
    if (!demand) return null
    for (const host of this.candidates(demand)) {
      if (this.left === 0) {
        this.exhausted = true
        return null
      }
      this.left--
      if (decide({ ...this.ask.question, demand, host, prepared: preparedOf(host), verdictOnly: true }).ok) {
        return { size, demand, host }
      }
      yield
    }
    return null
  }

  /**
   * The hosts with the most free first: if any host accepts, one of these most likely does. A host with less of some
   * class than requested would refuse, so it is skipped; after the first with less of the ordering class, all have
   * less.
   */
  private *candidates({ amounts }: Demand): Generator<Host> {
    const ordered = { free: this.freeOf(this.axis.by), amount: amounts[this.axis.by] ?? 0 }
    const others = Object.entries(amounts).map(([resourceClass, amount]) => ({
      free: this.freeOf(resourceClass),
      amount,
    }))
    const has = (host: Host) => (each: typeof ordered) => (each.free.get(host.id) ?? 0) >= each.amount
    for (const host of this.roomy) {
      if (!has(host)(ordered)) return
      if (others.every(has(host))) yield host
    }
  }

  private freeOf(resourceClass: string): ReadonlyMap<HostId, number> {
    const before = this.free.get(resourceClass)
    if (before) return before
    const made = new Map(this.ask.hosts.map((host) => [host.id, freeOn(host, resourceClass)]))
    this.free.set(resourceClass, made)
    return made
  }
}

/** Free amount of a class over all providers of the host, so never less than what one claim could get. */
export function freeOn(host: Host, resourceClass: string): number {
  let free = 0
  for (const { inventories } of host.providers) {
    for (const inventory of inventories) if (inventory.resourceClass === resourceClass) free += freeOf(inventory)
  }
  return free
}
