import { capacityOf, type Stock } from './forest'

// How many instances of one shape fit in a tree by amounts alone; nothing more is known about a tree of another client.

export interface InstanceCount {
  readonly more: number
  /** The class that runs out first; null when nothing is requested. */
  readonly limit: string | null
}

/**
 * Each class of an instance comes whole from one provider of the tree; different classes may come from different ones.
 */
export function instancesByAmounts(
  stocks: readonly ReadonlyMap<string, Stock>[],
  amounts: Readonly<Record<string, number>>,
): InstanceCount {
  let least: InstanceCount = { more: 0, limit: null }
  for (const [resourceClass, amount] of Object.entries(amounts)) {
    if (amount === 0) continue
    const more = stocks.reduce((sum, of) => sum + timesIn(of.get(resourceClass), amount), 0)
    if (least.limit === null || more < least.more) least = { more, limit: resourceClass }
  }
  return least
}

function timesIn(stock: Stock | undefined, amount: number): number {
  if (!stock || amount < stock.minUnit || amount > stock.maxUnit || amount % stock.stepSize !== 0) return 0
  return Math.max(0, Math.floor((capacityOf(stock) - stock.used) / amount))
}
