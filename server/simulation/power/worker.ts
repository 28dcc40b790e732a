import type { SeedBatch } from '../batches'
import { runInMemory } from './in-memory'
import { addPowerTallies, NO_POWER_RUNS, powerTally } from './tally'

// One process of `npm run simulate -- --power`: runs batches of seeds and sends the totals of each.

export interface PowerBatch extends SeedBatch {
  readonly migrations: number
}

process.on('message', async ({ from, count, migrations }: PowerBatch) => {
  let tally = NO_POWER_RUNS
  for (let seed = from; seed < from + count; seed++)
    tally = addPowerTallies(tally, powerTally(await runInMemory(seed, migrations)))
  process.send?.(tally)
})
