// Active items of this server, and those in back-off. Only a cache: losing it in a crash costs a poll, because due
// times and owners are in the tables.

export interface WorkTracker {
  isFree(key: string, now: number): boolean
  running(): number
  /** How many are in back-off now, or were until they were woken. */
  backedOff(now: number): number
  /** The order in which items run that come in this one: new ones and earlier ones in turn, of these the longest unseen first. */
  inTurn(keys: readonly string[]): readonly string[]
  begin(key: string, work: Promise<void>): void
  end(key: string): void
  /** Backs off until then. */
  postpone(key: string, until: number): void
  /** The tick did nothing: backs off, longer each consecutive time. */
  idled(key: string, now: number): void
  /** Backs off longer with every consecutive failure. */
  failed(key: string, now: number): void
  /** Its tick made progress: resets the back-off. */
  resetBackOff(key: string): void
  /** Something changed, so idle items are due for a check; failed ones stay in back-off. */
  wakeIdle(): void
  /** The clock was set back, so every back-off would last longer by that. */
  endBackOffs(): void
  /** When the first back-off ends; null when there is none. */
  nextAt(now: number): number | null
  /** Resolves when all active ticks have ended. */
  allDone(): Promise<void>
}

const IDLE_MS = [250, 500, 1_000, 2_000, 4_000] // a requested action without a wake-up is noticed within the last of these
const FAILED_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

export function makeWorkTracker(): WorkTracker {
  const under = new Map<string, Promise<void>>()
  const resting = new Map<string, BackOff>()
  const pause = (key: string, now: number, cause: 'idle' | 'failed') => {
    const before = resting.get(key)
    const count = before?.cause === cause ? before.count + 1 : 0
    const pauses = cause === 'idle' ? IDLE_MS : FAILED_MS
    const ms = pauses[Math.min(count, pauses.length - 1)] ?? 0
    rest(key, { until: now + ms, since: now, cause, count })
  }
  /** At the end of the map: the first ones were not run for the longest time. */
  const rest = (key: string, backOff: BackOff) => {
    resting.delete(key)
    resting.set(key, backOff)
  }
  return {
    isFree: (key, now) => !under.has(key) && (resting.get(key)?.until ?? 0) <= now,
    running: () => under.size,
    backedOff: (now) => [...resting.values()].filter(({ until }) => until > now || until === WOKEN).length,
    inTurn: (keys) => {
      const asked = new Set(keys)
      const earlier = [...resting.keys()].filter((key) => asked.has(key))
      const fresh = keys.filter((key) => !resting.has(key))
      const longest = Math.max(fresh.length, earlier.length)
      return Array.from({ length: longest }, (_, at) =>
        [fresh[at], earlier[at]].filter((key) => key !== undefined),
      ).flat()
    },
    begin: (key, work) => under.set(key, work),
    end: (key) => under.delete(key),
    postpone: (key, until) => rest(key, { until, since: until, cause: 'postponed', count: 0 }),
    idled: (key, now) => pause(key, now, 'idle'),
    failed: (key, now) => pause(key, now, 'failed'),
    resetBackOff: (key) => resting.delete(key),
    wakeIdle: () => {
      // Not forgotten: those that still wait would otherwise come first each time, and the others never.
      for (const [key, each] of resting)
        if (each.cause !== 'failed') resting.set(key, { ...each, until: WOKEN, count: -1 })
    },
    endBackOffs: () => resting.clear(),
    nextAt: (now) => {
      let next: number | null = null
      for (const [key, { until, since }] of resting) {
        if (until > now) next = Math.min(next ?? until, until)
        else if (Math.max(until, since) < now - FORGET_MS) resting.delete(key)
      }
      return next
    },
    allDone: async () => {
      await Promise.all(under.values())
    },
  }
}

const FORGET_MS = 60_000 // items that backed off so long ago have ended

const WOKEN = Number.NEGATIVE_INFINITY

interface BackOff {
  readonly until: number
  /** When it was run last, or later. */
  readonly since: number
  readonly cause: 'postponed' | 'idle' | 'failed'
  /** Consecutive pauses before this one. */
  readonly count: number
}
