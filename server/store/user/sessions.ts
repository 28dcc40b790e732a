import type { Attribution } from '../../engine/change'
import { recordEntry } from '../audit-log/entry'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'

// Sessions as admins see them. The token of a session is in its cookie alone.

/** Times in ms since the epoch; null: the row has an infinite one. */
export interface SessionRow {
  readonly id: string
  readonly createdAt: number | null
  readonly seenAt: number | null
  readonly expiresAt: number | null
  readonly address: string | null
  readonly userAgent: string | null
}

/** Sessions that have not expired, newest first. */
export async function listSessions({ pool }: Database, user: string): Promise<SessionRow[]> {
  const { rows } = await pool.query<SessionRow>({
    name: 'sessions-of-user',
    text: `select id, ms(created_at)::float8 as "createdAt", ms(updated_at)::float8 as "seenAt",
        ms(expires_at)::float8 as "expiresAt", ip_address as address, user_agent as "userAgent"
      from auth_session where user_id = $1 and expires_at > now() order by created_at desc limit 200`,
    values: [user],
  })
  return rows
}

interface EndSessionsRequest extends Attribution {
  readonly user: { readonly id: string; readonly username: string }
  /** Null: all of them. */
  readonly session: string | null
  /** Stays open: the user ends all other sessions. */
  readonly except?: string
}

/** Returns the number of ended sessions. Their pages notice within a second. */
export async function endSessions(
  database: Database,
  { user, session, except, ...attribution }: EndSessionsRequest,
): Promise<number> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `delete from auth_session where user_id = $1 and ($2::text is null or id = $2)
         and ($3::text is null or id <> $3) returning id`,
      [user.id, session, except ?? null],
    )
    if (rows.length === 0) return 0
    const data = { user: user.id, username: user.username, sessions: rows.map(({ id }) => id) }
    await recordEntry(client, { action: 'session.ended', ...attribution, data })
    return rows.length
  })
}
