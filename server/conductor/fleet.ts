import type { Host } from '../engine/host'
import type { HostId } from '../engine/words/ids'
import type { Projection } from '../fleet/projection'
import type { Database } from '../store/database/database'
import { readHost, readHosts } from '../store/host/read'

// The conductor's view of the hosts. Their generations guard every decision.

export interface ConductorFleet {
  /** All of them, for ranking. */
  hosts(): Promise<readonly Host[]>
  /** One host, at this generation or a later one; without a generation, as cached. */
  hostAt(id: HostId, generation: number | null): Promise<Host | null>
  /** The same without this server's uncommitted changes. */
  committedAt(id: HostId, generation: number): Promise<Host | null>
  /**
   * Returns hosts with a slot count that is at least as new as they are. `counted` is null when the hosts had to be
   * reread on each try.
   */
  countedWith<C>(ids: readonly HostId[], count: () => Promise<() => C>): Promise<() => CountedHosts<C>>
}

export interface CountedHosts<C> {
  readonly hosts: readonly (Host | null)[]
  readonly counted: C | null
}

const COUNT_TRIES = 3

/** From memory, including this server's uncommitted changes. */
export function knownFleet(projection: Projection): ConductorFleet {
  return {
    hosts: async () => projection.hostsAhead(),
    hostAt: (id, generation) => projection.aheadAt(id, generation),
    committedAt: (id, generation) => projection.committedAt(id, generation),
    countedWith: async (ids, count) => {
      for (let tries = 1; ; tries++) {
        await Promise.all(ids.map((id) => projection.aheadAt(id, null)))
        const before = ids.map((id) => projection.timesRead(id))
        const counted = await count()
        const isSame = () => ids.every((id, at) => projection.timesRead(id) === before[at])
        if (!isSame() && tries < COUNT_TRIES) continue
        return () => ({ hosts: ids.map((id) => projection.ahead(id)), counted: isSame() ? counted() : null })
      }
    },
  }
}

/** Read from the tables each time. */
export function readFleet(database: Database): ConductorFleet {
  return {
    hosts: () => readHosts(database),
    hostAt: (id) => readHost(database, id),
    committedAt: (id) => readHost(database, id),
    countedWith: async (ids, count) => {
      const hosts = await Promise.all(ids.map((id) => readHost(database, id)))
      const counted = await count()
      return () => ({ hosts, counted: counted() })
    },
  }
}
