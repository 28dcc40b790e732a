import type { Database } from '../../store/database/database'
import {
  countForeign,
  type ForeignCounts,
  type HeldShape,
  listHeldShapes,
  listSwaps,
} from '../../store/placement/foreign-read'
import type { OverviewClass } from '../overview/router'
import type { Ms } from '../plain'
import type { TreeRowView } from './router'

// Summary of the fleet that only Placement API clients maintain.

/** An instance and its migration of another client, identified by the request that swapped their allocations. */
export interface SwapView {
  readonly migration: string
  readonly instance: string
  readonly at: Ms
  readonly source: string
  /** Null while nothing is claimed for the instance. */
  readonly target: string | null
  readonly amounts: readonly Amount[]
}

interface Amount {
  readonly resourceClass: string
  readonly amount: number
}

/** Equal allocations of several consumers: their amounts are known, but not their flavor. */
export interface HeldShapeView {
  readonly amounts: readonly Amount[]
  readonly consumers: number
  readonly migrations: number
}

export interface ForeignFleetView {
  readonly trees: number
  readonly consumers: ForeignCounts
  readonly capacity: readonly OverviewClass[]
  /** The oldest ones, if there are many. */
  readonly swaps: readonly SwapView[]
  readonly swapCount: number
  /** The most frequent ones, if there are many. */
  readonly shapes: readonly HeldShapeView[]
  readonly shapeCount: number
}

const SHOWN = 50

export async function foreignFleet(database: Database, trees: readonly TreeRowView[]): Promise<ForeignFleetView> {
  const [consumers, swaps, shapes] = await Promise.all([
    countForeign(database),
    listSwaps(database),
    listHeldShapes(database),
  ])
  const twice = new Map<string, number>()
  for (const [resourceClass, amount] of swaps.flatMap(({ amounts }) => amounts)) {
    twice.set(resourceClass, (twice.get(resourceClass) ?? 0) + amount)
  }
  return {
    ...{ trees: trees.length, consumers, capacity: capacityOf(trees, twice) },
    ...{ swapCount: swaps.length, shapeCount: shapes.length },
    swaps: swaps.slice(0, SHOWN).map(({ source, target, amounts, ...swap }) => ({
      ...{ ...swap, source: source.join(', '), target: target.length === 0 ? null : target.join(', ') },
      amounts: amountsOf(amounts),
    })),
    shapes: shapes.slice(0, SHOWN).map(({ amounts, ...counts }) => ({ ...counts, amounts: amountsOf(amounts) })),
  }
}

const amountsOf = (amounts: HeldShape['amounts']): Amount[] =>
  amounts.map(([resourceClass, amount]) => ({ resourceClass, amount }))

function capacityOf(trees: readonly TreeRowView[], twice: ReadonlyMap<string, number>): OverviewClass[] {
  const sums = new Map<string, OverviewClass>()
  for (const { resourceClass, capacity, held, free } of trees.flatMap(({ classes }) => classes)) {
    const sum = sums.get(resourceClass)
    sums.set(resourceClass, {
      resourceClass,
      used: (sum?.used ?? 0) + held,
      total: (sum?.total ?? 0) + capacity,
      heldTwice: twice.get(resourceClass) ?? 0,
      largestFree: Math.max(sum?.largestFree ?? 0, free),
    })
  }
  return [...sums.values()].sort((a, b) => (a.resourceClass < b.resourceClass ? -1 : 1))
}
