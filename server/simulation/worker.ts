import type { SeedBatch } from './batches'
import { runSeed } from './run'
import { add, EMPTY, tallyOf } from './tally'

// One process of `npm run simulate`: runs batches of seeds and sends the totals of each.

process.on('message', ({ from, count }: SeedBatch) => {
  let tally = EMPTY
  for (let seed = from; seed < from + count; seed++) tally = add(tally, tallyOf(runSeed(seed)))
  process.send?.(tally)
})
