import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { openTestBooks, type TestBooks } from '../testing/books'
import { type ClockSource, type Dial, databaseTime, makeDial, openDatabaseClock } from './database-clock'

let books: TestBooks
beforeAll(async () => {
  books = openTestBooks(await freshDatabase())
})
afterAll(() => books.drop())

const HOUR_MS = 3_600_000

describe('the database’s time, as a process with a wrong clock knows it', () => {
  const cases: readonly (readonly [name: string, source: ClockSource, offsetMs: number])[] = [
    ['an hour ahead', { monotonic: () => performance.now(), wall: () => Date.now() + HOUR_MS }, HOUR_MS],
    ['an hour behind', { monotonic: () => performance.now(), wall: () => Date.now() - HOUR_MS }, -HOUR_MS],
    ['drifting by a tenth', { monotonic: () => performance.now() * 1.1, wall: () => Date.now() }, 0],
    ['a year behind', { monotonic: () => performance.now(), wall: () => Date.now() - 8766 * HOUR_MS }, -8766 * HOUR_MS],
    ['right', { monotonic: () => performance.now(), wall: () => Date.now() }, 0],
  ]
  test.each(cases)('is right when the machine is %s', async (_, source, offsetMs) => {
    const clock = await openDatabaseClock(books.database, { source, onFailure: () => {}, onOffset: () => {} })
    const [before, now, after] = [await databaseTime(books.database), clock.now(), await databaseTime(books.database)]
    clock.stop()
    expect(now).toBeGreaterThan(before - 500)
    expect(now).toBeLessThan(after + 500)
    expect(Math.abs(clock.offsetMs() - offsetMs)).toBeLessThan(1_500)
  })

  test('is told as wrong once, and once as right again', async () => {
    let wrongMs = 0
    const told: number[] = []
    const source = { monotonic: () => performance.now(), wall: () => Date.now() + wrongMs }
    const clock = await openDatabaseClock(books.database, {
      source,
      onFailure: () => {},
      onOffset: (ms) => told.push(Math.abs(ms) < 5_000 ? 0 : 10),
    })
    for (const ms of [0, 10_000, 10_000, -10_000, 0, 0]) {
      wrongMs = ms
      await clock.measure()
    }
    clock.stop()
    expect(told).toEqual([10, 0])
  })
})

// A true clock, a monotonic one that runs up to a tenth too fast or slow, and answers that take their time.
const step = fc.record({
  waitMs: fc.integer({ min: 0, max: 5_000 }),
  outMs: fc.integer({ min: 0, max: 400 }),
  backMs: fc.integer({ min: 0, max: 400 }),
  wallMs: fc.integer({ min: -2 * HOUR_MS, max: 2 * HOUR_MS }),
})

interface Course {
  readonly rate: number
  readonly steps: readonly { waitMs: number; outMs: number; backMs: number; wallMs: number }[]
}

function run({ rate, steps }: Course, look: (dial: Dial, trueTime: number, slackMs: number) => void): void {
  const START = 1_800_000_000_000
  let passed = 0
  const monotonic = () => passed * rate
  const dial = makeDial({ monotonic })
  steps.forEach(({ waitMs, outMs, backMs, wallMs }, n) => {
    passed += waitMs
    if (n > 0) look(dial, START + passed, 500 + 800)
    const sentAt = monotonic()
    passed += outMs
    const at = START + passed
    passed += backMs
    dial.set({ sentAt, heardAt: monotonic(), wall: START + passed + wallMs, at })
    look(dial, START + passed, 800)
  })
}

const course = fc.record({
  rate: fc.double({ min: 0.9, max: 1.1, noNaN: true }),
  steps: fc.array(step, { minLength: 1, maxLength: 20 }),
})

test('the dial is never further off than drift and the slowest answer explain, and never goes back', () => {
  fc.assert(
    fc.property(course, (each) => {
      let last = 0
      run(each, (dial, trueTime, slackMs) => {
        const now = dial.now()
        expect(Math.abs(now - trueTime)).toBeLessThanOrEqual(slackMs + 100)
        expect(now).toBeGreaterThanOrEqual(last)
        last = now
      })
    }),
  )
})

test('a clock is called wrong by no more than it is, and by all that the answer’s time leaves certain', () => {
  fc.assert(
    fc.property(step, ({ outMs, backMs, wallMs }) => {
      const dial = makeDial({ monotonic: () => 0 })
      dial.set({ sentAt: 0, heardAt: outMs + backMs, wall: 1e12 + backMs + wallMs, at: 1e12 })
      const told = dial.offsetMs()
      expect(Math.abs(told)).toBeLessThanOrEqual(Math.abs(wallMs))
      expect(Math.abs(told - wallMs)).toBeLessThanOrEqual(outMs + backMs)
    }),
  )
})

test('a database whose clock was set back by an hour is followed, and one that wavers is not', () => {
  let mono = 0
  const dial = makeDial({ monotonic: () => mono })
  const set = (at: number) => dial.set({ sentAt: mono, heardAt: mono, wall: at, at })
  set(10 * HOUR_MS)
  expect(dial.now()).toBe(10 * HOUR_MS)
  mono += 1_000
  set(10 * HOUR_MS - 3_000)
  expect(dial.now()).toBe(10 * HOUR_MS)
  mono += 4_000
  expect(dial.now()).toBe(10 * HOUR_MS + 1_000)
  set(9 * HOUR_MS)
  expect(dial.now()).toBe(9 * HOUR_MS)
})
