import type { ExpectedTask, HealthCheck, HealthFacts, HealthLimits } from '../../engine/health/checks'
import { healthChecks } from '../../engine/health/checks'
import type { HostId } from '../../engine/words/ids'
import type { Database } from '../../store/database/database'
import { readHealth } from '../../store/health/read'
import { CLOCK_LIMIT_MS } from '../../store/time/database-clock'
import { ROUND_LIMIT_MS, type RunningTask } from '../periodic-task'

// Every server monitors the relay, the periodic tasks, the audit, the survey and the clocks. The watch reads the
// tables, so all servers report the same, and it does not depend on what it monitors. See
// docs/decisions/0031-due-work-is-in-the-tables.md.

export interface HealthNow {
  readonly facts: HealthFacts
  readonly checks: readonly HealthCheck[]
}

export interface HealthWatch {
  /** Read now, or a short time ago for another caller. */
  read(): Promise<HealthNow>
  /** The last result; null before the first check. Reads nothing. */
  last(): HealthNow | null
  stop(): Promise<void>
}

export interface HealthWatchParts {
  readonly database: Database
  readonly owner: string
  readonly tasks: readonly RunningTask[]
  readonly surveyEveryMs: number
  /** Given by tests. */
  readonly everyMs?: number
  /** Queries hosts that the survey skips. */
  survey(hosts: readonly HostId[]): Promise<unknown>
  /** Called when a check begins to fail, or passes again. */
  onChange(check: HealthCheck): void
  onError(what: string, error: unknown): void
}

export const HEALTH_LIMITS: HealthLimits = {
  outboxMs: 10_000, // a relay polls twice a second
  clockMs: CLOCK_LIMIT_MS,
  roundMs: ROUND_LIMIT_MS,
  graceMs: 5_000,
}

const WATCH_INTERVAL_MS = 5_000
const SHARED_MS = 1_000 // callers within this time get the same answer

export function startHealthWatch(parts: HealthWatchParts): HealthWatch {
  const { database, tasks, surveyEveryMs } = parts
  const read = sharedFor(SHARED_MS, async () => {
    const facts = await readHealth(database, { surveyEveryMs })
    return { facts, checks: healthChecks(facts, { expected: tasks, limits: HEALTH_LIMITS }) }
  })
  let last: HealthNow | null = null
  let working: Promise<void> | null = null
  const repair = makeRepair(parts)
  const poll = async () => {
    const now = await read()
    tellChanges(last, now, parts.onChange)
    last = now
    await repair(now)
  }
  const timer = setInterval(() => {
    working ??= poll()
      .catch((error: unknown) => parts.onError('checking the periodic tasks', error))
      .finally(() => {
        working = null
      })
  }, parts.everyMs ?? WATCH_INTERVAL_MS)
  return {
    read,
    last: () => last,
    stop: async () => {
      clearInterval(timer)
      await working
    },
  }
}

function tellChanges(before: HealthNow | null, now: HealthNow, tell: (check: HealthCheck) => void): void {
  for (const check of now.checks) {
    const was = before?.checks.find(({ name }) => name === check.name)
    if (check.ok !== (was?.ok ?? true)) tell(check)
  }
}

/** Restarts parts that the next batch or lease would not repair. */
function makeRepair({ tasks, owner, survey }: HealthWatchParts): (now: HealthNow) => Promise<void> {
  return async ({ facts, checks }) => {
    const failing = new Set(checks.flatMap(({ name, ok }) => (ok ? [] : [name])))
    if (failing.has('tasks')) for (const task of tasks) if (isStalled(task, facts)) task.wake()
    if (failing.has('audit')) tasks.find(({ name }) => name === 'audit')?.wake()
    // Only the server that runs the survey does so.
    const surveys = facts.tasks.some(({ name, owner: by }) => name === 'survey' && by === owner)
    if (failing.has('survey') && surveys) await survey(facts.survey.hosts.map(({ id }) => id as HostId))
  }
}

function isStalled({ name, everyMs }: ExpectedTask, { tasks }: HealthFacts): boolean {
  const task = tasks.find((each) => each.name === name)
  return task?.begunMs == null || task.begunMs > 2 * everyMs || task.begunMs < 0
}

function sharedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: { readonly at: number; readonly answer: Promise<T> } | null = null
  return () => {
    if (asked === null || performance.now() - asked.at > ms) {
      const answer = ask()
      const mine = { at: performance.now(), answer }
      asked = mine
      // A failed read must not be cached.
      answer.catch(() => {
        if (asked === mine) asked = null
      })
    }
    return asked.answer
  }
}
