import type { Database } from '../store/database'
import { releaseDuty, takeDuty } from '../store/lease'

// Work that comes again and again and that one server at a time does: the survey, the standing audit, drains, waves.

export interface Duty {
  readonly name: string
  readonly everyMs: number
  /** One round. A round that fails is logged, and the next one comes all the same. */
  round(): Promise<unknown>
}

export interface DutyParts {
  readonly database: Database
  readonly owner: string
  onError(what: string, error: unknown): void
}

export interface RunningDuty {
  /** A round at once, when this server has the duty. Rounds never overlap; one asked for meanwhile follows. */
  wake(): void
  stop(): Promise<void>
}

const LEASE_ROUNDS = 2 // a server that died leaves its duty to another after so many missed rounds

export function startDuty({ database, owner, onError }: DutyParts, { name, everyMs, round }: Duty): RunningDuty {
  const lease = { name, owner, ttlMs: Math.max(LEASE_ROUNDS * everyMs, 10_000) }
  let working: Promise<void> | null = null
  let again = false
  let stopped = false

  const once = async () => {
    if ((await takeDuty(database, { ...lease, now: Date.now() })) !== null) await round()
  }
  const work = async () => {
    do {
      again = false
      await once().catch((error) => onError(`the ${name} failed; it comes again`, error))
    } while (again && !stopped)
    working = null
  }
  const wake = () => {
    if (working) again = true
    else if (!stopped) working = work()
  }
  const timer = setInterval(wake, everyMs)
  wake()
  return {
    wake,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await working
      await releaseDuty(database, name, owner).catch(() => {})
    },
  }
}
