import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import {
  type ClockSource,
  type CorrectedClock,
  makeCorrectedClock,
  openDatabaseClock,
  readDatabaseTime,
} from './database-clock'

const database = onFreshDatabase(connectDatabase)

const HOUR_MS = 3_600_000

describe('the database clock in a process with a wrong clock', () => {
  const cases: readonly (readonly [name: string, source: ClockSource, offsetMs: number])[] = [
    ['an hour ahead', { monotonic: () => performance.now(), wall: () => Date.now() + HOUR_MS }, HOUR_MS],
    ['an hour behind', { monotonic: () => performance.now(), wall: () => Date.now() - HOUR_MS }, -HOUR_MS],
    ['drifting by a tenth', { monotonic: () => performance.now() * 1.1, wall: () => Date.now() }, 0],
    ['a year behind', { monotonic: () => performance.now(), wall: () => Date.now() - 8766 * HOUR_MS }, -8766 * HOUR_MS],
    ['right', { monotonic: () => performance.now(), wall: () => Date.now() }, 0],
  ]
  test.each(cases)('is right when the machine is %s', async (_, source, offsetMs) => {
    const clock = await openDatabaseClock(database, { source, onFailure: () => {}, onOffset: () => {} })
    const [before, now, after] = [await readDatabaseTime(database), clock.now(), await readDatabaseTime(database)]
    clock.stop()
    expect(now).toBeGreaterThan(before - 500)
    expect(now).toBeLessThan(after + 500)
    expect(Math.abs(clock.offsetMs() - offsetMs)).toBeLessThan(1_500)
  })

  test('reports a wrong clock once, and its correction once', async () => {
    let wrongMs = 0
    const offsets: number[] = []
    const source = { monotonic: () => performance.now(), wall: () => Date.now() + wrongMs }
    const clock = await openDatabaseClock(database, {
      source,
      onFailure: () => {},
      onOffset: (ms) => offsets.push(Math.abs(ms) < 5_000 ? 0 : 10),
    })
    for (const ms of [0, 10_000, 10_000, -10_000, 0, 0]) {
      wrongMs = ms
      await clock.measure()
    }
    clock.stop()
    expect(offsets).toEqual([10, 0])
  })
})

const LONGEST_WAIT_MS = 5_000
const SLOWEST_MS = 400
const DRIFT = 0.1
const WHOLE_MS = 1 // the clock reports whole ms
/** Maximum error after an answer: its round trip, and the drift meanwhile. */
const MEASURED_MS = SLOWEST_MS + DRIFT * 2 * SLOWEST_MS + WHOLE_MS

// A correct clock, a monotonic one that runs up to a tenth too fast or slow, and slow answers.
const step = fc.record({
  waitMs: fc.integer({ min: 0, max: LONGEST_WAIT_MS }),
  outMs: fc.integer({ min: 0, max: SLOWEST_MS }),
  backMs: fc.integer({ min: 0, max: SLOWEST_MS }),
  wallMs: fc.integer({ min: -2 * HOUR_MS, max: 2 * HOUR_MS }),
})

interface ClockScenario {
  readonly rate: number
  readonly steps: readonly { waitMs: number; outMs: number; backMs: number; wallMs: number }[]
}

function run(
  { rate, steps }: ClockScenario,
  check: (clock: CorrectedClock, trueTime: number, after: 'wait' | 'answer') => void,
): void {
  const START = 1_800_000_000_000
  let passed = 0
  const monotonic = () => passed * rate
  const clock = makeCorrectedClock({ monotonic })
  steps.forEach(({ waitMs, outMs, backMs, wallMs }, n) => {
    passed += waitMs
    if (n > 0) check(clock, START + passed, 'wait')
    const sentAt = monotonic()
    passed += outMs
    const at = START + passed
    passed += backMs
    clock.set({ sentAt, receivedAt: monotonic(), wall: START + passed + wallMs, at })
    check(clock, START + passed, 'answer')
  })
}

const course = fc.record({
  rate: fc.double({ min: 1 - DRIFT, max: 1 + DRIFT, noNaN: true }),
  steps: fc.array(step, { minLength: 1, maxLength: 20 }),
})

const at = (waitMs: number, outMs: number, backMs: number) => ({ waitMs, outMs, backMs, wallMs: 0 })
/** The monotonic clock runs fast; a slow answer leaves it ahead, and a fast one then shows by how much. */
const AHEAD_BEFORE_A_FAST_ANSWER: ClockScenario = {
  rate: 1.0926027046806415,
  steps: [at(2146, 85, 176), at(4648, 394, 88), at(4993, 0, 0), at(0, 0, 0)],
}

test('the clock is off by no more than drift and latency explain, and never goes back', () => {
  fc.assert(
    fc.property(course, (each) => {
      let last = 0
      let off = 0
      run(each, (clock, trueTime, after) => {
        const now = clock.now()
        // A clock that is ahead waits instead of going back, so an answer leaves it unchanged, or within its own
        // bounds.
        const most = after === 'wait' ? MEASURED_MS + DRIFT * LONGEST_WAIT_MS : Math.max(MEASURED_MS, off)
        off = Math.abs(now - trueTime)
        expect(off).toBeLessThanOrEqual(most)
        expect(now).toBeGreaterThanOrEqual(last)
        last = now
      })
    }),
    { examples: [[AHEAD_BEFORE_A_FAST_ANSWER]] },
  )
})

test('the reported offset never exceeds the real one, and lacks at most the latency', () => {
  fc.assert(
    fc.property(step, ({ outMs, backMs, wallMs }) => {
      const clock = makeCorrectedClock({ monotonic: () => 0 })
      clock.set({ sentAt: 0, receivedAt: outMs + backMs, wall: 1e12 + backMs + wallMs, at: 1e12 })
      const offset = clock.offsetMs()
      expect(Math.abs(offset)).toBeLessThanOrEqual(Math.abs(wallMs))
      expect(Math.abs(offset - wallMs)).toBeLessThanOrEqual(outMs + backMs)
    }),
  )
})

test('the clock follows a database clock that is set back an hour, and ignores jitter', () => {
  let mono = 0
  const clock = makeCorrectedClock({ monotonic: () => mono })
  const set = (at: number) => clock.set({ sentAt: mono, receivedAt: mono, wall: at, at })
  set(10 * HOUR_MS)
  expect(clock.now()).toBe(10 * HOUR_MS)
  mono += 1_000
  set(10 * HOUR_MS - 3_000)
  expect(clock.now()).toBe(10 * HOUR_MS)
  mono += 4_000
  expect(clock.now()).toBe(10 * HOUR_MS + 1_000)
  set(9 * HOUR_MS)
  expect(clock.now()).toBe(9 * HOUR_MS)
})
