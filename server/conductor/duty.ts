import type { Database } from '../store/database'
import { releaseDuty, takeDuty } from '../store/lease'
import { within } from './run'

// Work that comes again and again and that one server at a time does: the survey, the standing audit, drains, waves.

export interface Duty {
  readonly name: string
  readonly everyMs: number
  /** One round. A round that fails is logged, and the next one comes all the same. One that takes long heeds `stopping`. */
  round(stopping: AbortSignal): Promise<unknown>
}

export interface DutyParts {
  readonly database: Database
  readonly owner: string
  /** How long a stop waits for the round under way, in ms; given by tests. */
  readonly patienceMs?: number
  onError(what: string, error: unknown): void
}

export interface RunningDuty {
  /** A round at once, when this server has the duty. Rounds never overlap; one asked for meanwhile follows. */
  wake(): void
  /** Waits a moment for the round under way. A round may be killed at any time, so a longer one is left to itself. */
  stop(): Promise<void>
}

const LEASE_ROUNDS = 2 // a server that died leaves its duty to another after so many missed rounds

// A survey of silent hosts takes minutes, and so does a drain that shuts guests off; duties stop one after the other,
// and the whole process has twenty seconds.
const PATIENCE_MS = 2_000

export function startDuty(parts: DutyParts, { name, everyMs, round }: Duty): RunningDuty {
  const { database, owner, patienceMs = PATIENCE_MS, onError } = parts
  const lease = { name, owner, ttlMs: Math.max(LEASE_ROUNDS * everyMs, 10_000) }
  let working: Promise<void> | null = null
  let again = false
  const stopping = new AbortController()

  const once = async () => {
    if ((await takeDuty(database, { ...lease, now: Date.now() })) !== null) await round(stopping.signal)
  }
  const work = async () => {
    do {
      again = false
      await once().catch((error) => {
        // Once stopped, the database goes away beneath a round, and that is no failure of it.
        if (!stopping.signal.aborted) onError(`the ${name} failed; it comes again`, error)
      })
    } while (again && !stopping.signal.aborted)
    working = null
  }
  const wake = () => {
    if (working) again = true
    else if (!stopping.signal.aborted) working = work()
  }
  const timer = setInterval(wake, everyMs)
  wake()
  return {
    wake,
    stop: async () => {
      stopping.abort()
      clearInterval(timer)
      await within(patienceMs, working ?? Promise.resolve()).catch(() => {})
      await releaseDuty(database, name, owner).catch(() => {})
    },
  }
}
