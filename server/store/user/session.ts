import type { Database } from '../database/database'

/** The role of whoever each of these sessions belongs to; a session that has ended is not among them. */
export async function readLiveSessions(
  { pool }: Database,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; role: string }>({
    name: 'live-sessions',
    text: `select s.id, u.role from auth_session s join auth_user u on u.id = s.user_id
      where s.id = any($1) and s.expires_at > now()`,
    values: [sessions],
  })
  return new Map(rows.map(({ id, role }) => [id, role]))
}
