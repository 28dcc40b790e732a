import { type Clock, clock } from '../../conductor/clock'
import { type SimulatedFleet, simulatedFleet } from '../../drivers/simulated/driver'
import { tableState } from '../../drivers/simulated/table-state'
import type { Host } from '../../engine/host'
import type { GroupId } from '../../engine/words/ids'
import { makeOperators, type Operators } from '../../scenarios/operators'
import { putGroups } from '../../store/catalog/policy'
import { commit } from '../../store/commit/commit'
import { connectDatabase, type Database } from '../../store/database/database'
import { putHosts } from '../../store/host/write'
import { simulatorTable } from '../../store/simulator/simulator'
import { Chance } from '../chance'
import { DEMAND_OPTIONS, fleetOf, idOf } from '../hardware'

// One small, tight fleet on its own database, with the users and hosts of the run. The servers are other processes.

export interface PostgresFixture {
  readonly database: Database
  readonly databaseUrl: string
  readonly clock: Clock
  readonly since: number
  readonly fleet: SimulatedFleet
  readonly operators: Operators
  readonly chance: Chance
  readonly hosts: readonly Host[]
  readonly group: GroupId
  readonly counts: Map<string, number>
}

/** How many times faster than real time the run's clock goes. */
export const SPEED = 60
/** On that clock hosts are as fast as real ones: a transfer takes a few polls. */
export const SIMULATOR_SPEED = 1
const CONFIRM_WINDOW_MS = 20_000

export interface PostgresFixtureOptions {
  /** If omitted, a clock that runs `SPEED` times as fast as real time. */
  readonly time?: Clock
  readonly simulatorSpeed?: number
  readonly hostCount?: number
  /** Database of the simulated hypervisors, if not the one with the records. */
  readonly simulator?: Database
}

export async function makePostgresFixture(
  databaseUrl: string,
  seed: number,
  set: PostgresFixtureOptions = {},
): Promise<PostgresFixture> {
  const chance = new Chance(seed)
  const database = connectDatabase({ url: databaseUrl, connections: 4 })
  const since = Date.now()
  const time = set.time ?? clock({ since, speed: SPEED })
  const nested = chance.permille(400)
  const hosts = fleetOf({ hosts: set.hostCount ?? 3 + chance.below(2), nested }).map(rooted)
  const actor = { who: 'simulation', request: null, reason: null }
  const specs = hosts.map(({ providers, numaNodes, devices, holdings, leftovers, ...frame }) => {
    return { frame, providers, numaNodes, devices }
  })
  await putHosts(database, specs, { actor, at: time.now() })
  const group = idOf(6, 1) as GroupId
  await putGroups(database, [{ id: group, name: 'apart', policy: 'anti-affinity', maxPerHost: 1 }])
  const state = tableState(simulatorTable(set.simulator ?? database))
  return {
    database,
    databaseUrl,
    clock: time,
    since,
    fleet: simulatedFleet({ state, now: time.now, speed: set.simulatorSpeed ?? SIMULATOR_SPEED }),
    operators: makeOperators({
      database,
      demand: DEMAND_OPTIONS,
      confirmWindowMs: chance.permille(500) ? CONFIRM_WINDOW_MS : null,
      now: time.now,
      commit: (change) => commit(database, change),
    }),
    chance,
    hosts,
    group,
    counts: new Map(),
  }
}

export function count(fixture: PostgresFixture, what: string): void {
  fixture.counts.set(what, (fixture.counts.get(what) ?? 0) + 1)
}

/** In the tables a host's root provider has the id of the host. */
function rooted(host: Host): Host {
  const root = host.providers[0]?.id
  const own = host.id as string as NonNullable<typeof root>
  const providers = host.providers.map((provider) => ({
    ...provider,
    id: provider.id === root ? own : provider.id,
    parent: provider.parent === root ? own : provider.parent,
  }))
  return { ...host, providers }
}
