import pg from 'pg'
import type { Database } from '../database/database'
import { withTimeout } from '../time/with-timeout'

// Whether the database can be used, always answered in time: on its own connection, which the pool cannot exhaust, and
// with its own timeout, because a frozen database never answers.

export interface Probe {
  /**
   * Null when the database answers and the pool has a connection; otherwise why not. Takes `PROBE_LIMIT_MS` at most.
   */
  failure(): Promise<string | null>
  stop(): Promise<void>
}

const PROBE_LIMIT_MS = 1_000

export function openProbe(database: Pick<Database, 'url' | 'pool'>): Probe {
  const own = ownConnection(database.url)
  const seat = poolSeat(database.pool)
  const poll = async () => {
    const [answers, has] = await Promise.all([own.answers(), seat.isFree()])
    if (answers !== null) return answers
    return has ? null : `All ${database.pool.options.max} database connections are busy.`
  }
  let asked: Promise<string | null> | null = null
  return {
    // Concurrent callers share a check, and no answer outlives it: a flood costs one query at a time.
    failure: () => {
      asked ??= poll().finally(() => {
        asked = null
      })
      return asked
    },
    stop: own.stop,
  }
}

function ownConnection(url: string) {
  let client: pg.Client | null = null
  let ended = false
  const drop = (old: pg.Client | null) => {
    if (client === old) client = null
    // Not awaited: a frozen server would not close the connection either.
    old?.end().catch(() => {})
  }
  const connect = async (): Promise<pg.Client> => {
    const made = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'berth probe' })
    made.on('error', () => drop(made))
    client = made
    await made.connect()
    return made
  }
  const ask = async () => {
    const at = client ?? (await connect())
    await at.query('select 1')
  }
  return {
    answers: async (): Promise<string | null> => {
      try {
        await withTimeout(PROBE_LIMIT_MS, ask())
        return null
      } catch (error) {
        drop(client)
        if (ended) return 'The server is stopping.'
        return `The database does not answer: ${error instanceof Error ? error.message : String(error)}.`
      }
    },
    stop: async () => {
      ended = true
      drop(client)
    },
  }
}

/** A pool with a spare connection is not tested; a full one must release one in time. */
function poolSeat(pool: pg.Pool) {
  let waiting: Promise<boolean> | null = null
  const wait = async () => {
    const seat = pool.connect().then((client) => client.release())
    try {
      await withTimeout(PROBE_LIMIT_MS, seat)
      return true
    } catch {
      // It is released on arrival; there is only one waiter.
      return false
    } finally {
      seat
        .catch(() => {})
        .finally(() => {
          waiting = null
        })
    }
  }
  return {
    isFree: (): Promise<boolean> => {
      if (pool.idleCount > 0 || pool.totalCount < (pool.options.max ?? 0)) return Promise.resolve(true)
      if (waiting) return withTimeout(PROBE_LIMIT_MS, waiting).catch(() => false)
      waiting = wait()
      return waiting
    },
  }
}
