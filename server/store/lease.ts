import type { MigrationId } from '../engine/words/ids'
import type { Database } from './database'

// Who carries a migration. Taking the lease raises the fence on the very row every commit locks, so whoever decided
// under an older fence can no longer write (L7).

export interface LeaseAsk {
  readonly migration: MigrationId
  readonly owner: string
  readonly ttlMs: number
  readonly now: number
}

/** Takes a lease that is free, run out, or one's own. Null while another owner has it or when the move has ended. */
export async function takeLease(database: Database, ask: LeaseAsk): Promise<{ readonly fence: number } | null> {
  const { rows } = await database.pool.query<{ fence: string }>({
    name: 'take-lease',
    text: `update migration set fence = fence + 1, lease_owner = $2, lease_until = $3
      where id = $1 and outcome is null and (lease_owner is null or lease_owner = $2 or lease_until <= $4)
      returning fence`,
    values: [ask.migration, ask.owner, new Date(ask.now + ask.ttlMs), new Date(ask.now)],
  })
  return rows[0] ? { fence: Number(rows[0].fence) } : null
}

/** Longer, under the same fence. False when it is no longer one's own. */
export async function extendLease(database: Database, ask: LeaseAsk & { readonly fence: number }): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'extend-lease',
    text: `update migration set lease_until = $3 where id = $1 and lease_owner = $2 and fence = $4`,
    values: [ask.migration, ask.owner, new Date(ask.now + ask.ttlMs), ask.fence],
  })
  return rowCount === 1
}

/** Migrations to look at now and that nobody else carries, longest due first. Several servers share the work. */
export async function dueMigrations(
  database: Database,
  { now, owner, limit }: { readonly now: number; readonly owner: string; readonly limit: number },
): Promise<MigrationId[]> {
  const { rows } = await database.pool.query<{ id: MigrationId }>({
    name: 'due-migrations',
    text: `select id from migration
      where outcome is null and next_at <= $1 and (lease_owner is null or lease_owner = $2 or lease_until <= $1)
      order by next_at limit $3 for no key update skip locked`,
    values: [new Date(now), owner, limit],
  })
  return rows.map(({ id }) => id)
}

/** A duty that one server at a time has (the survey, the standing audit). Answers the fence, or null while another has it. */
export async function takeDuty(
  database: Database,
  {
    name,
    owner,
    ttlMs,
    now,
  }: { readonly name: string; readonly owner: string; readonly ttlMs: number; readonly now: number },
): Promise<{ readonly fence: number } | null> {
  const { rows } = await database.pool.query<{ fence: string }>({
    name: 'take-duty',
    text: `insert into lease (name, owner, until) values ($1, $2, $3)
      on conflict (name) do update set owner = $2, until = $3,
        fence = lease.fence + case when lease.owner = $2 then 0 else 1 end
      where lease.owner = $2 or lease.until <= $4
      returning fence`,
    values: [name, owner, new Date(now + ttlMs), new Date(now)],
  })
  return rows[0] ? { fence: Number(rows[0].fence) } : null
}

export async function releaseDuty(database: Database, name: string, owner: string): Promise<void> {
  await database.pool.query("update lease set until = 'epoch' where name = $1 and owner = $2", [name, owner])
}
