import { LONGEST_REST_MS } from '../../engine/migration/machine'
import type { MigrationId } from '../../engine/words/ids'
import type { Database } from '../database/database'

// Leases of migrations. Acquiring one raises the fencing token on the very row that every commit locks, so a server
// that decided under an older token can no longer write (L7). Leases use the database's clock: servers with different
// clocks agree on the holder (docs/decisions/0235-the-databases-clock-decides.md).

/** No lease is longer, so one that expires further ahead was set by a wrong clock and holds nothing (`lease_holds`). */
const LONGEST_LEASE_MS = 60_000

export interface MigrationLeaseRequest {
  readonly migration: MigrationId
  readonly owner: string
  readonly ttlMs: number
  /** Default: the database's clock. Only simulations pass one, whose time is not the time of day. */
  readonly now?: number | undefined
}

const timeOrNull = (now: number | undefined) => (now === undefined ? null : new Date(now))
const lengthOf = (ttlMs: number) => Math.min(ttlMs, LONGEST_LEASE_MS)

const TIME = 'select coalesce($1::timestamptz, clock_timestamp()) as at'
const UNTIL = `(select at from time) + $2 * interval '1 millisecond'`

export interface MigrationLeasesRequest extends Omit<MigrationLeaseRequest, 'migration'> {
  readonly migrations: readonly MigrationId[]
}

/**
 * Acquires leases that are free, expired or already ours: migration → fencing token. Leases of other owners, and ended
 * migrations, are left out.
 */
export async function takeLeases(
  database: Database,
  ask: MigrationLeasesRequest,
): Promise<ReadonlyMap<MigrationId, number>> {
  const { rows } = await database.pool.query<{ id: MigrationId; fence: string }>({
    name: 'take-leases',
    // Locked in the order in which commits lock them.
    text: `with time as materialized (${TIME}), free as materialized (
        select id from migration
        where id = any($3::uuid[]) and outcome is null
          and (lease_owner is null or lease_owner = $4 or lease_holds(lease_until, (select at from time)) is not true)
        order by id for no key update)
      update migration m set fence = m.fence + 1, lease_owner = $4, lease_until = ${UNTIL}
      from free where m.id = free.id returning m.id, m.fence`,
    values: [timeOrNull(ask.now), lengthOf(ask.ttlMs), ask.migrations, ask.owner],
  })
  return new Map(rows.map(({ id, fence }) => [id, Number(fence)]))
}

/** Acquires one lease; null while another owner has it or when the migration has ended. */
export async function takeLease(
  database: Database,
  ask: MigrationLeaseRequest,
): Promise<{ readonly fence: number } | null> {
  const fence = (await takeLeases(database, { ...ask, migrations: [ask.migration] })).get(ask.migration)
  return fence === undefined ? null : { fence }
}

/** Extends the lease under the same token. False when it is no longer ours. */
export async function extendLease(
  database: Database,
  ask: MigrationLeaseRequest & { readonly fence: number },
): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'extend-lease',
    text: `with time as (${TIME})
      update migration set lease_until = ${UNTIL} where id = $3 and lease_owner = $4 and fence = $5`,
    values: [timeOrNull(ask.now), lengthOf(ask.ttlMs), ask.migration, ask.owner, ask.fence],
  })
  return rowCount === 1
}

export interface DueFilter {
  /** The time by which a migration is due. */
  readonly now: number
  /** The time by which leases run; left out: the database's clock. */
  readonly leasesAt?: number | undefined
  readonly owner: string
  readonly limit: number
}

// `isDue` in the engine is the same condition, and says why.
const IS_DUE = `(next_at <= $2 or next_at > $5 and next_at is distinct from due_at)`

/** Due migrations without another owner, longest due first. Several servers share the work. */
export async function readDueMigrations(database: Database, ask: DueFilter): Promise<MigrationId[]> {
  const { rows } = await database.pool.query<{ id: MigrationId }>({
    name: 'due-migrations',
    text: `with time as materialized (${TIME})
      select id from migration
      where outcome is null and ${IS_DUE}
        and (lease_owner is null or lease_owner = $3 or lease_holds(lease_until, (select at from time)) is not true)
      order by next_at limit $4 for no key update of migration skip locked`,
    values: [timeOrNull(ask.leasesAt), new Date(ask.now), ask.owner, ask.limit, new Date(ask.now + LONGEST_REST_MS)],
  })
  return rows.map(({ id }) => id)
}

export interface LeaseRequest {
  readonly name: string
  readonly owner: string
  readonly ttlMs: number
  readonly now?: number | undefined
}

/**
 * Leases work for one server at a time (the survey, the clean-up of a host). Returns the fence, or null while another
 * server has it.
 */
export async function acquireLease(database: Database, ask: LeaseRequest): Promise<{ readonly fence: number } | null> {
  const { rows } = await database.pool.query<{ fence: string }>({
    name: 'acquire-lease',
    text: `with time as (${TIME})
      insert into lease (name, owner, until) select $3, $4, ${UNTIL}
      where not exists (select from lease where name = $3 and owner <> $4 and lease_holds(until, (select at from time)))
      on conflict (name) do update set owner = $4, until = excluded.until,
        fence = lease.fence + case when lease.owner = $4 then 0 else 1 end
      where lease.owner = $4 or lease_holds(lease.until, (select at from time)) is not true
      returning fence`,
    values: [timeOrNull(ask.now), lengthOf(ask.ttlMs), ask.name, ask.owner],
  })
  return rows[0] ? { fence: Number(rows[0].fence) } : null
}

export async function releaseLease(database: Database, name: string, owner: string): Promise<void> {
  await database.pool.query("update lease set until = 'epoch' where name = $1 and owner = $2", [name, owner])
}
