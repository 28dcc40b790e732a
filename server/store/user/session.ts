import pg from 'pg'

export interface SessionReader {
  /** The role and the grants of each session's user; ended sessions are left out. */
  read(sessions: readonly string[]): Promise<ReadonlyMap<string, string>>
  close(): Promise<void>
}

const LIMIT_MS = 10_000

/**
 * Has its own connection: while calls and migrations hold all others, an ended session is still noticed. A database that
 * hangs answers nothing, even after another one took over, so the connection is left after the limit.
 */
export function openSessionReader(url: string, limitMs = LIMIT_MS): SessionReader {
  const limits = { connectionTimeoutMillis: limitMs, statement_timeout: limitMs, query_timeout: limitMs }
  const pool = new pg.Pool({ connectionString: url, max: 1, keepAlive: true, ...limits })
  // The pool replaces a broken connection, and the next read reports the error.
  pool.on('error', () => {})
  return {
    read: async (sessions) => {
      const { rows } = await pool.query<{ id: string; role: string }>({
        name: 'live-sessions',
        text: `select s.id, concat_ws(' ', u.role, nullif(array_to_string(u.grants, ' '), '')) as role from auth_session s join auth_user u on u.id = s.user_id
          where s.id = any($1) and s.expires_at > now()`,
        values: [sessions],
      })
      return new Map(rows.map(({ id, role }) => [id, role]))
    },
    close: () => pool.end(),
  }
}
