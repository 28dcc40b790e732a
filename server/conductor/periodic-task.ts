import type { Database } from '../store/database/database'
import { releaseLease } from '../store/migration/lease'
import { endRound, takeTask } from '../store/task/lease'
import { withTimeout } from '../store/time/with-timeout'

// Periodic work that one server at a time does: the survey, the periodic audit, drains, rollouts. The database decides
// who has a task and whether a round is due, so no server's clock does. The owner renews its lease while it lives,
// however long a round takes; a dead server's lease expires.

export interface PeriodicTask {
  readonly name: string
  readonly everyMs: number
  /** One round. A failed round is logged, and the next one runs all the same. A long one obeys `stopping`. */
  round(stopping: AbortSignal): Promise<unknown>
}

export interface PeriodicTaskParts {
  readonly database: Database
  readonly owner: string
  /** How long a stop waits for the active round, in ms; set by tests. */
  readonly patienceMs?: number
  /** Longest time of one round, in ms; given by tests. */
  readonly roundLimitMs?: number
  onError(what: string, error: unknown): void
}

export interface RunningTask {
  readonly name: string
  readonly everyMs: number
  /** Starts a round now, when this server has the task. Rounds never overlap; one requested meanwhile follows. */
  wake(): void
  /** Waits briefly for the active round. A round may be killed at any time, so a longer one is abandoned. */
  stop(): Promise<void>
}

const LEASE_ROUNDS = 2 // missed rounds, at most, until another server takes over a dead server's task
const LEASE_MS = { least: 2_000, most: 30_000 }

// A survey of silent hosts takes minutes, and so does a drain that shuts instances off; tasks stop in sequence, and the
// whole process has twenty seconds.
const PATIENCE_MS = 2_000
export const ROUND_LIMIT_MS = 15 * 60_000 // a longer round hangs: it is abandoned, and the next one begins
const RETRY_MS = 1_000 // after the database failed
const MIN_DELAY_MS = 20 // between two checks whether a task is free

export function startPeriodicTask(parts: PeriodicTaskParts, task: PeriodicTask): RunningTask {
  const { name, everyMs } = task
  const { patienceMs = PATIENCE_MS } = parts
  const course = makeCourse(parts, task)
  course.wake()
  return {
    ...{ name, everyMs, wake: course.wake },
    stop: async () => {
      const working = course.end()
      await withTimeout(patienceMs, working).catch(() => {})
      await releaseLease(parts.database, name, parts.owner).catch(() => {})
    },
  }
}

interface RoundLoop {
  wake(): void
  /** No further round; resolves when the one under way has ended. */
  end(): Promise<unknown>
}

function makeCourse(parts: PeriodicTaskParts, task: PeriodicTask): RoundLoop {
  const { name, everyMs } = task
  const { database, owner, onError } = parts
  const leaseMs = Math.min(Math.max(LEASE_ROUNDS * everyMs, LEASE_MS.least), LEASE_MS.most)
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let force = true // a server's first round starts immediately
  let dueAt = 0 // by the monotonic clock
  let working: Promise<unknown> | null = null
  let asking: Promise<void> | null = null

  const later = (ms: number) => {
    clearTimeout(timer)
    if (!stopping.signal.aborted) timer = setTimeout(ask, Math.min(Math.max(ms, MIN_DELAY_MS), leaseMs / 2))
  }
  const begin = (fence: number) => {
    working = roundOf(parts, task, stopping.signal)
      .then((error) => endRound(database, { name, fence, error }))
      .catch(() => {})
      .finally(() => {
        working = null
        if (force) ask()
        else later(dueAt - performance.now())
      })
  }
  const once = async () => {
    const [busy, forced] = [working !== null, force && working === null]
    if (forced) force = false
    const round = await takeTask(database, { name, owner, everyMs, leaseMs, force: forced, busy })
    if (stopping.signal.aborted) return
    if (round.is === 'taken') return later(round.freeInMs)
    dueAt = performance.now() + round.dueInMs
    if (round.begin && working === null) begin(round.fence)
    later(working === null ? round.dueInMs : leaseMs)
  }
  const ask = () => {
    if (stopping.signal.aborted) return
    asking ??= once()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(`the ${name} task could not be acquired; this is retried`, error)
        later(RETRY_MS)
      })
      .finally(() => {
        asking = null
        if (force && working === null) ask()
      })
  }
  return {
    wake: () => {
      force = true
      if (working === null) ask()
    },
    end: async () => {
      stopping.abort()
      clearTimeout(timer)
      await asking
      await working
    },
  }
}

/** Null on success, else what went wrong. */
async function roundOf(
  parts: PeriodicTaskParts,
  { name, round }: PeriodicTask,
  stopping: AbortSignal,
): Promise<string | null> {
  const { onError, roundLimitMs = ROUND_LIMIT_MS } = parts
  const own = new AbortController()
  try {
    await withTimeout(roundLimitMs, round(AbortSignal.any([own.signal, stopping])))
    return null
  } catch (error) {
    own.abort()
    // After a stop, the database may close during a round, which is not a failure of the round.
    if (!stopping.aborted) onError(`the ${name} task failed; it is retried`, error)
    return error instanceof Error ? error.message : String(error)
  }
}
