import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database'

// Counts attempts per key within a window, in one statement, so that parallel attempts cannot all see the same old
// count. Shares better-auth's table; our keys have a prefix of their own.

export interface AttemptLimit {
  readonly max: number
  readonly windowMs: number
}

/** Counts one attempt. Returns null when it is allowed, otherwise how many ms to wait before the next one. */
export async function countAttempt(
  { prisma }: Database,
  key: string,
  limit: AttemptLimit & { readonly now: number },
): Promise<number | null> {
  const [row] = await prisma.$queryRaw<{ count: number; last: bigint }[]>`
    insert into auth_rate_limit as r (id, key, count, last_request)
    values (${randomUUID()}, ${key}, 1, ${limit.now}::bigint)
    on conflict (key) do update set
      count = case when r.last_request <= ${limit.now - limit.windowMs}::bigint then 1 else r.count + 1 end,
      last_request = case
        when r.last_request > ${limit.now - limit.windowMs}::bigint and r.count >= ${limit.max} then r.last_request
        else ${limit.now}::bigint end
    returning count, last_request as last`
  if (!row || row.count <= limit.max) return null
  return Math.max(1, Number(row.last) + limit.windowMs - limit.now)
}

export async function forgetAttempts({ prisma }: Database, key: string): Promise<void> {
  await prisma.rateLimit.deleteMany({ where: { key } })
}

/** Limits the rows, so that invented names and addresses do not fill the table. */
export async function forgetAttemptsBefore({ prisma }: Database, at: number): Promise<void> {
  await prisma.rateLimit.deleteMany({ where: { lastRequest: { lt: at } } })
}
