import { randomUUID } from 'node:crypto'
import { type Clock, clock } from '../../server/conductor/clock'
import { type Conductor, makeConductor } from '../../server/conductor/conductor'
import { knownFleet } from '../../server/conductor/fleet'
import { DEFAULT_OPTIONS, MAX_CONCURRENT_TICKS, type TickOptions } from '../../server/conductor/options'
import { driversFrom } from '../../server/drivers/registry'
import { type SimulatedFleet, simulatedFleet } from '../../server/drivers/simulated/driver'
import { memoryState } from '../../server/drivers/simulated/state'
import { tableState } from '../../server/drivers/simulated/table-state'
import type { Change } from '../../server/engine/change'
import { decide } from '../../server/engine/claim'
import { adopt } from '../../server/engine/lifecycle'
import type { ClaimId, InstanceId } from '../../server/engine/words/ids'
import { Projection } from '../../server/fleet/projection'
import { type CommitResult, commitBatch } from '../../server/store/commit/commit'
import { makeCommitQueue } from '../../server/store/commit/queue'
import type { Database } from '../../server/store/database/database'
import { EventFeed } from '../../server/store/event/feed'
import { startRelay } from '../../server/store/event/relay'
import { putHosts } from '../../server/store/host/write'
import { simulatorTable } from '../../server/store/simulator/simulator'
import { ACTOR, benchDemand, benchHosts, FLAVOR, IMAGE } from '../bench-fleet'

// A fleet with the parts of a server that run migrations, wired as in server/wiring.ts.

const SPEED = 20 // of the conductor's clock, so that a poll takes 50 ms instead of a second
const LIMITS = { perSource: 1_000, perTarget: 1_000, fleet: 10_000 }

export interface BenchFleet {
  readonly database: Database
  readonly projection: Projection
  readonly driver: SimulatedFleet
  readonly feed: EventFeed
  readonly time: Clock
  readonly conductor: Conductor
  commit(change: Change): Promise<CommitResult>
  stop(): Promise<void>
}

export async function openFleet(
  database: Database,
  options: { readonly hosts: number; readonly table: boolean },
): Promise<BenchFleet> {
  const time = clock({ since: Date.now(), speed: SPEED })
  const state = options.table ? tableState(simulatorTable(database)) : memoryState()
  // Fast enough that a transfer has ended by the first poll.
  const driver = simulatedFleet({ state, now: time.now, speed: 1_000_000 })
  await putHosts(database, benchHosts(options.hosts, 'migrations'), { actor: ACTOR, at: time.now() })
  const onFailure = (error: unknown) => console.error(error)
  const relay = startRelay(database, onFailure)
  const feed = await EventFeed.open(database, { onFailure })
  const projection = await Projection.open({ database, feed, onFailure })
  const queue = makeCommitQueue({ commitBatch: (changes) => commitBatch(database, changes) })
  const commit = (change: Change) => projection.commit(change, queue.commit).finally(relay.wake)
  const tickOptions: TickOptions = { ...DEFAULT_OPTIONS, limits: LIMITS }
  const conductor = makeConductor({
    database,
    drivers: driversFrom({ simulated: driver }),
    clock: time,
    owner: 'bench',
    options: async () => tickOptions,
    concurrency: MAX_CONCURRENT_TICKS,
    commit,
    fleet: knownFleet(projection),
    onError: (what, error) => console.error(what, error),
  })
  conductor.start()
  const unfollow = feed.follow((events) => {
    if (events.some(({ who }) => !who.startsWith('conductor '))) conductor.wake()
  })
  const stop = async () => {
    unfollow()
    await conductor.stop()
    await projection.stop()
    await feed.stop()
    await relay.stop()
  }
  return { database, projection, driver, feed, time, conductor, commit, stop }
}

const ADOPTED_AT_ONCE = 128

/** Adopts instances, spread over all hosts. */
export async function settleInstances(fleet: BenchFleet, count: number): Promise<InstanceId[]> {
  const { projection, driver, commit, time } = fleet
  const hosts = projection.hosts().map(({ id }) => id)
  const demand = benchDemand()
  const instances: InstanceId[] = []
  for (let from = 0; from < count; from += ADOPTED_AT_ONCE) {
    const batch = Array.from({ length: Math.min(ADOPTED_AT_ONCE, count - from) }, () => randomUUID() as InstanceId)
    const sent = batch.map((id, index) => {
      const host = projection.ahead(hosts[(from + index) % hosts.length]!)!
      const verdict = decide({ demand, host, instance: null, group: null, live: null, excludedHost: null })
      if (!verdict.ok) throw new Error('The fleet of the benchmark is too small.')
      const row = { id, name: 'bench', project: 'bench', flavor: FLAVOR, image: IMAGE, zone: null, group: null }
      const claim = { id: randomUUID() as ClaimId, plan: verdict.plan }
      const { amounts, cells, units } = verdict.plan
      const instance = { instance: id, name: 'bench', host: host.id, flavor: FLAVOR, image: IMAGE, running: true }
      return {
        committed: commit(adopt(row, claim, { actor: ACTOR, at: time.now() })),
        adopted: { ...instance, claim: { amounts, cells, units } },
      }
    })
    await driver.adopt(sent.map(({ adopted }) => adopted))
    const committed = await Promise.all(sent.map((each) => each.committed))
    if (committed.some(({ ok }) => !ok)) throw new Error('An instance of the benchmark has no host.')
    instances.push(...batch)
  }
  return instances
}
