import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { type Clock, clock } from '../server/conductor/clock'
import { type Conductor, makeConductor } from '../server/conductor/conductor'
import { DEFAULT_OPTIONS, type TurnOptions } from '../server/conductor/options'
import { unconnected } from '../server/drivers/registry'
import { type SimulatedFleet, simulatedFleet } from '../server/drivers/simulated/driver'
import { tableState } from '../server/drivers/simulated/table-state'
import { decide } from '../server/engine/claim'
import { adopt } from '../server/engine/lifecycle'
import { accept } from '../server/engine/migration/begin'
import type { ClaimId, InstanceId, MigrationId } from '../server/engine/words/ids'
import { Projection } from '../server/fleet/projection'
import { commitMany } from '../server/store/commit/commit'
import { makeCommitQueue } from '../server/store/commit/queue'
import type { Database } from '../server/store/database/database'
import { EventFeed } from '../server/store/event/feed'
import { startRelay } from '../server/store/event/relay'
import { putHosts } from '../server/store/host/write'
import { readInstanceView } from '../server/store/migration/view'
import { simulatorTable } from '../server/store/simulator/simulator'
import { ACTOR, benchDemand, benchHosts, FLAVOR, IMAGE, openBenchDatabase } from './bench-fleet'

// Moves per second from accept to end, all at once over the whole fleet: scheduled, claimed, prepared, transferred,
// switched, cleaned and given back by the real conductor on PostgreSQL and the simulated fleet. Guests move without
// waiting for bytes, so what is measured is ours.

export interface BenchRow {
  readonly name: string
  readonly moves: number
  readonly perS: number
  /** From accept to end, of one move among all the others. */
  readonly medianMs: number
}

export interface MovesOptions {
  readonly hosts: number
  readonly guests: number
}

const SPEED = 20 // of the conductor's clock, so that a poll costs 50 ms and not a second
const AT_ONCE = 16
const LIMITS = { perSource: 1_000, perTarget: 1_000, fleet: 10_000 }

export async function benchMoves(options: MovesOptions = { hosts: 100, guests: 400 }): Promise<BenchRow[]> {
  const { database, stop } = await openBenchDatabase(AT_ONCE + 8)
  const downs: (() => Promise<unknown>)[] = [stop]
  try {
    return [await measure(database, options, downs)]
  } finally {
    for (const down of downs.reverse()) await down()
  }
}

async function measure(database: Database, { hosts, guests }: MovesOptions, downs: (() => Promise<unknown>)[]) {
  const time = clock({ since: Date.now(), speed: SPEED })
  const state = tableState(simulatorTable(database))
  // A transfer is over by the first poll.
  const fleet = simulatedFleet({ state, now: time.now, speed: 1_000_000 })
  await putHosts(database, benchHosts(hosts, 'moves'), { actor: ACTOR, at: time.now() })
  const onFailure = (error: unknown) => console.error(error)
  const relay = startRelay(database, onFailure)
  downs.push(() => relay.stop())
  const feed = await EventFeed.open(database, { onFailure })
  downs.push(() => feed.stop())
  const projection = await Projection.open({ database, feed, onFailure })
  downs.push(() => projection.stop())
  const instances = await settleGuests(database, { fleet, projection, guests, at: time.now() })
  const conductor = conductorOn(database, { fleet, projection, time })
  downs.push(() => conductor.stop())

  const begun = performance.now()
  await beginAll(database, instances, time.now)
  conductor.start()
  await allEnded(database)
  const perS = (guests * 1000) / (performance.now() - begun)
  const medianMs = (await medianOf(database)) / SPEED
  return { name: `${guests} live moves at once, ${hosts} hosts`, moves: guests, perS, medianMs }
}

interface Stage {
  readonly fleet: SimulatedFleet
  readonly projection: Projection
  readonly time: Clock
}

function conductorOn(database: Database, { fleet, projection, time }: Stage): Conductor {
  const queue = makeCommitQueue({ commitMany: (changes) => commitMany(database, changes) })
  const options: TurnOptions = { ...DEFAULT_OPTIONS, limits: LIMITS, leaseMs: 600_000 }
  return makeConductor({
    database,
    drivers: { simulated: fleet, libvirt: unconnected('libvirt'), openstack: unconnected('openstack') },
    clock: time,
    owner: 'bench',
    options: async () => options,
    concurrency: AT_ONCE,
    commit: (change) => projection.commit(change, queue.commit),
    hosts: async () => projection.hostsAhead(),
    onError: (what, error) => console.error(what, error),
  })
}

interface Settling {
  readonly fleet: SimulatedFleet
  readonly projection: Projection
  readonly guests: number
  readonly at: number
}

const ADOPTED_AT_ONCE = 32

/** Guests that were there before, spread over all hosts. */
async function settleGuests(database: Database, settling: Settling): Promise<InstanceId[]> {
  const { fleet, projection, guests, at } = settling
  const hosts = projection.hosts()
  const demand = benchDemand()
  const instances: InstanceId[] = []
  // One guest per host and batch: the claims of a batch rely on the same snapshots.
  const atOnce = Math.min(ADOPTED_AT_ONCE, hosts.length)
  for (let from = 0; from < guests; from += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, guests - from) }, () => randomUUID() as InstanceId)
    const rows = batch.map((id, index) => {
      const host = projection.ahead(hosts[(from + index) % hosts.length]!.id)!
      const verdict = decide({ demand, host, instance: null, group: null, live: null, notHost: null })
      if (!verdict.ok) throw new Error('The fleet of the benchmark is too small.')
      const row = { id, name: 'bench', project: 'bench', flavor: FLAVOR, image: IMAGE, zone: null, group: null }
      const change = adopt(row, { id: randomUUID() as ClaimId, plan: verdict.plan }, { actor: ACTOR, at })
      const { amounts, cells, units } = verdict.plan
      const guest = { instance: id, name: 'bench', host: host.id, flavor: FLAVOR, image: IMAGE, running: true }
      return { change, guest: { ...guest, claim: { amounts, cells, units } } }
    })
    await fleet.adopt(rows.map(({ guest }) => guest))
    const landed = await commitMany(
      database,
      rows.map(({ change }) => change),
    )
    if (landed.some(({ ok }) => !ok)) throw new Error('A guest of the benchmark lost its place.')
    await projection.refresh([...new Set(rows.map(({ guest }) => guest.host))])
    instances.push(...batch)
  }
  return instances
}

async function beginAll(database: Database, instances: readonly InstanceId[], now: () => number): Promise<void> {
  const changes = await Promise.all(
    instances.map(async (instance) => {
      const view = (await readInstanceView(database, instance))!
      const request = { operation: 'live-migrate', target: null, newFlavor: null, newImage: null } as const
      const terms = { sameDemand: () => true, confirmWindowMs: null, actor: ACTOR, at: now() }
      const accepted = accept(view, request, { ...terms, id: randomUUID() as MigrationId })
      if (!accepted.ok) throw new Error(JSON.stringify(accepted.refusals))
      return accepted.change
    }),
  )
  for (let from = 0; from < changes.length; from += ADOPTED_AT_ONCE) {
    await commitMany(database, changes.slice(from, from + ADOPTED_AT_ONCE))
  }
}

const LOOK_EVERY_MS = 100

async function allEnded({ pool }: Database): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select 1 from migration where outcome is null limit 1')
    if (rows.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  const { rows } = await pool.query("select outcome, cause from migration where outcome <> 'completed' limit 1")
  if (rows.length > 0) throw new Error(`A move of the benchmark failed: ${JSON.stringify(rows[0])}`)
}

async function medianOf({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    `select (percentile_cont(0.5) within group (order by extract(epoch from step_since - created_at)) * 1000)::float8
      as ms from migration`,
  )
  return rows[0]?.ms ?? 0
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { name, perS, medianMs } of await benchMoves()) {
    console.log(`${name}: ${perS.toFixed(1)} moves/s, median ${medianMs.toFixed(0)} ms`)
  }
}
