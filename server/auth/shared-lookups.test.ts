import { expect, test } from 'vitest'
import { sharedLookups } from './shared-lookups'

test('a thousand simultaneous lookups cause two queries', async () => {
  const open: (() => void)[] = []
  const look = sharedLookups(() => new Promise<number>((resolve) => open.push(() => resolve(open.length))))
  const all = Array.from({ length: 1_000 }, () => look('a', null))
  for (let n = 0; n < 2; n++) {
    await expect.poll(() => open.length).toBe(n + 1)
    open[n]?.()
  }
  await Promise.all(all)
  expect(open).toHaveLength(2)
})

test('a lookup that arrives during a query is answered by the next one, and failures are not shared', async () => {
  const open: { resolve: (value: string) => void; reject: (error: Error) => void }[] = []
  const look = sharedLookups(() => new Promise<string>((resolve, reject) => open.push({ resolve, reject })))
  const first = look('a', null)
  const second = [look('a', null), look('a', null)]
  open[0]?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await expect.poll(() => open.length).toBe(2)
  const third = look('a', null)
  open[1]?.resolve('two')
  expect(await Promise.all(second)).toEqual(['two', 'two'])
  await expect.poll(() => open.length).toBe(3)
  open[2]?.resolve('three')
  expect(await third).toBe('three')
})
