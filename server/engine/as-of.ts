import { hostFrom } from './holdings'
import type { Holding, Host, HostScheduling, HostStatus } from './host'
import type { MemoryPolicy } from './memory/policy'
import { merged } from './resources/allocation'
import type { Amount } from './resources/inventory'

// A host as it was: its hardware as it is known now, what was held on it then.

export interface HostState {
  readonly status: HostStatus
  readonly scheduling: HostScheduling
  /** Left out where no event says it: then as it is now. */
  readonly memory?: MemoryPolicy
}

/**
 * What guests of other hosts take from shared providers stays as it is now; what a provider no longer keeps is not
 * counted. Remains are not rebuilt.
 */
export function hostAsOf(now: Host, holdings: readonly Holding[], state: HostState): Host {
  const { providers, cells, devices, holdings: held, ...frame } = now
  return hostFrom(
    { ...frame, ...state },
    { providers, cells, devices, remains: [], others: othersOf(providers, held) },
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
