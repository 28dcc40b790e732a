import { expect, test } from 'vitest'
import { freshDatabase } from '../boot/test-database'
import { killReshapes } from './reshape-kills'

// A few of the kills that `npm run rehearse -- --kills 100` makes: enough to notice when a reshape is no longer one
// transaction.

test('whenever whoever carries a wave is killed, each host is all old or all new, and the next one goes on', async () => {
  const tally = await killReshapes({ freshDatabase, kills: 12, seed: 3, progress: () => {} })
  expect(tally.broken).toEqual([])
  expect(tally).toMatchObject({ kills: 12, waves: 1 })
  expect(tally.insideCommit).toBeGreaterThan(0)
  expect(tally.foundOld).toBeGreaterThan(0)
}, 120_000)
