import { expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { killReshapes } from './kills'

// A small size of `npm run rehearse -- --kills 100`: enough to notice if a reshape is no longer one transaction.

test('after each kill in a rollout every host is unchanged or converted, and the next process continues', async () => {
  const tally = await killReshapes({ freshDatabase, kills: 12, seed: 3, progress: () => {} })
  expect(tally.broken).toEqual([])
  expect(tally.kills).toBe(12)
  // The distribution of kills depends on the machine: a fast one finishes a rollout in fewer kills and starts another.
  expect(tally.rollouts).toBeGreaterThan(0)
  expect(tally.foundOld + tally.foundNew).toBeGreaterThan(0)
}, 120_000)
