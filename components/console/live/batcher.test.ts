import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeBatcher } from './batcher'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function rounds(takesMs: number) {
  const asked: number[][] = []
  const gatherer = makeBatcher<number>({
    gatherMs: 200,
    patienceMs: 5_000,
    round: (gathered) => {
      asked.push([...gathered])
      return new Promise((resolve) => setTimeout(resolve, takesMs))
    },
  })
  return { asked, gatherer }
}

it('the batcher sends one request for items that arrive close together', async () => {
  const { asked, gatherer } = rounds(10)
  gatherer.add(1)
  gatherer.add(2)
  await vi.advanceTimersByTimeAsync(300)
  expect(asked).toEqual([[1, 2]])
})

it('the batcher sends one more request for items that arrive during a slow answer', async () => {
  const { asked, gatherer } = rounds(1_000)
  gatherer.add(1)
  await vi.advanceTimersByTimeAsync(500)
  gatherer.add(2)
  gatherer.add(3)
  expect(asked).toEqual([[1]])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual([[1], [2, 3]])
})

it('the batcher stops waiting for an answer that never arrives', async () => {
  const { asked, gatherer } = rounds(3_600_000)
  gatherer.add(1)
  await vi.advanceTimersByTimeAsync(300)
  gatherer.add(2)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(asked).toEqual([[1], [2]])
})

it('the batcher sends nothing after it was stopped', async () => {
  const { asked, gatherer } = rounds(10)
  gatherer.add(1)
  gatherer.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual([])
})
