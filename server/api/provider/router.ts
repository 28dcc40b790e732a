import { demandOf, type Flavor, type Image } from '../../engine/demand'
import { needsPlaces } from '../../engine/placing'
import { capacityOf, type ForestProvider } from '../../engine/resources/forest'
import { instancesByAmounts } from '../../engine/resources/instances-by-amounts'
import { ownerName } from '../../engine/words/owner'
import { listFlavors } from '../../store/catalog/list'
import { readTreesOf } from '../../store/placement/forest-read'
import {
  listTreeConsumers,
  listTreeEvents,
  listTrees,
  listTreesWithoutHost,
  type TreeRow,
} from '../../store/placement/tree-read'
import type { Ms } from '../plain'
import { object, recordId } from '../procedure/inputs'
import { router, viewer } from '../procedure/procedure'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { type ForeignFleetView, foreignFleet } from './foreign'

/** Whole units of one class, over a tree or of one provider. */
export interface TreeAmount {
  readonly resourceClass: string
  readonly total: number
  readonly reserved: number
  /** Capacity: (total − reserved) × ratio. */
  readonly capacity: number
  readonly held: number
}

export interface TreeRowView {
  readonly id: string
  readonly name: string
  readonly generation: number
  readonly since: Ms
  /** Berth keeps the trees of its hosts; Nova, or another client of the Placement API, keeps the others. */
  readonly managedBy: TreeManagedBy
  readonly providers: number
  readonly consumers: number
  readonly classes: readonly (TreeAmount & { readonly free: number })[]
  /** Of any of its providers. */
  readonly traits: readonly string[]
}

export type TreeManagedBy = 'berth' | 'nova'

export interface TreeProviderView {
  readonly id: string
  readonly name: string
  /** 0 is the root; children follow their parent. */
  readonly depth: number
  readonly generation: number
  readonly traits: readonly string[]
  readonly aggregates: readonly string[]
  readonly inventories: readonly (TreeAmount & { readonly ratio: number })[]
}

export interface TreeConsumerView {
  readonly id: string
  /** Its kind in Berth and the name of its instance; null for a consumer of another client. */
  readonly kind: 'instance' | 'migration' | null
  readonly name: string | null
  /** `INSTANCE`, `MIGRATION`, or another type set by its client; null when none was set. */
  readonly type: string | null
  /** The other half of its migration, where one request of its client shows it; null otherwise. */
  readonly swap: ConsumerSwap | null
  readonly project: string
  readonly user: string
  readonly generation: number
  /** `API token nova`; null: Berth. */
  readonly owner: string | null
  readonly since: Ms
  readonly amounts: readonly { readonly provider: string; readonly resourceClass: string; readonly amount: number }[]
}

/** The consumer's role in a migration, by the request that swapped the allocations. */
export interface ConsumerSwap {
  readonly role: 'instance' | 'migration'
  readonly other: string
  readonly at: Ms
}

/** How many more of a flavor fit, by amounts alone. */
export interface TreeFit {
  readonly flavor: string
  readonly more: number
  /** The class that runs out first. */
  readonly limit: string | null
  /** It also requests a NUMA topology (nodes, pinned CPUs, pages) or devices, which cannot be checked here. */
  readonly needsPlaces: boolean
}

export interface TreeEventView {
  readonly seq: string
  readonly at: Ms
  readonly kind: string
  readonly who: string
  readonly request: string | null
}

export interface TreeView {
  readonly id: string
  readonly name: string
  readonly managedBy: TreeManagedBy
  readonly providers: readonly TreeProviderView[]
  readonly consumers: readonly TreeConsumerView[]
  /** Empty for a host that Berth manages, where `explain` gives the exact answer. */
  readonly fits: readonly TreeFit[]
  /** The last writes to any of its providers, the newest first. */
  readonly events: readonly TreeEventView[]
}

const EVENTS = 50
const PLAIN: Image = { name: 'none', properties: {} }

export const providerRouter = router({
  /** Every tree, whatever its owner. */
  trees: viewer.query(async ({ ctx }): Promise<readonly TreeRowView[]> => {
    return (await listTrees(ctx.services.database)).map(treeRow)
  }),

  /** Totals over all trees of Placement API clients. */
  foreign: viewer.query(async ({ ctx: { services } }): Promise<ForeignFleetView> => {
    return foreignFleet(services.database, await treesOf(services))
  }),

  /** The tree that the provider is in; it need not be the root. */
  tree: viewer.input(object({ id: recordId('a provider') })).query(async ({ ctx, input }): Promise<TreeView> => {
    const { services } = ctx
    const providers = await readTreesOf(services.database.pool, [input.id])
    const root = providers[0] ?? refuseUnknown('provider tree', input.id)
    const ids = providers.map(({ id }) => id)
    const [consumers, events, fits] = await Promise.all([
      listTreeConsumers(services.database, root.id),
      listTreeEvents(services.database, ids, EVENTS),
      root.isHost ? [] : fitsOf(services, providers),
    ])
    return {
      ...{ id: root.id, name: root.name, managedBy: managerOf(root), events, fits },
      providers: inOrder(root, providers, 0),
      consumers: consumers.map(
        ({ type, amounts, owner, ...consumer }): TreeConsumerView => ({
          ...consumer,
          owner: owner && ownerName(owner),
          type: type === 'unknown' || type === '' ? null : type,
          amounts: amounts.map(([provider, resourceClass, amount]) => ({ provider, resourceClass, amount })),
        }),
      ),
    }
  }),
})

const managerOf = ({ isHost }: { readonly isHost: boolean }): TreeManagedBy => (isHost ? 'berth' : 'nova')

/** Trees without a host of Berth, except providers that share with Berth's hosts, which those hosts show. */
export async function treesOf(services: Pick<ApiServices, 'database' | 'fleet'>): Promise<TreeRowView[]> {
  const shared = sharedWithHosts(services)
  const rows = await listTreesWithoutHost(services.database)
  return rows.filter(({ id }) => !shared.has(id)).map(treeRow)
}

/** Providers that share with Berth's hosts are shown by those hosts. */
export const sharedWithHosts = ({ fleet }: Pick<ApiServices, 'fleet'>): ReadonlySet<string> =>
  new Set(fleet.hosts().flatMap(({ providers }) => providers.flatMap(({ id, sharing }) => (sharing ? [id] : []))))

const treeRow = ({ classes, isHost, ...row }: TreeRow): TreeRowView => ({
  ...row,
  managedBy: managerOf({ isHost }),
  classes: classes.map(([resourceClass, total, reserved, capacity, held, free]) => ({
    ...{ resourceClass, total, reserved, capacity, held, free },
  })),
})

function inOrder(of: ForestProvider, all: readonly ForestProvider[], depth: number): TreeProviderView[] {
  const children = all.filter(({ parent }) => parent === of.id)
  return [providerView(of, depth), ...children.flatMap((child) => inOrder(child, all, depth + 1))]
}

function providerView({ id, name, generation, traits, aggregates, stocks }: ForestProvider, depth: number) {
  return {
    ...{ id, name, depth, generation, traits: [...traits], aggregates: [...aggregates] },
    inventories: [...stocks].map(([resourceClass, stock]) => ({
      ...{ resourceClass, total: stock.total, reserved: stock.reserved, ratio: stock.ratio, held: stock.used },
      capacity: Math.floor(capacityOf(stock)),
    })),
  }
}

async function fitsOf(services: ApiServices, providers: readonly ForestProvider[]): Promise<TreeFit[]> {
  const [flavors, rules] = await Promise.all([listFlavors(services.database), services.rules()])
  const stocks = providers.map((provider) => provider.stocks)
  return flavors.flatMap((flavor: Flavor) => {
    const result = demandOf(flavor, PLAIN, rules.demand)
    if (!result.ok) return []
    const fit = instancesByAmounts(stocks, result.demand.amounts)
    return [{ flavor: flavor.name, ...fit, needsPlaces: needsPlaces(result.demand) }]
  })
}
