import type { Database } from '../database/database'

// Sessions of servers that ran migrations. No server ran at a time that no row covers.

export interface ServerSession {
  readonly from: number
  /** Its last heartbeat; it may have run a little longer. */
  readonly seen: number
}

export interface Heartbeat {
  readonly owner: string
  /** Default: the database's time. Tests pass one. */
  readonly at?: number
  /** A longer silence begins another session (ms). */
  readonly silenceMs: number
  /** Offset of its machine's clock, positive when ahead of the database's. */
  readonly clockOffsetMs?: number
  /** Why its read replica does not answer; null when it does, or when there is none. */
  readonly replicaFailure?: string | null
}

/** This server runs migrations now. */
export async function renewServerSession(
  { pool }: Database,
  { owner, at, silenceMs, clockOffsetMs, replicaFailure }: Heartbeat,
): Promise<void> {
  await pool.query({
    name: 'renew-server-session',
    text: `with time as materialized (select coalesce($2::timestamptz, clock_timestamp()) as at),
      kept as (
        update server_session s set seen_at = greatest(s.seen_at, t.at), clock_offset_ms = $4, replica_failure = $5
        from time t
        where s.owner = $1 and s.seen_at >= t.at - $3::int * interval '1 millisecond' returning 1)
      insert into server_session (owner, started_at, seen_at, clock_offset_ms, replica_failure)
      select $1, t.at, t.at, $4, $5 from time t
      where not exists (select from kept) on conflict do nothing`,
    values: [owner, at === undefined ? null : new Date(at), silenceMs, clockOffsetMs ?? null, replicaFailure ?? null],
  })
}

/** Sessions that overlap the time from `from` to `to`, and the last one before it; oldest first. */
export async function readServerSessions(
  { pool }: Database,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ServerSession[]> {
  const { rows } = await pool.query<ServerSession>({
    name: 'server-sessions-between',
    text: `select ms(started_at)::float8 as "from", ms(seen_at)::float8 as seen from server_session
      where started_at <= $2 and seen_at >= coalesce(
        (select max(seen_at) from server_session where seen_at < $1), $1)
      order by started_at, owner`,
    values: [new Date(from), new Date(to)],
  })
  return rows
}

/** Sessions are kept as long as the past. */
export async function forgetServerSessionsBefore({ pool }: Database, at: number): Promise<void> {
  await pool.query('delete from server_session where seen_at < $1', [new Date(at)])
}
