import type { SeedBatch } from '../batches'
import { runCloud } from './run'
import { addClouds, cloudTally, NO_CLOUDS } from './tally'

// One process of `npm run simulate -- --cloud`.

process.on('message', async ({ from, count }: SeedBatch) => {
  let tally = NO_CLOUDS
  for (let seed = from; seed < from + count; seed++) tally = addClouds(tally, cloudTally(await runCloud(seed)))
  process.send?.(tally)
})
