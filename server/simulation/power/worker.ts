import type { SeedBatch } from '../batches'
import { memoryStorm } from './run'
import { addStorms, EMPTY_STORMS, stormTally } from './tally'

// One process of `npm run simulate -- --power`: runs batches of seeds and sends the totals of each.

export interface StormBatch extends SeedBatch {
  readonly moves: number
}

process.on('message', async ({ from, count, moves }: StormBatch) => {
  let tally = EMPTY_STORMS
  for (let seed = from; seed < from + count; seed++)
    tally = addStorms(tally, stormTally(await memoryStorm(seed, moves)))
  process.send?.(tally)
})
