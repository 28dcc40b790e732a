import { hostFrom } from './holdings'
import type { Holding, Host, HostScheduling, HostStatus } from './host'
import type { MemoryPolicy } from './memory/policy'
import { merged } from './resources/allocation'
import type { Amount } from './resources/inventory'

// A host at an earlier time: its hardware as known today, with the claims it held then.

export interface HostState {
  readonly status: HostStatus
  readonly scheduling: HostScheduling
  /** Omitted when no event records it: then the present policy applies. */
  readonly memory?: MemoryPolicy
}

/**
 * What instances of other hosts take from shared providers stays at its present value; what a provider no longer offers
 * is not counted. Leftovers are not reconstructed.
 */
export function hostAtTime(now: Host, holdings: readonly Holding[], state: HostState): Host {
  const { providers, numaNodes, devices, holdings: held, ...frame } = now
  return hostFrom(
    { ...frame, ...state },
    { providers, numaNodes, devices, leftovers: [], others: othersOf(providers, held) },
    holdings,
  )
}

function othersOf(providers: Host['providers'], held: readonly Holding[]): readonly Amount[] {
  const own = new Map(
    merged(held.flatMap(({ body }) => body.amounts)).map((each) => [`${each.provider} ${each.resourceClass}`, each]),
  )
  return providers.flatMap(({ id, inventories }) =>
    inventories.map(({ resourceClass, used }) => {
      const mine = own.get(`${id} ${resourceClass}`)?.amount ?? 0
      return { provider: id, resourceClass, amount: Math.max(0, used - mine) }
    }),
  )
}
