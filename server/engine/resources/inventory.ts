import type { ProviderId } from '../words/ids'
import type { PendingWrite } from './guard'

// Amounts the way Placement counts them. Ratios are exact: an allocation ratio is a whole number of thousandths,
// because a float that decides a claim would decide differently after a round trip through text.

/** One resource class of one provider. Source: Placement `inventories`. */
export interface Inventory {
  readonly resourceClass: string
  readonly total: number
  readonly reserved: number
  readonly minUnit: number
  readonly maxUnit: number
  readonly stepSize: number
  /** Thousandths: 16.0 is 16000. */
  readonly allocationRatioMilli: number
  /** Sum of all allocations of the class on the provider. */
  readonly used: number
}

/** A node of a host's provider tree, or a provider that shares with it. Root first in every list. */
export interface Provider {
  readonly id: ProviderId
  readonly name: string
  readonly parent: ProviderId | null
  readonly generation: number
  /** The uncommitted write that this state results from; absent when the state is that of the tables. */
  readonly pending?: PendingWrite
  readonly inventories: readonly Inventory[]
  readonly traits: readonly string[]
  readonly aggregates: readonly string[]
  /** True when it serves its aggregates' hosts (MISC_SHARES_VIA_AGGREGATE), such as shared storage. */
  readonly sharing: boolean
  /** Host NUMA node it stands for in a nested layout. */
  readonly cell?: number
}

/** An amount of one class from one provider. */
export interface Amount {
  readonly provider: ProviderId
  readonly resourceClass: string
  readonly amount: number
}

/** Whole units that may be allocated in total: (total − reserved) × ratio, rounded down. */
export function capacityOf(inventory: Pick<Inventory, 'total' | 'reserved' | 'allocationRatioMilli'>): number {
  return Math.floor(((inventory.total - inventory.reserved) * inventory.allocationRatioMilli) / 1000)
}

/** The free amount for claims. Never negative, although an operator may shrink an inventory below its usage. */
export function freeOf(inventory: Inventory): number {
  return Math.max(0, capacityOf(inventory) - inventory.used)
}

/** Why this amount can never be one allocation here, whatever is free; null when its unit sizes are valid. */
export function shapeProblem(inventory: Inventory, amount: number): string | null {
  if (amount < inventory.minUnit) return `at least ${inventory.minUnit}`
  if (amount > inventory.maxUnit) return `at most ${inventory.maxUnit}`
  if (amount % inventory.stepSize !== 0) return `a multiple of ${inventory.stepSize}`
  return null
}

/** True when a claim of this amount fits the present inventory. */
export function fitsInventory(inventory: Inventory, amount: number): boolean {
  return amount <= freeOf(inventory) && shapeProblem(inventory, amount) === null
}

export function inventoryOf(provider: Provider, resourceClass: string): Inventory | undefined {
  for (const inventory of provider.inventories) if (inventory.resourceClass === resourceClass) return inventory
  return undefined
}
