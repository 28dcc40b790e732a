import { setTimeout as pause } from 'node:timers/promises'
import { connectDatabase, type Database } from './database'

// A replica, where one is set, serves long reads of the past, and never with older data than the primary: it must have
// replayed all that was committed when the query arrived. Decisions, and reads that they are based on, always go to the
// primary.

export interface PastReads {
  /** Reads from the replica; from the primary when there is none, when it lags, or when the read fails. */
  read<T>(ask: (database: Database) => Promise<T>): Promise<T>
  /** Why the replica serves no reads now; null when it does, or when none is set. */
  replicaFailure(): string | null
  close(): Promise<void>
}

export interface PastReadsParts {
  readonly primary: Database
  /** For one server, not a load balancer: the replay position of one says nothing about the others. */
  readonly replicaUrl: string | null
  /** Called for each read with the server that answered. */
  count(by: 'replica' | 'primary'): void
  /** Given by tests. */
  readonly checkEveryMs?: number
  readonly reportAfterMs?: number
}

const CONNECTIONS = 4
/** After this wait the primary answers. */
const READ_LIMITS = { connectMs: 1_000, statementMs: 20_000, answerMs: 20_000 }
const CHECK_LIMITS = { connectMs: 1_000, statementMs: 1_000, answerMs: 1_000 }
const LAG_POLL_INTERVAL_MS = 10
const MAX_LAG_POLLS = 10 // a healthy replica lags by a few ms
const CHECK_INTERVAL_MS = 5_000
const REPORT_AFTER_MS = 30_000 // a short lag needs no attention

export function makePastReads(parts: PastReadsParts): PastReads {
  const { primary, replicaUrl, count, checkEveryMs = CHECK_INTERVAL_MS, reportAfterMs = REPORT_AFTER_MS } = parts
  const askPrimary = async <T>(ask: (database: Database) => Promise<T>): Promise<T> => {
    count('primary')
    return ask(primary)
  }
  if (replicaUrl === null) return { read: askPrimary, replicaFailure: () => null, close: async () => {} }
  const replica = connectDatabase({ url: replicaUrl, connections: CONNECTIONS, limits: READ_LIMITS })
  const checked = connectDatabase({ url: replicaUrl, connections: 2, limits: CHECK_LIMITS })
  let failing: { readonly why: string; readonly since: number } | null = null
  const fail = (why: string) => {
    failing = { why, since: failing?.since ?? performance.now() }
  }
  const check = async (): Promise<boolean> => {
    const why = await whyStale(primary, checked).catch(textOf)
    if (why === null) failing = null
    else fail(why)
    return why === null
  }
  // While it fails no read waits for it; this detects when it is back.
  const timer = setInterval(() => void check(), checkEveryMs).unref()
  return {
    read: async (ask) => {
      if (failing !== null || !(await check())) return askPrimary(ask)
      try {
        const answer = await ask(replica)
        count('replica')
        return answer
      } catch (error) {
        fail(textOf(error)) // also for an invalid query: the primary then reports its error
        return askPrimary(ask)
      }
    },
    replicaFailure: () => (failing && performance.now() - failing.since > reportAfterMs ? failing.why : null),
    close: async () => {
      clearInterval(timer)
      await Promise.all([replica.close(), checked.close()])
    },
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message || error.name : String(error))

/** Null when the replica has replayed everything that was committed until now. */
async function whyStale(primary: Database, replica: Database): Promise<string | null> {
  const committed = (await placeIn(primary, 'pg_current_wal_flush_lsn()')) ?? 0n
  for (let poll = 0; poll < MAX_LAG_POLLS; poll++) {
    const replayed = await placeIn(replica, 'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end')
    if (replayed === null) return 'It is not a replica.'
    // A demoted primary may have commits that the present primary never had, until it is rewound.
    if (replayed >= committed)
      return replayed <= ((await placeIn(primary, 'pg_current_wal_insert_lsn()')) ?? 0n)
        ? null
        : 'It is ahead of the primary, so it does not follow it.'
    await pause(LAG_POLL_INTERVAL_MS)
  }
  return 'It lags behind the primary.'
}

/** A position in the write-ahead log, in bytes; null when there is none. */
async function placeIn({ pool }: Database, place: string): Promise<bigint | null> {
  const { rows } = await pool.query<{ at: string | null }>(`select (${place} - '0/0'::pg_lsn)::text as at`)
  const at = rows[0]?.at ?? null
  return at === null ? null : BigInt(at)
}
