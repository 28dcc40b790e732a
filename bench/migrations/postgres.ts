import type { Database } from '../../server/store/database/database'
import { parentOf } from '../cpu-time'

// PostgreSQL's own statistics.

export interface Counters {
  readonly transactions: number
  readonly walBytes: number
  readonly sequence: string
}

export async function readCounters({ pool }: Database): Promise<Counters> {
  // A backend reports its counts only periodically, unless forced.
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<Counters>(
    `select (select xact_commit::float8 from pg_stat_database where datname = current_database()) as transactions,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "walBytes", last_sequence()::text as sequence`,
  )
  return rows[0]!
}

export async function eventsSince(
  { pool }: Database,
  sequence: string,
): Promise<{ readonly events: number; readonly bytes: number }> {
  const { rows } = await pool.query<{ events: number; bytes: number }>(
    'select count(*)::float8 as events, coalesce(sum(pg_column_size(e.*)), 0)::float8 as bytes from event e where sequence > $1',
    [sequence],
  )
  return rows[0]!
}

/** The parent process of all connections. */
export async function serverProcess({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const server = rows[0] && parentOf(rows[0].pid)
  if (!server) throw new Error('The database is not on this machine.')
  return server
}

const MAX_STATEMENTS = 60

/** Counts statements from now on; returns those that took the most time for each migration. */
export async function countStatements({ pool }: Database): Promise<{ tell(migrations: number): Promise<void> }> {
  await pool.query('create extension if not exists pg_stat_statements')
  await pool.query("alter system set pg_stat_statements.track = 'all'")
  await pool.query('select pg_reload_conf()')
  await pool.query('select pg_stat_statements_reset()')
  return {
    tell: async (migrations) => {
      const { rows } = await pool.query<{ query: string; calls: number; ms: number; wal: number }>(
        `select query, calls::float8, total_exec_time as ms, wal_bytes::float8 as wal from pg_stat_statements
         order by total_exec_time desc limit $1`,
        [MAX_STATEMENTS],
      )
      for (const { query, calls, ms, wal } of rows) {
        const statement = query.replace(/\s+/g, ' ').slice(0, 160)
        const figures = [`${(ms / migrations).toFixed(2)} ms`, `${(calls / migrations).toFixed(2)} calls`]
        console.log(
          `${figures.join(', ')}, ${(ms / calls).toFixed(2)} ms each, ${(wal / migrations).toFixed(0)} B: ${statement}`,
        )
      }
    },
  }
}
