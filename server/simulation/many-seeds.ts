import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { add, EMPTY, type Tally } from './tally'
import type { Batch } from './worker'

// Seeds are independent, so processes take them in batches and whoever is done takes the next.

export interface ManySeeds {
  readonly from: number
  readonly count: number
  readonly workers: number
  readonly progress: (tally: Tally) => void
}

const BATCH = 50 // small enough for a lively progress line, large enough that messages cost nothing

export async function runMany({ from, count, workers, progress }: ManySeeds): Promise<Tally> {
  let next = from
  let tally = EMPTY
  const take = (): Batch | null => {
    const batch = { from: next, count: Math.min(BATCH, from + count - next) }
    next += batch.count
    return batch.count > 0 ? batch : null
  }
  const done = (part: Tally) => {
    tally = add(tally, part)
    progress(tally)
  }
  await Promise.all(Array.from({ length: workers }, () => work(take, done)))
  return tally
}

// Processes, not threads: Node 20 does not carry a TypeScript loader into a thread.
function work(take: () => Batch | null, done: (part: Tally) => void): Promise<void> {
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
    worker.on('message', (part: Tally) => {
      done(part)
      give()
    })
    give()
  })
}
