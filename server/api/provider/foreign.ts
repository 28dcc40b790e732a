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

// A fleet maintained only by clients of the Placement API, at a glance.

/** Two halves of a migration of another client, known by the request that swapped them. */
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

/** What several consumers hold alike: the flavor is not known, its amounts are. */
export interface HeldShapeView {
  readonly amounts: readonly Amount[]
  readonly consumers: number
  readonly migrations: number
}

export interface ForeignFleetView {
  readonly trees: number
  readonly consumers: ForeignCounts
  readonly capacity: readonly OverviewClass[]
  /** Of many, those that started first. */
  readonly swaps: readonly SwapView[]
  readonly swapCount: number
  /** The most frequent of many. */
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
