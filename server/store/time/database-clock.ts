import type { Database } from '../database/database'

// The database's time of day as known to this process. It runs on the monotonic clock, which is never set, and is
// corrected by querying the database every few seconds; the machine's clock is only compared with it. See
// docs/decisions/0235-the-databases-clock-decides.md.

/** The clocks of a process. Tests pass wrong ones. */
export interface ClockSource {
  /** Ms since any time; never set, so it neither jumps nor stops. */
  monotonic(): number
  /** Ms since the epoch, by the machine. */
  wall(): number
}

export const MACHINE_CLOCK: ClockSource = { monotonic: () => performance.now(), wall: () => Date.now() }

export interface DatabaseClock {
  /** Ms since the epoch by the database's clock, whole. Does not go back, unless the database's clock itself was set back by more than `LARGEST_HOLD_MS`. */
  now(): number
  /** How far the machine's clock is certainly ahead of the database's; 0 when within the error of the measurement. */
  offsetMs(): number
  measure(): Promise<void>
  stop(): void
}

export interface DatabaseClockOptions {
  readonly source?: ClockSource | undefined
  /** A measurement failed: the time goes on by the monotonic clock. */
  onFailure(error: unknown): void
  /** Called when the machine's clock becomes wrong by more than `CLOCK_LIMIT_MS`, and when it is right again. */
  onOffset(offsetMs: number): void
}

/** A clock with a larger offset counts as wrong. */
export const CLOCK_LIMIT_MS = 2_000
const MEASURE_INTERVAL_MS = 5_000 // a clock that drifts by a tenth is half a second off by then
const LARGEST_HOLD_MS = 10_000 // smaller steps back are waited out; a larger one is the database's clock being set

/** Asks the database first: nothing is ever timed by the machine's clock. */
export async function openDatabaseClock(database: Database, options: DatabaseClockOptions): Promise<DatabaseClock> {
  const source = options.source ?? MACHINE_CLOCK
  const clock = makeCorrectedClock(source)
  let wrong = false
  const measure = async () => {
    const sentAt = source.monotonic()
    const { rows } = await database.pool.query<{ at: number }>({
      name: 'database-time',
      text: `select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
    })
    const [row] = rows
    if (!row) throw new Error('The database did not return the time.')
    clock.set({ sentAt, receivedAt: source.monotonic(), wall: source.wall(), at: row.at })
    if (Math.abs(clock.offsetMs()) > CLOCK_LIMIT_MS === wrong) return
    wrong = !wrong
    options.onOffset(clock.offsetMs())
  }
  await measure()
  const timer = setInterval(() => measure().catch(options.onFailure), MEASURE_INTERVAL_MS).unref()
  return { now: clock.now, offsetMs: clock.offsetMs, measure, stop: () => clearInterval(timer) }
}

/** The database's time, once: for a command that writes and ends. */
export async function readDatabaseTime({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ at: string }>('select ms(clock_timestamp()) as at')
  return Number(rows[0]?.at)
}

export interface Measurement {
  /** By the monotonic clock. */
  readonly sentAt: number
  readonly receivedAt: number
  /** By the machine, when the answer arrived. */
  readonly wall: number
  /** The database's time, at some point between the two. */
  readonly at: number
}

export interface CorrectedClock {
  now(): number
  offsetMs(): number
  set(measured: Measurement): void
}

/**
 * A slow answer bounds the time only loosely, so a measurement moves the clock no further than to the nearest time that
 * it allows: one that took a minute does not spoil the result of a fast one.
 */
export function makeCorrectedClock(source: Pick<ClockSource, 'monotonic'>): CorrectedClock {
  let ahead: number | null = null // of the monotonic clock
  let shown = Number.NEGATIVE_INFINITY
  let offsetMs = 0
  return {
    now: () => {
      const time = Math.floor(source.monotonic() + (ahead ?? 0))
      if (time >= shown || shown - time > LARGEST_HOLD_MS) shown = time
      return shown
    },
    offsetMs: () => offsetMs,
    set: ({ sentAt, receivedAt, wall, at }) => {
      const [least, most] = [at - receivedAt, at - sentAt]
      ahead = ahead === null ? (least + most) / 2 : Math.min(Math.max(ahead, least), most)
      // The machine's clock was read when the answer arrived: the database's time was then between `at` and `at` + the
      // wait.
      const [low, high] = [wall - at - (receivedAt - sentAt), wall - at]
      offsetMs = Math.round(low > 0 ? low : high < 0 ? high : 0)
    },
  }
}
