import type pg from 'pg'
import type { Database } from '../database/database'

/** Resolves when another transaction waits for a lock of this connection. */
export async function untilItBlocks({ pool }: Database, connection: pg.PoolClient): Promise<void> {
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid')
  // Asked on another connection: within one transaction the activity of others is read only once.
  const waiting = () => pool.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [rows[0]?.pid])
  while ((await waiting()).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 10))
}
