import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database'

// Counts attempts per key within a window, in one statement, so that parallel attempts cannot all see the same old
// count. Shares better-auth's table; our keys have a prefix of their own. Windows use the database's clock: on a server
// whose own clock is ahead, every window would be over, and attempts that alternate between two servers had no limit.

export interface AttemptLimit {
  readonly max: number
  readonly windowMs: number
  /** Ms since the epoch; only tests pass one. */
  readonly now?: number
}

/** Counts one attempt. Returns null when it is allowed, otherwise how many ms to wait before the next one. */
export async function countAttempt(
  { prisma }: Database,
  key: string,
  { max, windowMs, now }: AttemptLimit,
): Promise<number | null> {
  // A last attempt further ahead than a window was counted before the clock was set back.
  const [row] = await prisma.$queryRaw<{ count: number; left: bigint }[]>`
    with time as materialized (select coalesce(${now ?? null}::bigint, ms(clock_timestamp())) as at)
    insert into auth_rate_limit as r (id, key, count, last_request)
    select ${randomUUID()}, ${key}, 1, at from time
    on conflict (key) do update set
      count = case when abs(r.last_request - excluded.last_request) >= ${windowMs}::bigint then 1 else r.count + 1 end,
      last_request = case
        when abs(r.last_request - excluded.last_request) < ${windowMs}::bigint and r.count >= ${max} then r.last_request
        else excluded.last_request end
    returning count, last_request + ${windowMs}::bigint - (select at from time) as left`
  if (!row || row.count <= max) return null
  return Math.max(1, Number(row.left))
}

export async function forgetAttempts({ prisma }: Database, key: string): Promise<void> {
  await prisma.rateLimit.deleteMany({ where: { key } })
}

/** Limits the rows, so that invented names and addresses do not fill the table. */
export async function forgetOldAttempts({ prisma }: Database, ageMs: number): Promise<void> {
  await prisma.$executeRaw`
    delete from auth_rate_limit where key in (select key from auth_rate_limit
      where last_request < ms(clock_timestamp()) - ${ageMs}::bigint order by key for update skip locked)`
}
