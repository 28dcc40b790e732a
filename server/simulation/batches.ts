import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// Seeds are independent: processes take them in batches, and an idle process takes the next batch.

export interface SeedBatch {
  readonly from: number
  readonly count: number
}

export interface SeedRuns<Tally> extends SeedBatch {
  readonly workers: number
  /** The worker process's module: it replies to each batch with a tally. */
  readonly worker: URL
  /** Small enough for frequent progress updates, large enough for message overhead not to matter. */
  readonly batch: number
  /** Sent to a process along with the seeds. */
  readonly parameters?: object
  readonly empty: Tally
  readonly add: (a: Tally, b: Tally) => Tally
  readonly progress: (tally: Tally) => void
}

export async function runBatches<Tally>(runs: SeedRuns<Tally>): Promise<Tally> {
  const { from, count, workers, batch, parameters, add, progress } = runs
  let next = from
  let tally = runs.empty
  const take = () => {
    const seeds: SeedBatch = { from: next, count: Math.min(batch, from + count - next) }
    next += seeds.count
    return seeds.count > 0 ? { ...seeds, ...parameters } : null
  }
  const done = (part: Tally) => {
    tally = add(tally, part)
    progress(tally)
  }
  await Promise.all(Array.from({ length: workers }, () => work({ module: runs.worker, take, done })))
  return tally
}

interface Work<Tally> {
  readonly module: URL
  readonly take: () => SeedBatch | null
  readonly done: (part: Tally) => void
}

// Processes, not threads: Node 20 does not pass a TypeScript loader to a thread.
function work<Tally>({ module, take, done }: Work<Tally>): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = fork(fileURLToPath(module), { execArgv: ['--import', 'tsx'] })
    let idle = false
    const give = () => {
      const batch = take()
      idle = batch === null
      if (batch === null) worker.disconnect()
      else worker.send(batch)
    }
    worker.on('error', reject)
    worker.on('exit', (code) => (idle ? resolve() : reject(new Error(`a worker exited with code ${code}`))))
    worker.on('message', (part: Tally) => {
      done(part)
      give()
    })
    give()
  })
}
