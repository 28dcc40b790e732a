import type { Demand } from '../../engine/demand'
import { NO_NEED, type Tree } from '../../engine/resources/forest'
import { guestsByAmounts } from '../../engine/resources/guests-by-amounts'
import type { Ref } from '../names/names'
import { needsPlaces, sharedWithHosts } from '../provider/router'
import type { ApiServices } from '../services'

/** Trees that clients of the Placement API keep, and how often the shape fits there, by amounts alone. */
export interface WhyTreesView {
  /** All such trees, and those that take at least one. */
  readonly counts: { readonly trees: number; readonly taking: number }
  /** Those that take most first, at most fifty. */
  readonly trees: readonly WhyTree[]
  /** The shape also asks for places or devices, of which nothing is known here. */
  readonly needsPlaces: boolean
}

export interface WhyTree extends Ref {
  readonly more: number
  /** The class that ends first. */
  readonly limit: string | null
}

const MOST = 50

/** How often a demand fits into each tree without a host of Berth, by amounts alone: nothing more is known of them. */
export async function treesFor(services: Pick<ApiServices, 'fleet' | 'forest'>, demand: Demand): Promise<WhyTreesView> {
  const forest = await services.forest.caughtUp()
  const own = new Set<string>(services.fleet.hosts().map(({ id }) => id))
  const shared = sharedWithHosts(services)
  const isTheirs = ({ root: { id } }: Tree) => !own.has(id) && !shared.has(id)
  const trees = [...forest.trees(NO_NEED)].filter(isTheirs).map(({ root, providers }) => {
    const stocks = providers.map((each) => each.stocks)
    return { id: root.id, name: root.name, ...guestsByAmounts(stocks, demand.amounts) }
  })
  const taking = trees.filter(({ more }) => more > 0).length
  return {
    counts: { trees: trees.length, taking },
    // Of equals the order of the forest stays, which is by name.
    trees: trees.toSorted((a, b) => b.more - a.more).slice(0, MOST),
    needsPlaces: needsPlaces(demand),
  }
}
