import { simulatePostgres } from './postgres'
import { tallyLines } from './tally'

const t0 = Date.now()
const [from = 1, seeds = 4, parallel = 2] = process.argv.slice(2).map(Number)
const tally = await simulatePostgres({
  from,
  seeds,
  parallel,
  progress: (t) => console.log(t.seeds, Date.now() - t0, JSON.stringify(t.broken)),
})
for (const line of tallyLines(tally, Date.now() - t0)) console.log(line)
