import { hostFrom } from './holdings'
import type { Holding, Host } from './host'
import { attribute, type Share } from './layout/attribution'
import { type Answer, type ChildInventory, countFloating, cutInventory } from './layout/child-inventories'
import { type Child, childrenOf } from './layout/children'
import { type LineReason, linesBetween } from './layout/lines'
import { hostProblems, isCounted, obstacleOf } from './layout/obstacles'
import { grouped } from './ledger/grouped'
import { merged, perClass } from './resources/allocation'
import { type Amount, type Inventory, inventoryOf, type Provider } from './resources/inventory'
import { treeOf } from './resources/trait'
import type { Line } from './rows'
import type { ConsumerId, ProviderId } from './words/ids'

// From a flat host to a nested one: a child provider per NUMA node, card, GPU and region of persistent memory, and
// every allocation on the child where its claim is. Only rows change: nothing is migrated, stopped or placed again, so
// nodes and units of all claims stay the same (I10).

/** The id of a child by its name. Equal names must give equal ids, or the plan shown is not the plan applied. */
export type ChildId = (name: string) => ProviderId

export interface LayoutPlan {
  /** The host after the conversion, except generations. */
  readonly after: Host
  /** All rows that change, in an order that the tables accept. Reversed (`undone`) they make the host flat again. */
  readonly lines: readonly Line[]
}

export type LayoutAnswer =
  | { readonly ok: true; readonly plan: LayoutPlan }
  /** The obstacle and its remedy. The host stays flat and takes claims as before. */
  | { readonly ok: false; readonly blockedBy: string }

export function planLayout(host: Host, idOf: ChildId): LayoutAnswer {
  const answer = nested(host, idOf)
  if (!answer.ok) return answer
  const { after, whyOf } = answer.value
  return { ok: true, plan: { after, lines: linesBetween(host, after, whyOf) } }
}

/** The obstacle that `planLayout` would report, or null: for whole fleets, where no row is shown. */
export function layoutObstacle(host: Host, idOf: ChildId): string | null {
  const answer = nested(host, idOf)
  return answer.ok ? null : answer.blockedBy
}

interface NestedHost {
  readonly after: Host
  readonly whyOf: LineReason
}

function nested(host: Host, idOf: ChildId): Answer<NestedHost> {
  const children = childrenOf(host)
  const obstacle = obstacleOf(host, children)
  if (obstacle !== null) return { ok: false, blockedBy: obstacle }
  const attribution = attribute(host, children)
  if (!attribution.ok) return attribution
  const childInventories = childInventoriesOf(host, children, attribution.shares)
  if (!childInventories.ok) return childInventories
  const floating = countFloating(childInventories.value, attribution.floating)
  if (!floating.ok) return floating
  const shares = [...attribution.shares, ...floating.value]
  const ids = new Map(children.map((child) => [child, standing(host, child)?.id ?? idOf(child.name)]))
  const idIn = (child: Child): ProviderId => ids.get(child)!
  const after = nestedHost(host, { children, shares, childInventories: childInventories.value, idIn })
  const problem = hostProblems(after)[0] ?? amountProblem(host, after)
  if (problem !== null) return { ok: false, blockedBy: `The nested records would be inconsistent (${problem}).` }
  return { ok: true, value: { after, whyOf: whyIn(shares, idIn) } }
}

type ChildInventories = Map<string, ChildInventory[]>

/** An inventory for each class and child. Device classes that were not counted are counted from now on, as in Nova. */
function childInventoriesOf(
  host: Host,
  children: readonly Child[],
  shares: readonly Share[],
): Answer<ChildInventories> {
  const childInventories: ChildInventories = new Map()
  const sumOf = sumsOf(shares)
  for (const resourceClass of new Set(children.flatMap(({ has }) => [...has.keys()]))) {
    const parts = children.filter(({ has }) => has.has(resourceClass))
    const root = inventoryOf(host.providers[0]!, resourceClass) ?? uncounted(resourceClass, parts)
    const cut = cutInventory({ root, parts, held: (child) => sumOf(child, resourceClass) })
    if (!cut.ok) return cut
    childInventories.set(resourceClass, [...cut.value])
  }
  return { ok: true, value: childInventories }
}

function sumsOf(shares: readonly Share[]): (child: Child, resourceClass: string) => number {
  const sums = new Map<Child, Map<string, number>>()
  for (const { child, resourceClass, amount } of shares) {
    const own = sums.get(child) ?? new Map<string, number>()
    sums.set(child, own.set(resourceClass, (own.get(resourceClass) ?? 0) + amount))
  }
  return (child, resourceClass) => sums.get(child)?.get(resourceClass) ?? 0
}

function uncounted(resourceClass: string, parts: readonly Child[]): Inventory {
  const total = parts.reduce((sum, { has }) => sum + (has.get(resourceClass) ?? 0), 0)
  const bounds = { reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1 }
  return { resourceClass, total, ...bounds, allocationRatioMilli: 1000, used: 0 }
}

interface Parts {
  readonly children: readonly Child[]
  readonly shares: readonly Share[]
  readonly childInventories: ChildInventories
  readonly idIn: (child: Child) => ProviderId
}

function nestedHost(host: Host, parts: Parts): Host {
  const { children, idIn, shares, childInventories } = parts
  const [root] = host.providers
  const carrier = new Map(children.flatMap((child) => child.units.map((unit) => [unit, child] as const)))
  const devices = host.devices.map((device) => {
    const child = carrier.get(device.unit)
    return child ? { ...device, provider: idIn(child) } : device
  })
  const own = root!.inventories.filter(({ resourceClass }) => !childInventories.has(resourceClass))
  const sharing = host.providers.filter((provider) => provider.sharing)
  const below = children.map((child) => providerOf(host, child, parts)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const sharesOf = grouped(shares, ({ holding }) => holding.consumer)
  const holdings = host.holdings.map((holding) => moved(holding, sharesOf.get(holding.consumer) ?? [], { host, parts }))
  const providers = [{ ...root!, inventories: own }, ...below]
  const nested = hostFrom({ ...host, layout: 'nested' }, { ...host, providers, devices }, holdings)
  // Excludes amounts that instances of other hosts hold of shared storage.
  return { ...nested, providers: [...nested.providers, ...sharing] }
}

/** An existing child, closed to claims. */
const standing = (host: Host, { name }: Child): Provider | undefined =>
  treeOf(host).find((provider) => provider.name === name)

function providerOf(host: Host, child: Child, { childInventories, idIn }: Parts): Provider {
  const known = standing(host, child)
  const inventories = [...child.has.keys()].flatMap((resourceClass) => {
    const own = childInventories.get(resourceClass)?.find((each) => each.child === child)
    return own ? [own.inventory] : []
  })
  return {
    id: idIn(child),
    name: child.name,
    parent: host.providers[0]!.id,
    generation: known?.generation ?? 0,
    inventories: inventories.sort((a, b) => (a.resourceClass < b.resourceClass ? -1 : 1)),
    traits: [...new Set([...(known?.traits ?? []), ...child.traits])].sort(),
    aggregates: known?.aggregates ?? [],
    sharing: false,
    ...(child.numaNode === null ? {} : { cell: child.numaNode }),
  }
}

interface LayoutContext {
  readonly host: Host
  readonly parts: Parts
}

function moved(holding: Holding, shares: readonly Share[], { host, parts }: LayoutContext): Holding {
  const root = host.providers[0]!.id
  const stay = holding.body.amounts.filter(
    (each) => each.provider !== root || !parts.childInventories.has(each.resourceClass),
  )
  const go = shares.map(({ child, resourceClass, amount }): Amount => {
    return { provider: parts.idIn(child), resourceClass, amount }
  })
  return { ...holding, body: { ...holding.body, amounts: merged([...stay, ...go]) } }
}

/** Every class that was counted before has the same sum in every claim. */
function amountProblem(before: Host, after: Host): string | null {
  for (const [index, { body, consumer }] of before.holdings.entries()) {
    const sums = perClass(after.holdings[index]!.body.amounts)
    for (const [resourceClass, amount] of perClass(body.amounts)) {
      const found = sums.get(resourceClass) ?? 0
      if (found !== amount) return `${consumer} would hold ${found} ${resourceClass}, not ${amount}`
    }
    for (const resourceClass of sums.keys()) {
      if (isCounted(before, resourceClass) && !perClass(body.amounts).has(resourceClass)) {
        return `${consumer} would hold ${resourceClass}, which it did not hold`
      }
    }
  }
  return null
}

function whyIn(shares: readonly Share[], idIn: Parts['idIn']) {
  const whys = new Map<string, string>()
  for (const { holding, child, resourceClass, why } of shares) {
    const key = `${holding.consumer} ${idIn(child)} ${resourceClass}`
    const before = whys.get(key)
    whys.set(key, before === undefined || before.includes(why) ? why : `${before} ${why}`)
  }
  return (consumer: ConsumerId, provider: ProviderId, resourceClass: string) =>
    whys.get(`${consumer} ${provider} ${resourceClass}`) ?? null
}
