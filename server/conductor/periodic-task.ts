import type { Database } from '../store/database/database'
import { releaseLease } from '../store/migration/lease'
import { endRound, takeTask } from '../store/task/lease'
import { within } from '../store/time/within'

// Work that comes again and again and that one server at a time does: the survey, the standing audit, drains, waves.
// The database says who has a task and whether a round is due, so no server's clock decides it. A server that has a task
// keeps its lease while it lives, however long a round takes; the lease of one that died runs out by itself.

export interface PeriodicTask {
  readonly name: string
  readonly everyMs: number
  /** One round. A round that fails is logged, and the next one comes all the same. One that takes long obeys `stopping`. */
  round(stopping: AbortSignal): Promise<unknown>
}

export interface PeriodicTaskParts {
  readonly database: Database
  readonly owner: string
  /** How long a stop waits for the round under way, in ms; given by tests. */
  readonly patienceMs?: number
  /** Longest time of one round, in ms; given by tests. */
  readonly roundLimitMs?: number
  onError(what: string, error: unknown): void
}

export interface RunningTask {
  readonly name: string
  readonly everyMs: number
  /** A round at once, when this server has the task. Rounds never overlap; one asked for meanwhile follows. */
  wake(): void
  /** Waits a moment for the round under way. A round may be killed at any time, so a longer one is left to itself. */
  stop(): Promise<void>
}

const LEASE_ROUNDS = 2 // a server that died leaves its task to another after so many missed rounds at the most
const LEASE_MS = { least: 2_000, most: 30_000 }

// A survey of silent hosts takes minutes, and so does a drain that shuts guests off; tasks stop one after the other,
// and the whole process has twenty seconds.
const PATIENCE_MS = 2_000
export const ROUND_LIMIT_MS = 15 * 60_000 // a round that takes longer hangs: it is given up, and the next one begins
const RETRY_MS = 1_000 // after the database failed
const LEAST_MS = 20 // between two questions whether a task is free

export function startPeriodicTask(parts: PeriodicTaskParts, task: PeriodicTask): RunningTask {
  const { name, everyMs } = task
  const { patienceMs = PATIENCE_MS } = parts
  const course = makeCourse(parts, task)
  course.wake()
  return {
    ...{ name, everyMs, wake: course.wake },
    stop: async () => {
      const working = course.end()
      await within(patienceMs, working).catch(() => {})
      await releaseLease(parts.database, name, parts.owner).catch(() => {})
    },
  }
}

interface Course {
  wake(): void
  /** No further round; resolves when the one under way has ended. */
  end(): Promise<unknown>
}

function makeCourse(parts: PeriodicTaskParts, task: PeriodicTask): Course {
  const { name, everyMs } = task
  const { database, owner, onError } = parts
  const leaseMs = Math.min(Math.max(LEASE_ROUNDS * everyMs, LEASE_MS.least), LEASE_MS.most)
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let force = true // the first round of a server comes at once
  let dueAt = 0 // by the monotonic clock
  let working: Promise<unknown> | null = null
  let asking: Promise<void> | null = null

  const later = (ms: number) => {
    clearTimeout(timer)
    if (!stopping.signal.aborted) timer = setTimeout(ask, Math.min(Math.max(ms, LEAST_MS), leaseMs / 2))
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
    const turn = await takeTask(database, { name, owner, everyMs, leaseMs, force: forced, busy })
    if (stopping.signal.aborted) return
    if (turn.is === 'taken') return later(turn.freeInMs)
    dueAt = performance.now() + turn.dueInMs
    if (turn.begin && working === null) begin(turn.fence)
    later(working === null ? turn.dueInMs : leaseMs)
  }
  const ask = () => {
    if (stopping.signal.aborted) return
    asking ??= once()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(`the ${name} could not be taken; it is tried again`, error)
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

/** Null when it ended well, else what went wrong. */
async function roundOf(
  parts: PeriodicTaskParts,
  { name, round }: PeriodicTask,
  stopping: AbortSignal,
): Promise<string | null> {
  const { onError, roundLimitMs = ROUND_LIMIT_MS } = parts
  const own = new AbortController()
  try {
    await within(roundLimitMs, round(AbortSignal.any([own.signal, stopping])))
    return null
  } catch (error) {
    own.abort()
    // Once stopped, the database goes away beneath a round, and that is no failure of it.
    if (!stopping.aborted) onError(`the ${name} failed; it comes again`, error)
    return error instanceof Error ? error.message : String(error)
  }
}
