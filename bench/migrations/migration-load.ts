import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { accept } from '../../server/engine/migration/accept'
import type { InstanceId, MigrationId } from '../../server/engine/words/ids'
import { readHost } from '../../server/store/host/read'
import { listMigrations } from '../../server/store/migration/list'
import { readInstanceKnown } from '../../server/store/migration/view'
import { ACTOR } from '../bench-fleet'
import { cpuMsOf } from '../cpu-time'
import type { BenchFleet } from './fleet'
import { eventsSince, readCounters } from './postgres'

// One load: keeps this many migrations active until a given number has ended, and measures the cost of each.

export interface MigrationLoad {
  readonly fleet: BenchFleet
  readonly instances: readonly InstanceId[]
  readonly flight: number
  readonly migrations: number
  /** Process id of PostgreSQL. */
  readonly server: number
  readonly driverMs: number
}

export interface MigrationFigures {
  readonly flight: number
  readonly migrations: number
  readonly perS: number
  /** From accept to end. */
  readonly medianMs: number
  /** CPU time per migration. */
  readonly nodeMs: number
  readonly postgresMs: number
  /** The share of `nodeMs` that the simulated hypervisors take. */
  readonly driverMs: number
  readonly transactions: number
  readonly walBytes: number
  readonly events: number
  readonly eventBytes: number
  readonly readMedianMs: number
  readonly readP99Ms: number
  readonly failed: number
}

export interface MigrationBenchRow extends MigrationFigures {
  readonly hosts: number
  readonly instances: number
}

export async function runMigrations(load: MigrationLoad): Promise<MigrationFigures> {
  const { fleet, migrations, flight, server, driverMs } = load
  const before = await readCounters(fleet.database)
  const cpu = { node: process.cpuUsage(), postgres: cpuMsOf([server]) }
  const reader = readAlong(fleet)
  const begun = performance.now()
  const { took, failed } = await untilEnded(load).finally(reader.stop)
  const elapsedMs = performance.now() - begun
  const { user, system } = process.cpuUsage(cpu.node)
  const postgresMs = cpuMsOf([server]) - cpu.postgres
  const reads = await reader.stop()
  const after = await readCounters(fleet.database)
  const { events, bytes } = await eventsSince(fleet.database, before.sequence)
  return {
    flight,
    migrations,
    perS: (migrations * 1_000) / elapsedMs,
    medianMs: quantile(took, 0.5),
    nodeMs: (user + system) / 1_000 / migrations,
    postgresMs: postgresMs / migrations,
    driverMs,
    transactions: (after.transactions - before.transactions) / migrations,
    walBytes: (after.walBytes - before.walBytes) / migrations,
    events: events / migrations,
    eventBytes: bytes / migrations,
    readMedianMs: quantile(reads, 0.5),
    readP99Ms: quantile(reads, 0.99),
    failed,
  }
}

/** Starts the next migration as one ends. Takes instances in turn, except those already migrating. */
async function untilEnded({
  fleet,
  instances,
  flight,
  migrations,
}: MigrationLoad): Promise<{ took: number[]; failed: number }> {
  const begunAt = new Map<string, number>()
  const moving = new Set<InstanceId>()
  const took: number[] = []
  let begun = 0
  let turn = 0
  let failed = 0
  return new Promise((resolve, reject) => {
    const next = async (): Promise<void> => {
      if (begun === migrations) return
      const id = randomUUID() as MigrationId
      let instance: InstanceId
      do instance = instances[(turn++ * STRIDE) % instances.length]!
      while (moving.has(instance))
      moving.add(instance)
      begun++
      begunAt.set(id, performance.now())
      await begin(fleet, id, instance).catch(reject)
    }
    const unfollow = fleet.feed.follow((events) => {
      for (const { kind, migration, instance, data } of events) {
        const since = kind === 'migration.ended' && migration !== null ? begunAt.get(migration) : undefined
        if (since === undefined) continue
        took.push(performance.now() - since)
        moving.delete(instance!)
        if (data.outcome !== 'completed') failed++
        void next()
      }
      if (took.length < migrations) return
      unfollow()
      resolve({ took, failed })
    })
    const fill = async (count: number) => {
      for (let n = 0; n < count; n++) await next()
    }
    for (let n = 0; n < CLIENTS; n++) void fill(flight / CLIENTS)
  })
}

const CLIENTS = 12 // that start migrations concurrently; every number in flight is a multiple of this
const STRIDE = 7 // coprime to the numbers of instances, so that neighbours do not migrate together

async function begin(fleet: BenchFleet, id: MigrationId, instance: InstanceId): Promise<void> {
  const view = (await readInstanceKnown(fleet.database, instance, (host, at) => fleet.projection.aheadAt(host, at)))!
  const request = { operation: 'live-migrate', target: null, newFlavor: null, newImage: null } as const
  const terms = { sameDemand: () => true, confirmWindowMs: null, actor: ACTOR, at: fleet.time.now() }
  const accepted = accept(view, request, { ...terms, id })
  if (!accepted.ok) throw new Error(JSON.stringify(accepted.refusals))
  const committed = await fleet.commit(accepted.change)
  if (!committed.ok) throw new Error(JSON.stringify(committed.conflict))
}

const READ_INTERVAL_MS = 50

/** Reads what a user would view in the meantime: the list of active migrations, and a host. */
function readAlong({ database, projection }: BenchFleet): { stop(): Promise<number[]> } {
  const took: number[] = []
  let stopped = false
  const hosts = projection.hosts().map(({ id }) => id)
  const read = async () => {
    for (let n = 0; !stopped; n++) {
      const begun = performance.now()
      await listMigrations(database, { view: 'flight', offset: 0, limit: 50 })
      took.push(performance.now() - begun)
      const then = performance.now()
      await readHost(database, hosts[n % hosts.length]!)
      took.push(performance.now() - then)
      await new Promise((resolve) => setTimeout(resolve, READ_INTERVAL_MS))
    }
  }
  const reading = read()
  return {
    stop: async () => {
      stopped = true
      await reading
      return took
    },
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
