import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { batchReads } from './batch-reads'

/** Each call blocks until it is released. */
function gated() {
  const calls: { readonly questions: readonly number[]; answer(): void; fail(): void }[] = []
  const ask = (questions: readonly number[]) =>
    new Promise<ReadonlyMap<number, string>>((resolve, reject) => {
      const answers = new Map(questions.filter((each) => each > 0).map((each) => [each, `about ${each}`]))
      calls.push({ questions, answer: () => resolve(answers), fail: () => reject(new Error('no connection')) })
    })
  return { calls, ask }
}

describe('batched reads', () => {
  test('put a request that arrives during a query into the next batch', async () => {
    const { calls, ask } = gated()
    const about = batchReads(10, ask)
    const first = about(1)
    await nextTurn()
    const later = [about(1), about(2), about(2)]
    expect(calls.map(({ questions }) => questions)).toEqual([[1]])
    calls[0]?.answer()
    expect(await first).toBe('about 1')
    await nextTurn()
    expect(calls.map(({ questions }) => questions)).toEqual([[1], [1, 2]])
    calls[1]?.answer()
    expect(await Promise.all(later)).toEqual(['about 1', 'about 2', 'about 2'])
  })

  test('return null for a missing object', async () => {
    const { calls, ask } = gated()
    const nothing = batchReads(10, ask)(-1)
    await nextTurn()
    calls[0]?.answer()
    expect(await nothing).toBeNull()
  })

  test('have a limited batch size, in order of arrival', async () => {
    const { calls, ask } = gated()
    const about = batchReads(2, ask)
    const all = [1, 2, 3, 4].map(about)
    for (let at = 0; at < 2; at++) {
      await nextTurn()
      calls[at]?.answer()
      await nextTurn()
    }
    expect(calls.map(({ questions }) => questions)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(await Promise.all(all)).toEqual(['about 1', 'about 2', 'about 3', 'about 4'])
  })

  test('fail only the requests of a failed batch', async () => {
    const { calls, ask } = gated()
    const about = batchReads(10, ask)
    const first = about(1)
    await nextTurn()
    const second = about(2)
    calls[0]?.fail()
    await expect(first).rejects.toThrow('no connection')
    await nextTurn()
    calls[1]?.answer()
    expect(await second).toBe('about 2')
  })

  test('answered together send their next requests together', async () => {
    const asked: number[] = []
    const about = batchReads(100, async (questions: readonly number[]) => {
      asked.push(questions.length)
      await nextTurn()
      return new Map(questions.map((each) => [each, each]))
    })
    const askAgain = async (question: number) => {
      for (let round = 0; round < 3; round++) await about(question)
    }
    await Promise.all(Array.from({ length: 20 }, (_, question) => askAgain(question)))
    expect(asked).toEqual([20, 20, 20])
  })
})
