import type { Amount, Provider } from '../resources/inventory'
import type { AuditRecords, Report } from './finding'

/** The usage of a sharing provider is the sum over all hosts it serves, and every host must have read the same. */
export function sharedChecks(records: AuditRecords, report: Report): void {
  const sums = sharedSums(records)
  if (sums === null) return
  for (const host of records.snapshot.hosts) {
    for (const provider of host.providers) {
      if (!provider.sharing) continue
      for (const { resourceClass, used } of provider.inventories) {
        const sum = sums.get(keyOf(provider.id, resourceClass)) ?? 0
        if (sum === used) continue
        const where = { provider: provider.name, resourceClass }
        report({ kind: 'usage-mismatch', host: host.id, where, expected: `${sum}`, found: `${used}` })
      }
    }
  }
}

const keyOf = (provider: Provider['id'], resourceClass: string) => `${provider} ${resourceClass}`

function sharedSums({ snapshot }: AuditRecords): ReadonlyMap<string, number> | null {
  const shared = new Set<Provider['id']>()
  for (const host of snapshot.hosts) for (const each of host.providers) if (each.sharing) shared.add(each.id)
  if (shared.size === 0) return null
  const sums = new Map<string, number>()
  const add = ({ provider, resourceClass, amount }: Amount) => {
    if (!shared.has(provider)) return
    const key = keyOf(provider, resourceClass)
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
  for (const { holdings } of snapshot.hosts) for (const { body } of holdings) body.amounts.forEach(add)
  for (const stray of snapshot.strayAllocations ?? []) add(stray)
  return sums
}
