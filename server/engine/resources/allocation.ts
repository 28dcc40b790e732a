import type { Amount, Inventory, Provider } from './inventory'

// Allocations as changes to the `used` of inventories. Classes that a provider does not keep are not counted: an
// allocation that outlived its inventory is the audit's finding, never a crash here.

/** Providers with the amounts added to their usage; untouched ones stay the same objects. */
export function withAmounts(providers: readonly Provider[], amounts: readonly Amount[], sign: 1 | -1): Provider[] {
  return providers.map((provider) => {
    const own = amounts.filter((amount) => amount.provider === provider.id)
    if (own.length === 0) return provider
    return { ...provider, inventories: provider.inventories.map((inventory) => withUsage(inventory, own, sign)) }
  })
}

function withUsage(inventory: Inventory, changes: readonly Amount[], sign: 1 | -1): Inventory {
  let change = 0
  for (const each of changes) if (each.resourceClass === inventory.resourceClass) change += each.amount
  return change === 0 ? inventory : { ...inventory, used: inventory.used + sign * change }
}

/** Providers without any usage. */
export function withoutUsage(providers: readonly Provider[]): Provider[] {
  return providers.map((provider) => ({
    ...provider,
    inventories: provider.inventories.map((inventory) => ({ ...inventory, used: 0 })),
  }))
}

/** One entry per provider and class, in the order of first mention, as Placement stores a consumer. */
export function merged(amounts: readonly Amount[]): Amount[] {
  const sums = new Map<string, Amount>()
  for (const each of amounts) {
    const key = `${each.provider} ${each.resourceClass}`
    const before = sums.get(key)
    sums.set(key, before ? { ...before, amount: before.amount + each.amount } : each)
  }
  return [...sums.values()]
}

/** Total per class over all providers, as a ledger line of a consumer shows it. */
export function perClass(amounts: readonly Amount[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const each of amounts) sums.set(each.resourceClass, (sums.get(each.resourceClass) ?? 0) + each.amount)
  return sums
}
