import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { connectDatabase } from '../store/database/database'
import { type PeriodicTask, startPeriodicTask } from './periodic-task'

const database = onFreshDatabase(connectDatabase)

const NEVER_MS = 3_600_000 // only the first round runs, immediately

interface DeferredPromise {
  readonly done: Promise<void>
  keep(): void
}

function promised(): DeferredPromise {
  let keep = () => {}
  const done = new Promise<void>((resolve) => {
    keep = resolve
  })
  return { done, keep: () => keep() }
}

const owned = (owner: string) => ({
  ...{ database, owner, patienceMs: 10 },
  onError: (what: string, error: unknown) => {
    throw new Error(what, { cause: error })
  },
})

describe('stopping a task', () => {
  test('waits for no endless round, and hands its lease to the next server', async () => {
    const [begun, other, end] = [promised(), promised(), promised()]
    const endless = async () => {
      begun.keep()
      await end.done
    }
    const task = startPeriodicTask(owned('a'), { name: 'endless', everyMs: NEVER_MS, round: endless })
    await begun.done
    await task.stop()
    const next = startPeriodicTask(owned('b'), { name: 'endless', everyMs: NEVER_MS, round: async () => other.keep() })
    await other.done
    await next.stop()
    end.keep()
  })

  test('reports no error of a round that failed because of the shutdown', async () => {
    const [begun, end] = [promised(), promised()]
    const errors: string[] = []
    const failing = async () => {
      begun.keep()
      await end.done
      throw new Error('the database is closed')
    }
    const parts = { ...owned('a'), onError: (what: string) => void errors.push(what) }
    const task = startPeriodicTask(parts, { name: 'failing', everyMs: NEVER_MS, round: failing })
    await begun.done
    await task.stop()
    end.keep()
    await new Promise((resolve) => setImmediate(resolve))
    expect(errors).toEqual([])
  })
})

describe('a periodic task', () => {
  const lease = async (name: string) => {
    const { rows } = await database.pool.query('select * from lease where name = $1', [name])
    return rows[0]
  }
  /** A server that took the task and was killed at once, with its row as given. */
  const heldByTheDead = (name: string, until: string, beganAt = 'clock_timestamp()') =>
    database.pool.query(
      `insert into lease (name, owner, until, every_ms, began_at) values ($1, 'dead', ${until}, 500, ${beganAt})`,
      [name],
    )
  const firstRound = async (task: Omit<PeriodicTask, 'round'>) => {
    const begun = promised()
    const running = startPeriodicTask(owned('b'), { ...task, round: async () => begun.keep() })
    const began = performance.now()
    await begun.done
    await running.stop()
    return performance.now() - began
  }

  test('of a killed server continues elsewhere when its lease ends', async () => {
    await heldByTheDead('dead', "clock_timestamp() + interval '1 second'")
    expect(await firstRound({ name: 'dead', everyMs: 500 })).toBeLessThan(10_000)
    expect(await lease('dead')).toMatchObject({ owner: 'b', fence: '2' })
  })

  const ahead = ["clock_timestamp() + interval '1 hour'", "clock_timestamp() + interval '62 seconds'"]
  test.each(ahead)('ignores a lease that ends at %s, because no lease is that long', async (until) => {
    const name = `ahead ${until}`
    await heldByTheDead(name, until)
    expect(await firstRound({ name, everyMs: NEVER_MS })).toBeLessThan(5_000)
  })

  test('is due even if its last round began in the future', async () => {
    await heldByTheDead('future', "'epoch'", "clock_timestamp() + interval '1 day'")
    const begun = promised()
    const rounds: string[] = []
    const task = { name: 'future', everyMs: 100, round: async () => void (rounds.push('one') > 1 && begun.keep()) }
    const running = startPeriodicTask(owned('b'), task)
    await begun.done
    await running.stop()
  })

  test('runs on one server at a time, for as long as that server lives', async () => {
    const rounds: string[] = []
    const enough = promised()
    const by = (owner: string) =>
      startPeriodicTask(owned(owner), {
        ...{ name: 'shared', everyMs: 100 },
        round: async () => void (rounds.push(owner) >= 10 && enough.keep()),
      })
    const both = [by('a'), by('b')]
    await enough.done
    await Promise.all(both.map((each) => each.stop()))
    expect(new Set(rounds.slice(0, 10)).size).toBe(1)
  })

  test('aborts a round that hangs, reports it, and starts again', async () => {
    const again = promised()
    const [errors, signals]: [string[], AbortSignal[]] = [[], []]
    const round = async (signal: AbortSignal) => {
      signals.push(signal)
      if (signals.length > 1) return again.keep()
      await new Promise(() => {})
    }
    const parts = { ...owned('a'), roundLimitMs: 200, onError: (what: string) => void errors.push(what) }
    const running = startPeriodicTask(parts, { name: 'hanging', everyMs: 100, round })
    await again.done
    await running.stop()
    expect(signals[0]?.aborted).toBe(true)
    expect(errors).toEqual(['the hanging task failed; it is retried'])
  })

  test('records when its last round began and ended, and what failed', async () => {
    const fails = { now: true }
    const ended = async (test: (row: Record<string, unknown>) => boolean) =>
      expect.poll(async () => test((await lease('recording')) ?? {})).toBe(true)
    const parts = { ...owned('a'), onError: () => {} }
    const round = async () => {
      if (fails.now) throw new Error('the host did not answer')
    }
    const running = startPeriodicTask(parts, { name: 'recording', everyMs: 100, round })
    await ended(
      ({ failed_at, ended_at, error }) => failed_at !== null && !ended_at && error === 'the host did not answer',
    )
    fails.now = false
    await ended(({ failed_at, ended_at, error }) => failed_at === null && ended_at !== null && error === null)
    await running.stop()
  })
})
