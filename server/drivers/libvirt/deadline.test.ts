import { expect, test } from 'vitest'
import { eachAtMost } from './deadline'

test('the first item that fails ends the work: no further one is begun', async () => {
  const begun: number[] = []
  const work = eachAtMost([0, 1, 2, 3, 4, 5], 2, async (n) => {
    begun.push(n)
    if (n === 1) throw new Error('item 1')
    await new Promise(setImmediate)
  })
  await expect(work).rejects.toThrow('item 1')
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  expect(begun).toEqual([0, 1])
})
