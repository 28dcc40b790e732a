import type { Database } from '../store/database/database'
import { type AttemptLimit, countAttempt, forgetAttempts } from '../store/user/attempts'

// Limits the load on the attempt counts in the database. In a flood at one key, every connection would hold a statement
// that waits for the same row, and an owner who signs in from elsewhere would wait behind them. Attempts at one key
// therefore run one at a time, and a key that is over its limit is not queried again before its wait has ended.

export interface Attempts {
  /** As `countAttempt`. */
  count(key: string, limit: AttemptLimit): Promise<number | null>
  forget(key: string): Promise<void>
}

/** Upper bound: an attacker can make up any number of keys. */
const MAX_KEYS = 10_000

export function limitedAttempts(database: Database, count = countAttempt): Attempts {
  const shutUntil = new Map<string, number>()
  const last = new Map<string, Promise<unknown>>()
  const waitFor = (key: string, now: number): number | null => {
    const until = shutUntil.get(key)
    if (until === undefined) return null
    if (until > now) return until - now
    shutUntil.delete(key)
    return null
  }
  const shut = (key: string, until: number) => {
    if (shutUntil.size >= MAX_KEYS) shutUntil.clear() // the database still has them
    shutUntil.set(key, until)
  }
  return {
    count: (key, limit) => {
      const attempt = async () => {
        const now = limit.now ?? performance.now()
        const known = waitFor(key, now)
        if (known !== null) return known
        const waitMs = await count(database, key, limit)
        if (waitMs !== null) shut(key, now + waitMs)
        return waitMs
      }
      const mine = (last.get(key) ?? Promise.resolve()).then(attempt, attempt)
      last.set(key, mine)
      const settle = () => {
        if (last.get(key) === mine) last.delete(key)
      }
      mine.then(settle, settle)
      return mine
    },
    forget: async (key) => {
      shutUntil.delete(key)
      await forgetAttempts(database, key)
    },
  }
}
