// What this server has in hand, and what it leaves alone for a while. Only a convenience: lost in a crash, it costs a
// look, because what is due and who carries it is in the tables.

export interface Roster {
  isFree(key: string, now: number): boolean
  running(): number
  /** How many are left alone now. */
  resting(now: number): number
  begin(key: string, work: Promise<void>): void
  end(key: string): void
  /** Leaves it alone until then. */
  rest(key: string, until: number): void
  /** Its turn came to nothing: leaves it alone for a while, longer each time in a row. */
  idled(key: string, now: number): void
  /** Leaves it alone for longer with every failure in a row. */
  failed(key: string, now: number): void
  /** Its turn got on: no pause is owed. */
  gotOn(key: string): void
  /** Something changed, so what rests may be worth a look; what failed still rests. */
  rouse(): void
  /** When the first one that rests may be looked at again; null when none rests. */
  nextAt(now: number): number | null
  /** All that is under way, done. */
  allDone(): Promise<void>
}

const IDLE_MS = [250, 500, 1_000, 2_000, 4_000] // a requested action that nobody woke us for is heard within the last of these
const FAILED_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000]

export function makeRoster(): Roster {
  const under = new Map<string, Promise<void>>()
  const resting = new Map<string, Resting>()
  const pause = (key: string, now: number, why: 'idle' | 'failed') => {
    const before = resting.get(key)
    const count = before?.why === why ? before.count + 1 : 0
    const pauses = why === 'idle' ? IDLE_MS : FAILED_MS
    const ms = pauses[Math.min(count, pauses.length - 1)] ?? 0
    resting.set(key, { until: now + ms, why, count })
  }
  return {
    isFree: (key, now) => !under.has(key) && (resting.get(key)?.until ?? 0) <= now,
    running: () => under.size,
    resting: (now) => [...resting.values()].filter(({ until }) => until > now).length,
    begin: (key, work) => under.set(key, work),
    end: (key) => under.delete(key),
    rest: (key, until) => resting.set(key, { until, why: 'told', count: 0 }),
    idled: (key, now) => pause(key, now, 'idle'),
    failed: (key, now) => pause(key, now, 'failed'),
    gotOn: (key) => resting.delete(key),
    rouse: () => {
      for (const [key, { why }] of resting) if (why !== 'failed') resting.delete(key)
    },
    nextAt: (now) => {
      let next: number | null = null
      for (const [key, { until }] of resting) {
        if (until > now) next = Math.min(next ?? until, until)
        else if (until < now - FORGET_MS) resting.delete(key)
      }
      return next
    },
    allDone: async () => {
      await Promise.all(under.values())
    },
  }
}

const FORGET_MS = 60_000 // what rested so long ago has ended

interface Resting {
  readonly until: number
  readonly why: 'told' | 'idle' | 'failed'
  /** Pauses in a row before this one. */
  readonly count: number
}
