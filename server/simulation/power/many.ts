import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { addStorms, EMPTY_STORMS, type StormTally } from './tally'
import type { StormBatch } from './worker'

// Many storms in memory. Processes take seeds in batches, as those of the other runs do.

export interface ManyStorms {
  readonly from: number
  readonly count: number
  readonly moves: number
  readonly workers: number
  readonly progress: (tally: StormTally) => void
}

const BATCH = 10

export async function runStorms({ from, count, moves, workers, progress }: ManyStorms): Promise<StormTally> {
  let next = from
  let tally = EMPTY_STORMS
  const take = (): StormBatch | null => {
    const batch = { from: next, count: Math.min(BATCH, from + count - next), moves }
    next += batch.count
    return batch.count > 0 ? batch : null
  }
  const done = (part: StormTally) => {
    tally = addStorms(tally, part)
    progress(tally)
  }
  await Promise.all(Array.from({ length: workers }, () => work(take, done)))
  return tally
}

function work(take: () => StormBatch | null, done: (part: StormTally) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
    let idle = false
    const give = () => {
      const batch = take()
      idle = batch === null
      if (batch === null) worker.disconnect()
      else worker.send(batch)
    }
    worker.on('error', reject)
    worker.on('exit', (code) => (idle ? resolve() : reject(new Error(`a worker ended with code ${code}`))))
    worker.on('message', (part: StormTally) => {
      done(part)
      give()
    })
    give()
  })
}
