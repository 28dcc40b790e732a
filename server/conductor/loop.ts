import type { Clock } from './clock'
import type { TickResult } from './effects'
import { makeWorkTracker, type WorkTracker } from './work-tracker'

// Finds due items and runs them, up to a limit, until stopped. Due times are in the tables; no state here has to
// survive. Several servers may run this against one database: leases decide who runs what.

/** One kind of item that ticks: migrations, builds and deletions, leftovers of a host. */
export interface TickSource {
  readonly kind: string
  /** Ids that are due now and that no other server owns, longest due first. */
  due(limit: number): Promise<readonly string[]>
  /** The first due time later than `after`; null when none is scheduled. */
  nextDue(after: number): Promise<number | null>
  tick(id: string): Promise<TickResult>
  /** True when the tables say when the next tick is; otherwise it is kept here. */
  readonly timedByTables: boolean
}

export interface LoopOptions {
  readonly carried: readonly TickSource[]
  readonly clock: Clock
  /** Concurrent ticks. Further ones wait in the tables, not in memory. */
  readonly concurrency: number
  readonly onError: (what: string, error: unknown) => void
}

export interface Loop {
  start(): void
  /** Polls at once: an action was requested, or the status of a host was set. */
  wake(): void
  /** Runs what is due until nothing is: for tests, which set the clock themselves. */
  settle(): Promise<void>
  /** Accepts nothing more and waits for active ticks. */
  stop(): Promise<void>
}

const POLL_INTERVAL_MS = 1_000 // polling interval for changes without a wake-up
const GATHER_MS = 50 // maximum delay of a due item, so that one poll finds many

export function makeLoop(options: LoopOptions): Loop {
  const tracker = makeWorkTracker()
  const bell = makeBell(options.clock)
  const watches = options.carried.map((kind): Watch => ({ kind, isDue: true, nextAt: null, polledAt: 0 }))
  let stopping = false
  let looping: Promise<void> = Promise.resolve()

  const loop = async () => {
    while (!stopping) {
      bell.reset()
      try {
        await begin({ options, tracker, watches, ended: bell.ring })
        const restedAt = tracker.nextAt(options.clock.now())
        await bell.sleepUntil(() => firstTime(options.clock, restedAt, watches))
        const now = options.clock.now()
        rouseDue(now, restedAt, watches)
        // The clock was set back: these times, and those of back-offs, may be an hour ahead.
        if (watches.some(({ polledAt }) => polledAt > now)) {
          tracker.endBackOffs()
          requestAll(watches)
        }
      } catch (error) {
        options.onError('finding due work', error)
        await bell.sleepUntil(() => options.clock.now() + POLL_INTERVAL_MS)
        requestAll(watches)
      }
    }
  }

  return {
    start: () => {
      looping = loop()
    },
    wake: () => {
      tracker.wakeIdle()
      requestAll(watches)
      bell.ring()
    },
    settle: async () => {
      tracker.wakeIdle()
      for (let begun = 1; begun > 0 && !stopping; ) {
        requestAll(watches)
        begun = await begin({ options, tracker, watches, ended: () => {} })
        await tracker.allDone()
      }
    },
    stop: async () => {
      stopping = true
      bell.ring()
      await looping
      await tracker.allDone()
    },
  }
}

/** The cached state of one kind. */
interface Watch {
  readonly kind: TickSource
  /** Something may be due: the last poll left items, its time has come, or a wake-up arrived. */
  isDue: boolean
  /** The next due time, as of the last poll and the ticks since. */
  nextAt: number | null
  polledAt: number
}

function requestAll(watches: readonly Watch[]): void {
  for (const watch of watches) watch.isDue = true
}

const earlier = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b))

interface WakeSignal {
  ring(): void
  /** Discards earlier wake-ups. */
  reset(): void
  /** Sleeps until then or until a wake-up; returns at once if one came since the last reset. */
  sleepUntil(when: () => number): Promise<void>
}

function makeBell(clock: Clock): WakeSignal {
  let rung = false
  let sleeping: ReturnType<Clock['sleep']> | null = null
  return {
    ring: () => {
      rung = true
      sleeping?.wake()
    },
    reset: () => {
      rung = false
    },
    sleepUntil: async (when) => {
      if (rung) return
      const until = when()
      sleeping = clock.sleep(until - clock.now())
      await sleeping.done
      sleeping = null
    },
  }
}

interface LoopState {
  readonly options: LoopOptions
  readonly tracker: WorkTracker
  readonly watches: readonly Watch[]
  ended(): void
}

/** Starts as many due ticks as slots allow; returns the number. */
async function begin({ options, tracker, watches, ended }: LoopState): Promise<number> {
  let begun = 0
  for (const watch of watches.filter(({ isDue }) => isDue)) {
    const { kind } = watch
    const room = options.concurrency - tracker.running()
    if (room <= 0) break
    const now = options.clock.now()
    watch.isDue = false
    watch.polledAt = now
    // Active ones and those in back-off after a failure still come first in the tables' order: the limit is raised by
    // their number, or permanently failing ones would starve the others.
    const limit = room + tracker.running() + tracker.backedOff(now)
    const ids = await kind.due(limit)
    const named = new Map(ids.map((id) => [keyOf(kind, id), id]))
    const free = [...named.keys()].filter((key) => tracker.isFree(key, now))
    for (const key of free.length > room ? tracker.inTurn(free).slice(0, room) : free) {
      const id = named.get(key) ?? ''
      const work = carry({ watch, id, options, tracker }).then(() => {
        tracker.end(key)
        ended()
      })
      tracker.begin(key, work)
    }
    begun += Math.min(free.length, room)
    if (free.length > room || ids.length >= limit) watch.isDue = true
    else watch.nextAt = await kind.nextDue(now)
  }
  return begun
}

const keyOf = (kind: TickSource, id: string) => `${kind.kind} ${id}`

interface TickContext {
  readonly watch: Watch
  readonly id: string
  readonly options: LoopOptions
  readonly tracker: WorkTracker
}

/** Never throws: failures are logged and retried with increasing delay. */
async function carry({ watch, id, options, tracker }: TickContext): Promise<void> {
  const { kind } = watch
  const key = keyOf(kind, id)
  try {
    const { nextAt } = await kind.tick(id)
    const now = options.clock.now()
    // The item may still be due in the tables although its tick did nothing: another owner has it, or nothing changed
    // yet.
    if (nextAt === null || nextAt <= now + 1) tracker.idled(key, now)
    else if (kind.timedByTables) {
      tracker.resetBackOff(key)
      watch.nextAt = earlier(watch.nextAt, nextAt)
    } else tracker.postpone(key, nextAt)
  } catch (error) {
    tracker.failed(key, options.clock.now())
    options.onError(key, error)
  }
}

/** The first due time; items due within a short time are polled together. */
function firstTime(clock: Clock, restedAt: number | null, watches: readonly Watch[]): number {
  const now = clock.now()
  const times = [...watches.map(({ nextAt }) => nextAt), restedAt].filter((time) => time !== null)
  return Math.min(Math.max(Math.min(...times), now + GATHER_MS), now + POLL_INTERVAL_MS)
}

/** After a sleep: the kinds to poll. Periodically all of them, for changes without a wake-up. */
function rouseDue(now: number, restedAt: number | null, watches: readonly Watch[]): void {
  for (const watch of watches) {
    const times = [restedAt, watch.nextAt, watch.polledAt + POLL_INTERVAL_MS]
    if (times.some((time) => time !== null && time <= now)) watch.isDue = true
  }
}
