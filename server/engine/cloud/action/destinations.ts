import { capacityOf } from '../../resources/inventory'
import { DISK_GB } from '../../words/units'
import { amountsText, flavorAmounts, sumOf } from '../amounts'
import { type CloudFacts, hostOf, isSharing, rowsOf } from '../facts'
import type { Amounts, CloudFlavor, CloudProvider, CloudServer } from '../snapshot'

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

/**
 * By host, the largest free amount of each class over its providers and those that share with it; none for a host with
 * unread allocations.
 */
export function freeOf(facts: CloudFacts): ReadonlyMap<string, Amounts> {
  const free = new Map<string, Record<string, number>>()
  const others: CloudProvider[] = []
  for (const provider of facts.providers.values()) {
    const host = hostOf(facts, provider)
    if (host === null) others.push(provider)
    else if (provider.inventories.isRead && provider.allocations.isRead)
      free.set(host, withLargest(free.get(host) ?? {}, leftOf(provider)))
  }
  const sharing = others.filter((each) => each.parent === null && isSharing(each) !== false)
  for (const provider of sharing) {
    const left = leftOf(provider)
    for (const { id, host } of facts.hypervisors.values()) {
      const known = free.get(host)
      if (known !== undefined && mayShareWith(provider, facts.providers.get(id))) withLargest(known, left)
    }
  }
  return free
}

/** Free amounts by class: infinite where they are not known. Storage with unread inventories may have any disk. */
function leftOf({ inventories, allocations }: CloudProvider): Amounts {
  if (!inventories.isRead) return { [DISK_GB]: Number.POSITIVE_INFINITY }
  const used = allocations.isRead ? sumOf([...allocations.value.values()].map(({ resources }) => resources)) : null
  const left = new Map<string, number>()
  for (const [name, inventory] of Object.entries(inventories.value))
    left.set(name, used === null ? Number.POSITIVE_INFINITY : capacityOf(inventory) - (used[name] ?? 0))
  return Object.fromEntries(left)
}

function withLargest(known: Record<string, number>, more: Amounts): Record<string, number> {
  for (const [name, left] of Object.entries(more)) known[name] = Math.max(known[name] ?? left, left)
  return known
}

/** Providers in a common aggregate, as far as aggregates were read. */
const mayShareWith = ({ aggregates }: CloudProvider, root: CloudProvider | undefined): boolean =>
  !aggregates.isRead ||
  !root?.aggregates.isRead ||
  root.aggregates.value.some((each) => aggregates.value.includes(each))

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
