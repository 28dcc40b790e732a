import type { Clock } from './clock'
import type { TurnResult } from './effects'
import { makeRoster, type Roster } from './roster'

// Finds what is due and has it carried, so many at a time, until told to stop. What is due is in the tables; nothing
// here has to survive. Several servers may run this against one database: leases say who carries what.

/** One kind of thing that is carried in turns: migrations, builds and deletions, remains of a host. */
export interface Carried {
  readonly kind: string
  /** Ids that are due now and that nobody else carries, longest due first. */
  due(limit: number): Promise<readonly string[]>
  /** The first time after that at which one falls due; null when none will by itself. */
  nextDue(after: number): Promise<number | null>
  turn(id: string): Promise<TurnResult>
  /** True when the tables say when the next turn is; otherwise it is kept here. */
  readonly timedByTables: boolean
}

export interface LoopOptions {
  readonly carried: readonly Carried[]
  readonly clock: Clock
  /** Turns under way at once. More of them wait in the tables, not in memory. */
  readonly concurrency: number
  readonly onError: (what: string, error: unknown) => void
}

export interface Loop {
  start(): void
  /** Looks at once: an action was requested, or the status of a host was set. */
  wake(): void
  /** Carries what is due now until nothing is: for tests, which turn the clock themselves. */
  settle(): Promise<void>
  /** Takes on nothing more and waits for the turns under way. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 1_000 // how late a change that nobody woke us for may be seen
const GATHER_MS = 50 // how late one that fell due by itself may be seen, so that one look sees many

export function makeLoop(options: LoopOptions): Loop {
  const roster = makeRoster()
  const bell = makeBell(options.clock)
  const watches = options.carried.map((kind): Watch => ({ kind, asks: true, nextAt: null, askedAt: 0 }))
  let stopping = false
  let looping: Promise<void> = Promise.resolve()

  const loop = async () => {
    while (!stopping) {
      bell.hush()
      try {
        await begin({ options, roster, watches, ended: bell.ring })
        const restedAt = roster.nextAt(options.clock.now())
        await bell.sleepUntil(() => firstTime(options.clock, restedAt, watches))
        rouseDue(options.clock.now(), restedAt, watches)
      } catch (error) {
        options.onError('looking for what is due', error)
        await bell.sleepUntil(() => options.clock.now() + LOOK_EVERY_MS)
        askAll(watches)
      }
    }
  }

  return {
    start: () => {
      looping = loop()
    },
    wake: () => {
      roster.rouse()
      askAll(watches)
      bell.ring()
    },
    settle: async () => {
      roster.rouse()
      for (let begun = 1; begun > 0 && !stopping; ) {
        askAll(watches)
        begun = await begin({ options, roster, watches, ended: () => {} })
        await roster.allDone()
      }
    },
    stop: async () => {
      stopping = true
      bell.ring()
      await looping
      await roster.allDone()
    },
  }
}

/** What is known of one kind without asking the tables again. */
interface Watch {
  readonly kind: Carried
  /** Something of it may be due: the last look left some over, its time has come, or somebody said so. */
  asks: boolean
  /** When the next one falls due, as far as the last look and the turns since have told. */
  nextAt: number | null
  askedAt: number
}

function askAll(watches: readonly Watch[]): void {
  for (const watch of watches) watch.asks = true
}

const earlier = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.min(a, b))

interface Bell {
  ring(): void
  /** Forgets what rang before. */
  hush(): void
  /** Until then or until it rings; not at all when it has rung since it was hushed. */
  sleepUntil(when: () => number): Promise<void>
}

function makeBell(clock: Clock): Bell {
  let rung = false
  let sleeping: ReturnType<Clock['sleep']> | null = null
  return {
    ring: () => {
      rung = true
      sleeping?.wake()
    },
    hush: () => {
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

interface Looking {
  readonly options: LoopOptions
  readonly roster: Roster
  readonly watches: readonly Watch[]
  ended(): void
}

/** Starts as many due turns as there is room for; answers how many. */
async function begin({ options, roster, watches, ended }: Looking): Promise<number> {
  let begun = 0
  for (const watch of watches.filter(({ asks }) => asks)) {
    const { kind } = watch
    const room = options.concurrency - roster.running()
    if (room <= 0) break
    const now = options.clock.now()
    watch.asks = false
    watch.askedAt = now
    // Those under way, and those that rest after a failure, still look due in the tables and are first in line there:
    // unless as many more are asked for, some that fail for ever would keep all others from their turn.
    const limit = room + roster.running() + roster.resting(now)
    const ids = await kind.due(limit)
    const free = ids.filter((id) => roster.isFree(keyOf(kind, id), now))
    for (const id of free.slice(0, room)) {
      const key = keyOf(kind, id)
      const work = carry({ watch, id, options, roster }).then(() => {
        roster.end(key)
        ended()
      })
      roster.begin(key, work)
    }
    begun += Math.min(free.length, room)
    if (free.length > room || ids.length >= limit) watch.asks = true
    else watch.nextAt = await kind.nextDue(now)
  }
  return begun
}

const keyOf = (kind: Carried, id: string) => `${kind.kind} ${id}`

interface Carrying {
  readonly watch: Watch
  readonly id: string
  readonly options: LoopOptions
  readonly roster: Roster
}

/** Never throws: what fails is told and tried again, later each time. */
async function carry({ watch, id, options, roster }: Carrying): Promise<void> {
  const { kind } = watch
  const key = keyOf(kind, id)
  try {
    const { nextAt } = await kind.turn(id)
    const now = options.clock.now()
    // Perhaps still due by the tables although its turn came to nothing: somebody else's, or nothing new yet.
    if (nextAt === null || nextAt <= now + 1) roster.idled(key, now)
    else if (kind.timedByTables) {
      roster.gotOn(key)
      watch.nextAt = earlier(watch.nextAt, nextAt)
    } else roster.rest(key, nextAt)
  } catch (error) {
    roster.failed(key, options.clock.now())
    options.onError(key, error)
  }
}

/** The first time at which something has to be looked at; what falls due within a moment is looked at together. */
function firstTime(clock: Clock, restedAt: number | null, watches: readonly Watch[]): number {
  const now = clock.now()
  const times = [...watches.map(({ nextAt }) => nextAt), restedAt].filter((time) => time !== null)
  return Math.min(Math.max(Math.min(...times), now + GATHER_MS), now + LOOK_EVERY_MS)
}

/** After a sleep: which kinds to ask. Once in a while all of them, for what nobody told. */
function rouseDue(now: number, restedAt: number | null, watches: readonly Watch[]): void {
  for (const watch of watches) {
    const times = [restedAt, watch.nextAt, watch.askedAt + LOOK_EVERY_MS]
    if (times.some((time) => time !== null && time <= now)) watch.asks = true
  }
}
