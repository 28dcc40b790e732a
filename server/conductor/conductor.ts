import type { DriverOperation } from '../drivers/driver'
import type { Drivers } from '../drivers/registry'
import type { Change, ChangeResult } from '../engine/change'
import type { HostFrame } from '../engine/host'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import type { Database } from '../store/database/database'
import { readLeftovers } from '../store/host/facts'
import { readLeftover } from '../store/host/leftover'
import { acquireLease, extendLease, readDueMigrations } from '../store/migration/lease'
import {
  readHostsToClean,
  readInstancesInTransit,
  readNextDueAfter,
  releaseLeases,
} from '../store/migration/pending-work'
import { traced } from '../trace/trace'
import type { Clock } from './clock'
import type { ConductorFleet } from './fleet'
import { CLEANING_MS, type CleanupParts, cleanLeftovers } from './leftovers'
import { lifecycleTick } from './lifecycle-tick'
import { type Loop, makeLoop, type TickSource } from './loop'
import type { TickOptions } from './options'
import { recordsOf } from './records'
import { type ConductorContext, runTick } from './run'
import { migrationTick } from './tick'

// One server's share of migrations, builds, deletions and clean-ups. Any number of them may run on one database.

export interface ConductorParts {
  readonly database: Database
  readonly drivers: Drivers
  readonly clock: Clock
  /** Names this process in leases and in the audit log; no two at once may have the same. */
  readonly owner: string
  /** Called on each tick, because an import may add aliases. */
  options(): Promise<TickOptions>
  readonly concurrency: number
  commit(change: Change): Promise<ChangeResult>
  readonly fleet: ConductorFleet
  /** Surveys one host now; undefined where surveys only run periodically. */
  observe?(host: HostId): Promise<unknown>
  onError(what: string, error: unknown): void
}

export interface Conductor extends Pick<Loop, 'start' | 'wake' | 'settle'> {
  /** Waits for the effects under way and releases its leases. Never rejects. */
  stop(): Promise<void>
}

export function makeConductor(parts: ConductorParts): Conductor {
  let stopping = false
  const context: ConductorContext = {
    records: recordsOf(parts),
    driverOf: driverFinder(parts),
    stopping: () => stopping,
    keepLease: leaseKeeper(parts),
    onFault: (verb, error) => parts.onError(`driver ${verb}`, error),
  }
  const { clock, onError, concurrency } = parts
  const loop = makeLoop({ carried: carriedBy(parts, context), clock, concurrency, onError })
  return {
    ...loop,
    stop: async () => {
      stopping = true
      await loop.stop()
      // The database may be stopped at the same time. Leases that are not released expire.
      await releaseLeases(parts.database, parts.owner).catch((error) => onError('releasing the leases', error))
    },
  }
}

function carriedBy(parts: ConductorParts, context: ConductorContext): TickSource[] {
  const { database, clock, owner, options } = parts
  const never = async () => null
  return [
    {
      kind: 'migration',
      due: (limit) => readDueMigrations(database, { now: clock.now(), leasesAt: clock.leaseTime?.(), owner, limit }),
      nextDue: (after) => readNextDueAfter(database, after),
      tick: (id) =>
        traced('migration tick', { 'berth.migration': id }, async () =>
          runTick(migrationTick(id as MigrationId, owner, await options()), context),
        ),
      timedByTables: true,
    },
    {
      kind: 'instance',
      // Those that wait for a host come first and are counted in the limit, or they would hide all others.
      due: (limit) => readInstancesInTransit(database, limit),
      nextDue: never,
      tick: (id) => runTick(lifecycleTick(id as InstanceId, owner), context),
      timedByTables: false,
    },
    {
      kind: 'leftovers of host',
      due: (limit) => readHostsToClean(database, limit),
      nextDue: never,
      tick: (id) => cleanLeftovers(id as HostId, cleaningBy(parts, context)),
      timedByTables: false,
    },
  ]
}

function cleaningBy({ database, clock, owner }: ConductorParts, context: ConductorContext): CleanupParts {
  return {
    context,
    owner,
    leftoversOf: (host) => readLeftovers(database, host),
    recordsOf: (remain) => readLeftover(database, remain),
    lease: (host) =>
      acquireLease(database, { name: `leftovers of ${host}`, owner, ttlMs: CLEANING_MS, now: clock.leaseTime?.() }),
  }
}

const LEASE_EXTENSION_INTERVAL_MS = 3_000 // a third of a lease: a slow hypervisor must not cost the lease

function leaseKeeper({ database, clock, owner, options, onError }: ConductorParts): ConductorContext['keepLease'] {
  const extend = async ({ migration, fence }: DriverOperation) => {
    const { leaseMs } = await options()
    await extendLease(database, { migration, owner, ttlMs: leaseMs, now: clock.leaseTime?.(), fence })
  }
  return (driverOperation) => {
    const timer = setInterval(
      () => extend(driverOperation).catch((error) => onError('keeping a lease', error)),
      LEASE_EXTENSION_INTERVAL_MS,
    )
    return () => clearInterval(timer)
  }
}

/** The kind of driver of a host never changes, so it is read once per host. */
function driverFinder({ fleet, drivers }: ConductorParts): ConductorContext['driverOf'] {
  const kinds = new Map<string, HostFrame['driver']>()
  return async (hosts) => {
    const [id] = hosts
    if (id === undefined) throw new Error('A driver operation has no host.')
    const kind = kinds.get(id) ?? (await fleet.hostAt(id as HostId, null))?.driver
    if (kind === undefined) throw new Error(`There is no host ${id}.`)
    kinds.set(id, kind)
    return drivers[kind]
  }
}
