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
  /** The first time after now at which one falls due; null when none will by itself. */
  nextDue(): Promise<number | null>
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
  /** Looks at once: a wish was stated, or a truth about a host. */
  wake(): void
  /** Carries what is due now until nothing is: for tests, which turn the clock themselves. */
  settle(): Promise<void>
  /** Takes on nothing more and waits for the turns under way. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 1_000 // how late a change that nobody woke us for may be seen

export function makeLoop(options: LoopOptions): Loop {
  const roster = makeRoster()
  const bell = makeBell(options.clock)
  let stopping = false
  let looping: Promise<void> = Promise.resolve()

  const loop = async () => {
    while (!stopping) {
      bell.hush()
      try {
        await begin(options, roster, bell.ring)
        await bell.sleepUntil(() => firstTime(options, roster))
      } catch (error) {
        options.onError('looking for what is due', error)
        await bell.sleepUntil(async () => options.clock.now() + LOOK_EVERY_MS)
      }
    }
  }

  return {
    start: () => {
      looping = loop()
    },
    wake: () => {
      roster.rouse()
      bell.ring()
    },
    settle: async () => {
      roster.rouse()
      while (!stopping && (await begin(options, roster, () => {})) > 0) await roster.allDone()
    },
    stop: async () => {
      stopping = true
      bell.ring()
      await looping
      await roster.allDone()
    },
  }
}

interface Bell {
  ring(): void
  /** Forgets what rang before. */
  hush(): void
  /** Until then or until it rings; not at all when it has rung since it was hushed. */
  sleepUntil(when: () => Promise<number>): Promise<void>
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
      const until = rung ? 0 : await when()
      if (rung) return
      sleeping = clock.sleep(until - clock.now())
      await sleeping.done
      sleeping = null
    },
  }
}

/** Starts as many due turns as there is room for; answers how many. */
async function begin(options: LoopOptions, roster: Roster, ended: () => void): Promise<number> {
  let begun = 0
  for (const kind of options.carried) {
    const room = options.concurrency - roster.running()
    if (room <= 0) break
    const now = options.clock.now()
    // Those under way, and those that rest after a failure, still look due in the tables and are first in line there:
    // unless as many more are asked for, some that fail for ever would keep all others from their turn.
    const ids = await kind.due(room + roster.running() + roster.resting(now))
    const free = ids.filter((id) => roster.isFree(keyOf(kind, id), now)).slice(0, room)
    for (const id of free) {
      const key = keyOf(kind, id)
      const work = carry({ kind, id, options, roster }).then(() => {
        roster.end(key)
        ended()
      })
      roster.begin(key, work)
    }
    begun += free.length
  }
  return begun
}

const keyOf = (kind: Carried, id: string) => `${kind.kind} ${id}`

interface Carrying {
  readonly kind: Carried
  readonly id: string
  readonly options: LoopOptions
  readonly roster: Roster
}

/** Never throws: what fails is told and tried again, later each time. */
async function carry({ kind, id, options, roster }: Carrying): Promise<void> {
  const key = keyOf(kind, id)
  try {
    const { nextAt } = await kind.turn(id)
    const now = options.clock.now()
    // Perhaps still due by the tables although its turn came to nothing: somebody else's, or nothing new yet.
    if (nextAt === null || nextAt <= now + 1) roster.idled(key, now)
    else if (kind.timedByTables) roster.gotOn(key)
    else roster.rest(key, nextAt)
  } catch (error) {
    roster.failed(key, options.clock.now())
    options.onError(key, error)
  }
}

async function firstTime({ carried, clock }: LoopOptions, roster: Roster): Promise<number> {
  const times = await Promise.all(carried.map((kind) => kind.nextDue()))
  const now = clock.now()
  const all = [...times, roster.nextAt(now), now + LOOK_EVERY_MS]
  return Math.min(...all.filter((time) => time !== null))
}
