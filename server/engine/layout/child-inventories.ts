import { capacityOf, freeOf, type Inventory } from '../resources/inventory'
import { MEMORY_MB } from '../words/units'
import type { FloatingAmounts, Share } from './attribution'
import type { Child } from './children'

// Divides the root's inventories among the children and spreads the reserved amount so that all holdings still fit,
// then counts floating instances into the rest.

/** One inventory of a child while the plan is computed. */
export interface ChildInventory {
  readonly child: Child
  readonly inventory: Inventory
}

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly blockedBy: string }

interface InventoryCut {
  readonly root: Inventory
  readonly parts: readonly Child[]
  /** Amounts that claims certainly take of each part. */
  readonly held: (child: Child) => number
}

/** One class of the root divided among its parts. */
export function cutInventory({ root, parts, held }: InventoryCut): Answer<readonly ChildInventory[]> {
  const inventories = parts.map((child) => {
    const total = child.has.get(root.resourceClass) ?? 0
    const needed = Math.ceil((held(child) * 1000) / root.allocationRatioMilli)
    const most = Math.max(0, total - needed)
    const reserved = Math.min(most, Math.floor((root.reserved * total) / root.total))
    return { child, total, most, reserved, used: held(child) }
  })
  let left = root.reserved - inventories.reduce((sum, { reserved }) => sum + reserved, 0)
  for (const each of [...inventories].sort((a, b) => b.most - b.reserved - (a.most - a.reserved))) {
    const more = Math.min(left, each.most - each.reserved)
    each.reserved += more
    left -= more
  }
  if (left > 0) return tooTight(root.resourceClass, `${left} reserved of it`)
  const value = inventories.map(({ child, total, reserved, used }): ChildInventory => {
    return { child, inventory: { ...root, total, reserved, used } }
  })
  const over = value.find(({ inventory }) => inventory.used > capacityOf(inventory))
  if (over) {
    const { used, resourceClass } = over.inventory
    const what = `${over.child.name} would hold ${used} ${resourceClass} of ${capacityOf(over.inventory)}`
    return { ok: false, blockedBy: `${what}. Migrate an instance away first.` }
  }
  return { ok: true, value }
}

const tooTight = (resourceClass: string, what: string): { readonly ok: false; readonly blockedBy: string } => ({
  ok: false,
  blockedBy: `The NUMA nodes and cards have no capacity for ${resourceClass}: ${what} does not fit. Migrate an instance away first.`,
})

/**
 * Counts instances without a topology as `decide` would: in one NUMA node if one has each for all of it, most free
 * memory first, else split over several. Updates the usage in `inventories` in place; the map is the caller's own.
 */
export function countFloating(
  inventories: Map<string, ChildInventory[]>,
  floating: readonly FloatingAmounts[],
): Answer<readonly Share[]> {
  const shares: Share[] = []
  for (const instance of floating) {
    const home = homeOf(inventories, instance)
    for (const [resourceClass, amount] of instance.amounts) {
      const order = byFreeAmount(inventories.get(resourceClass) ?? [], home)
      let left = amount
      for (const { child, inventory } of order) {
        const part = Math.min(left, freeOf(inventory), inventory.maxUnit)
        if (part < 1) continue
        const where =
          home === child ? 'this NUMA node had capacity for all of it' : 'no NUMA node had capacity for all of it'
        const why = `It is not bound to a NUMA node; ${where}.`
        shares.push({ holding: instance.holding, child, resourceClass, amount: part, why })
        addUsage(inventories, child, { resourceClass, amount: part })
        left -= part
      }
      if (left > 0) return tooTight(resourceClass, `${left} of ${instance.holding.consumer}`)
    }
  }
  return { ok: true, value: shares }
}

function addUsage(
  inventories: Map<string, ChildInventory[]>,
  child: Child,
  more: { resourceClass: string; amount: number },
): void {
  const own = inventories.get(more.resourceClass) ?? []
  const after = own.map((each) => {
    if (each.child !== child) return each
    return { child, inventory: { ...each.inventory, used: each.inventory.used + more.amount } }
  })
  inventories.set(more.resourceClass, after)
}

function homeOf(inventories: ReadonlyMap<string, ChildInventory[]>, { amounts }: FloatingAmounts): Child | null {
  const inventoryIn = (child: Child, resourceClass: string) =>
    inventories.get(resourceClass)?.find((each) => each.child === child)?.inventory
  const all = new Set([...amounts.keys()].flatMap((each) => (inventories.get(each) ?? []).map(({ child }) => child)))
  const fitting = [...all].filter((child) =>
    [...amounts].every(([resourceClass, amount]) => {
      const inventory = inventoryIn(child, resourceClass)
      return inventory !== undefined && amount <= freeOf(inventory) && amount <= inventory.maxUnit
    }),
  )
  const memory = (child: Child) => {
    const inventory = inventoryIn(child, MEMORY_MB)
    return inventory ? freeOf(inventory) : 0
  }
  return fitting.sort((a, b) => memory(b) - memory(a) || (a.numaNode ?? -1) - (b.numaNode ?? -1))[0] ?? null
}

function byFreeAmount(inventories: readonly ChildInventory[], home: Child | null): readonly ChildInventory[] {
  return [...inventories].sort(
    (a, b) =>
      Number(b.child === home) - Number(a.child === home) ||
      freeOf(b.inventory) - freeOf(a.inventory) ||
      (a.child.numaNode ?? -1) - (b.child.numaNode ?? -1),
  )
}
