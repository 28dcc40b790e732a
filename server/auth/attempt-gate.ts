import type { Database } from '../store/database/database'
import { type AttemptLimit, countAttempt, forgetAttempts } from '../store/user/attempts'

// In front of the counts in the database. A flood at one key would hold every connection while its statements wait for
// one row, and the owner who signs in from elsewhere would wait behind it. Here the attempts at a key go one after the
// other, and once the database has said until when the key is shut, it is not asked before that.

export interface Attempts {
  /** As `countAttempt`. */
  count(key: string, limit: AttemptLimit & { readonly now: number }): Promise<number | null>
  forget(key: string): Promise<void>
}

/** Keys of addresses that nobody has heard of are made up without end. */
const KEYS_KEPT = 10_000

export function gatedAttempts(database: Database, count = countAttempt): Attempts {
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
    if (shutUntil.size >= KEYS_KEPT) shutUntil.clear() // the database still knows
    shutUntil.set(key, until)
  }
  return {
    count: (key, limit) => {
      const attempt = async () => {
        const known = waitFor(key, limit.now)
        if (known !== null) return known
        const waitMs = await count(database, key, limit)
        if (waitMs !== null) shut(key, limit.now + waitMs)
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
