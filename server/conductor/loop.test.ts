import { describe, expect, test } from 'vitest'
import type { Clock } from './clock'
import type { TickResult } from './effects'
import { makeLoop, type TickSource } from './loop'

interface Hands extends Clock {
  advance(ms: number): void
  /** Changes the time only, as an operator does: sleepers sleep on. */
  set(ms: number): void
}

/** A clock set by the test; sleepers wake when their time comes. */
function hands(): Hands {
  let now = 1_000_000
  let ahead = 0
  const sleepers = new Set<{ at: number; wake: () => void }>()
  return {
    now: () => now + ahead,
    set: (ms) => {
      ahead += ms
    },
    sleep: (ms) => {
      let wake = () => {}
      const done = new Promise<void>((resolve) => {
        const sleeper = { at: now + ms, wake: () => resolve(void sleepers.delete(sleeper)) }
        wake = sleeper.wake
        sleepers.add(sleeper)
      })
      return { done, wake: () => wake() }
    },
    advance: (ms) => {
      now += ms
      for (const sleeper of [...sleepers]) if (sleeper.at <= now) sleeper.wake()
    },
  }
}

type TickOf = (id: string) => Promise<TickResult>

function carrying(due: () => readonly string[], tick: TickOf, timedByTables = true): TickSource {
  return { kind: 'thing', due: async () => due(), nextDue: async () => null, tick, timedByTables }
}

const quiet = async () => new Promise<void>((resolve) => setImmediate(resolve))

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 1_000; round++) {
    if (condition()) return
    await quiet()
  }
  throw new Error('It never came true.')
}

describe('the loop', () => {
  test('runs a limited number of items at once, and the rest after them', async () => {
    const waiting = new Set(['a', 'b', 'c', 'd', 'e'])
    let under = 0
    let most = 0
    const tick: TickOf = async (id) => {
      most = Math.max(most, ++under)
      await quiet()
      under -= 1
      waiting.delete(id)
      return { nextAt: null }
    }
    const clock = hands()
    const loop = makeLoop({ carried: [carrying(() => [...waiting], tick)], clock, concurrency: 2, onError: () => {} })
    loop.start()
    await until(() => waiting.size === 0)
    expect(most).toBe(2)
    await loop.stop()
  })

  test('never runs one item twice at once', async () => {
    let begun = 0
    const tick: TickOf = async () => {
      begun += 1
      return new Promise(() => {})
    }
    const clock = hands()
    const loop = makeLoop({ carried: [carrying(() => ['a'], tick)], clock, concurrency: 4, onError: () => {} })
    loop.start()
    await until(() => begun === 1)
    for (let round = 0; round < 5; round++) {
      loop.wake()
      await quiet()
    }
    expect(begun).toBe(1)
  })

  test('retries a failed item at growing intervals, and reports the error', async () => {
    const times: number[] = []
    const errors: string[] = []
    const clock = hands()
    const tick: TickOf = async () => {
      times.push(clock.now())
      throw new Error('the database is away')
    }
    const onError = (what: string) => errors.push(what)
    const loop = makeLoop({ carried: [carrying(() => ['a'], tick)], clock, concurrency: 4, onError })
    loop.start()
    for (let nth = 0; nth < 40; nth++) {
      await quiet()
      clock.advance(100)
      await quiet()
    }
    await loop.stop()
    const pauses = times.slice(1).map((time, index) => time - times[index]!)
    expect(pauses.length).toBeGreaterThanOrEqual(2)
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
    expect(errors[0]).toBe('thing a')
  })

  test('an item that fails repeatedly does not block the others, even if it is first in line', async () => {
    const waiting = new Set(['bad 1', 'bad 2', 'bad 3', 'good 1', 'good 2'])
    const tick: TickOf = async (id) => {
      if (id.startsWith('bad')) throw new Error('its rows cannot be read')
      waiting.delete(id)
      return { nextAt: null }
    }
    const first = { ...carrying(() => [], tick), due: async (limit: number) => [...waiting].slice(0, limit) }
    const loop = makeLoop({ carried: [first], clock: hands(), concurrency: 2, onError: () => {} })
    loop.start()
    await until(() => waiting.size === 3)
    expect([...waiting]).toEqual(['bad 1', 'bad 2', 'bad 3'])
    await loop.stop()
  })

  test('items that wait, woken all the time, block neither a new one nor the one whose wait is over', async () => {
    const waiting = new Map<string, number>(Array.from({ length: 60 }, (_, n) => [`waits-${n}`, 0]))
    let done = false
    const ids = () => [...waiting.keys(), ...(done ? [] : ['new'])]
    const tick: TickOf = async (id) => {
      if (id === 'new') done = true
      else waiting.set(id, (waiting.get(id) ?? 0) + 1)
      await quiet()
      loop.wake()
      return { nextAt: id === 'new' ? null : clock.now() + 5_000 }
    }
    const clock = hands()
    const source = { ...carrying(ids, tick, false), due: async (limit: number) => ids().slice(0, limit) }
    const loop = makeLoop({ carried: [source], clock, concurrency: 2, onError: () => {} })
    loop.start()
    await until(() => done && [...waiting.values()].every((ticks) => ticks > 0))
    await loop.stop()
  })

  test('runs an item without a time in the tables only at its own time or when woken', async () => {
    let ticks = 0
    const clock = hands()
    const tick: TickOf = async () => {
      ticks += 1
      return { nextAt: clock.now() + 60_000 }
    }
    const loop = makeLoop({ carried: [carrying(() => ['a'], tick, false)], clock, concurrency: 4, onError: () => {} })
    await loop.settle()
    expect(ticks).toBe(1)
    loop.start()
    for (let nth = 0; nth < 20; nth++) {
      clock.advance(1_000)
      await quiet()
    }
    expect(ticks).toBe(1)
    loop.wake()
    await until(() => ticks === 2)
    await loop.stop()
  })

  test('continues after the query for due items fails', async () => {
    let rounds = 0
    let ticks = 0
    const clock = hands()
    const due = () => {
      rounds += 1
      if (rounds === 1) throw new Error('the database is away')
      return ticks === 0 ? ['a'] : []
    }
    const tick: TickOf = async () => {
      ticks += 1
      return { nextAt: null }
    }
    const loop = makeLoop({ carried: [carrying(due, tick)], clock, concurrency: 1, onError: () => {} })
    loop.start()
    await quiet()
    clock.advance(1_000)
    await until(() => ticks === 1)
    await loop.stop()
  })

  test('polls and retries on after the clock was set back', async () => {
    const clock = hands()
    let [polls, ticks] = [0, 0]
    const due = () => {
      polls += 1
      return ['a']
    }
    const tick: TickOf = async () => {
      ticks += 1
      throw new Error('not yet')
    }
    const loop = makeLoop({ carried: [carrying(due, tick)], clock, concurrency: 1, onError: () => {} })
    loop.start()
    await until(() => ticks === 1)
    clock.set(-600_000)
    const before = polls
    for (let second = 0; second < 3; second++) {
      clock.advance(1_000)
      await quiet()
    }
    await until(() => polls > before && ticks > 1)
    await loop.stop()
  })

  test('stops only after the ticks under way, and starts nothing more', async () => {
    let finish = () => {}
    let ticks = 0
    const tick: TickOf = async () => {
      ticks += 1
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return { nextAt: null }
    }
    const loop = makeLoop({
      carried: [carrying(() => ['a', 'b'], tick)],
      clock: hands(),
      concurrency: 1,
      onError: () => {},
    })
    loop.start()
    await until(() => ticks === 1)
    let stopped = false
    const stopping = loop.stop().then(() => {
      stopped = true
    })
    await quiet()
    expect(stopped).toBe(false)
    finish()
    await stopping
    expect(ticks).toBe(1)
  })
})
