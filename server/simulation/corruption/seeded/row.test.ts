import { expect, test } from 'vitest'
import { corruptMany } from './runs'

// A small sample of `npm run simulate -- --corrupt`: seeded runs, each with one corrupted row.

const RUNS = 60

test('a corrupt row destroys no instance, releases no claim, stops nothing else, and is reported', async () => {
  const { broken, named, parked, tables } = await corruptMany({ from: 1, count: RUNS })
  expect(broken).toEqual([])
  expect(named).toBeGreaterThan(RUNS / 3)
  expect(parked).toBeGreaterThan(0)
  expect(Object.keys(tables).sort()).toEqual(['bogus', 'claim', 'instance', 'migration', 'remain'])
})
