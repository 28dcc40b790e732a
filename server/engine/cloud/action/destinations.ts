import { capacityOf } from '../../resources/inventory'
import { amountsText, flavorAmounts, sumOf } from '../amounts'
import { type CloudFacts, hostOf, rowsOf } from '../facts'
import type { Amounts, CloudFlavor, CloudServer } from '../snapshot'

// Which hosts have room for a flavor, by Placement's amounts. The scheduler has rules that Nova does not expose.

export interface Destination {
  readonly host: string
  /** Why the host is not suitable; null: suitable as far as known. */
  readonly why: string | null
}

export const UNCHECKED: readonly string[] = [
  'NUMA nodes, pinned CPUs and PCI devices of the destination',
  'CPU models, image properties and scheduler filters of the cloud',
]

export interface DestinationNeed {
  readonly flavor: CloudFlavor
  /** Amounts that other migrations will take on each host. */
  readonly promised?: ReadonlyMap<string, readonly Amounts[]>
  /** Precomputed, for callers in a loop. */
  readonly free?: ReadonlyMap<string, Amounts>
}

/** Every compute host except its own. */
export function destinationsOf(
  facts: CloudFacts,
  server: CloudServer,
  { flavor, promised, free = freeOf(facts) }: DestinationNeed,
): readonly Destination[] {
  const own = flavorAmounts(flavor, server.volumeBacked)
  return [...facts.services.values()]
    .filter(({ host }) => host !== server.host)
    .map((service) => {
      const { host, state, status } = service
      if (state === 'down') return { host, why: service.forcedDown ? 'forced down' : 'nova-compute is down' }
      if (status === 'disabled')
        return { host, why: `disabled${service.disabledReason ? `: ${service.disabledReason}` : ''}` }
      const group = groupRefusal(facts, server, host)
      if (group !== null) return { host, why: group }
      return { host, why: own === null ? null : shortOf(sumOf([own, ...(promised?.get(host) ?? [])]), free.get(host)) }
    })
    .sort((one, other) => Number(one.why !== null) - Number(other.why !== null) || one.host.localeCompare(other.host))
}

/** By host, the largest free amount of each class over its providers; none for a host with unread allocations. */
export function freeOf(facts: CloudFacts): ReadonlyMap<string, Amounts> {
  const free = new Map<string, Record<string, number>>()
  for (const provider of facts.providers.values()) {
    const host = hostOf(facts, provider)
    if (host === null || !provider.inventories.isRead || !provider.allocations.isRead) continue
    const used = sumOf([...provider.allocations.value.values()].map(({ resources }) => resources))
    const known = free.get(host) ?? {}
    free.set(host, known)
    for (const [name, inventory] of Object.entries(provider.inventories.value)) {
      const left = capacityOf(inventory) - (used[name] ?? 0)
      known[name] = Math.max(known[name] ?? Number.NEGATIVE_INFINITY, left)
    }
  }
  return free
}

function shortOf(amounts: Amounts, free: Amounts | undefined): string | null {
  if (free === undefined) return null
  const short = Object.entries(amounts).flatMap(([name, amount]) => {
    const left = free[name] ?? 0
    return left < amount ? [[name, amount - Math.max(0, left)] as const] : []
  })
  return short.length === 0 ? null : `short by ${amountsText(Object.fromEntries(short))}`
}

/** Soft policies never refuse. */
function groupRefusal({ snapshot, servers }: CloudFacts, { id }: CloudServer, host: string): string | null {
  for (const { members, policy, maxPerHost, name } of rowsOf(snapshot.groups)) {
    if (!members.includes(id)) continue
    const others = members.flatMap((member) => (member === id ? [] : (servers.get(member) ?? [])))
    const there = others.filter((each) => each.host === host).length
    if (policy === 'anti-affinity' && there >= (maxPerHost ?? 1)) return `the group ${name} has an instance there`
    if (policy === 'affinity' && others.length > 0 && there === 0) return `the group ${name} is on another host`
  }
  return null
}
