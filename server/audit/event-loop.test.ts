import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Interruptible } from '../engine/interruptible'
import { runInSlices, yieldToEventLoop } from './event-loop'

/** Counts rounds of the event loop until it is stopped. */
function countRounds() {
  let rounds = 0
  let isOver = false
  const counting = (async () => {
    while (!isOver) {
      await setImmediate()
      rounds++
    }
  })()
  return {
    rounds: () => rounds,
    stop: async () => {
      isOver = true
      await counting
    },
  }
}

test('each round of the event loop runs at most one slice, however much work is under way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }), async (works) => {
      const counter = countRounds()
      const turnsIn = new Map<number, number>()
      await Promise.all(
        works.map(async (turns) => {
          for (let turn = 0; turn < turns; turn++) {
            await yieldToEventLoop()
            turnsIn.set(counter.rounds(), (turnsIn.get(counter.rounds()) ?? 0) + 1)
          }
        }),
      )
      await counter.stop()
      expect([...turnsIn.values()].reduce((sum, n) => sum + n, 0)).toBe(works.reduce((sum, n) => sum + n, 0))
      expect(Math.max(...turnsIn.values())).toBe(1)
    }),
    { numRuns: 30 },
  )
})

test('sliced work returns its value wherever it pauses, and ends when a pause throws', async () => {
  function* sumTo(n: number): Interruptible<number> {
    let sum = 0
    for (let i = 1; i <= n; i++) {
      const until = performance.now() + 4
      while (performance.now() < until); // longer than a whole turn
      sum += i
      yield
    }
    return sum
  }
  expect(await runInSlices(sumTo(10))).toBe(55)
  const ended = new Error('nobody waits')
  await expect(runInSlices(sumTo(10), () => Promise.reject(ended))).rejects.toBe(ended)
})
