import { runBatches } from '../batches'
import { runCloud } from './run'
import { addClouds, type CloudTally, cloudLines, NO_CLOUDS } from './tally'

// `npm run simulate -- --cloud`: many runs of a watched cloud, or one printed step by step.

export interface CloudOptions {
  readonly from: number
  readonly seeds: number | null
  readonly seed: number | null
  readonly workers: number
  readonly trace: boolean
  readonly json: boolean
}

const DEFAULT_SEEDS = 1_000
const PROGRESS_INTERVAL_MS = 5_000

export async function simulateClouds({ from, seeds, seed, workers, trace, json }: CloudOptions): Promise<number> {
  if (seed !== null) {
    const run = await runCloud(seed, trace ? console.log : undefined)
    console.log(JSON.stringify(run, null, json ? 0 : 2))
    return run.broken === null ? 0 : 1
  }
  const begun = Date.now()
  let shown = begun
  const progress = ({ seeds: done, broken }: CloudTally) => {
    if (json || Date.now() - shown < PROGRESS_INTERVAL_MS) return
    shown = Date.now()
    const named = broken.length === 0 ? '' : ` (the last is seed ${broken.at(-1)?.seed})`
    console.error(`${done} seeds, ${Math.round((shown - begun) / 1000)} s, broken laws ${broken.length}${named}`)
  }
  const tally = await runBatches({
    ...{ from, count: seeds ?? DEFAULT_SEEDS, workers, batch: 10, empty: NO_CLOUDS, add: addClouds, progress },
    worker: new URL('./worker.ts', import.meta.url),
  })
  const elapsedMs = Date.now() - begun
  if (json) console.log(JSON.stringify({ ...tally, elapsedMs }))
  else for (const line of cloudLines(tally, elapsedMs)) console.log(line)
  return tally.broken.length === 0 ? 0 : 1
}
