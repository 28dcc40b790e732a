import { expect, test } from 'vitest'
import { freshDatabase } from '../../boot/test-database'
import { killReshapes } from './kills'

// A few of the kills that `npm run rehearse -- --kills 100` makes: enough to notice when a reshape is no longer one
// transaction.

test('whenever whoever carries a wave is killed, each host is all old or all new, and the next one goes on', async () => {
  const tally = await killReshapes({ freshDatabase, kills: 12, seed: 3, progress: () => {} })
  expect(tally.broken).toEqual([])
  expect(tally.kills).toBe(12)
  // How many fall where is a matter of the machine's speed: a quick one ends a wave in fewer kills and begins another.
  expect(tally.waves).toBeGreaterThan(0)
  expect(tally.foundOld + tally.foundNew).toBeGreaterThan(0)
}, 120_000)
