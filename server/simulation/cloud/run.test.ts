import { expect, test } from 'vitest'
import { runCloud } from './run'

test.each(Array.from({ length: 12 }, (_, at) => at + 1))('run %i of a watched cloud breaks no law', async (seed) => {
  expect((await runCloud(seed)).broken).toBeNull()
})

test('a seed determines the whole run', async () => {
  expect(await runCloud(7)).toEqual(await runCloud(7))
})
