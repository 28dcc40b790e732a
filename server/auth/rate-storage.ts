import type { Database } from '../store/database/database'
import { forgetAttemptsBefore } from '../store/user/attempts'
import type { Attempts } from './attempt-gate'

// better-auth counts in interactive transactions, and a flood of sign-ins then waits for connections until all fail.
// This counts in one statement.

const FORGET_EVERY_MS = 60_000
/** Longer than any window. */
const KEPT_MS = 15 * 60_000

interface Rule {
  /** Seconds. */
  readonly window: number
  readonly max: number
}

export function rateStorage(database: Database, attempts: Attempts) {
  let forgotAt = 0
  return {
    consume: async (key: string, { window, max }: Rule) => {
      const now = Date.now()
      if (now - forgotAt > FORGET_EVERY_MS) {
        forgotAt = now
        await forgetAttemptsBefore(database, now - KEPT_MS)
      }
      const waitMs = await attempts.count(`route|${key}`, { max, windowMs: window * 1_000, now })
      return { allowed: waitMs === null, retryAfter: waitMs === null ? null : Math.ceil(waitMs / 1_000) }
    },
  }
}
