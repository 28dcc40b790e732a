import { startTestServer } from '../../boot/test-database'
import { runBatches } from '../batches'
import { runOnPostgres } from './postgres'
import { addPowerTallies, NO_POWER_RUNS, type PowerTally, powerLines, powerTally } from './tally'

// `npm run simulate -- --power`: runs in memory or, with --postgres, on the real store.

export interface PowerOptions {
  readonly from: number
  readonly seeds: number | null
  readonly migrations: number | null
  readonly workers: number
  readonly postgres: boolean
  readonly json: boolean
}

const PROGRESS_INTERVAL_MS = 5_000
const IN_MEMORY = { seeds: 1_000, migrations: 20 }
const ON_POSTGRES = { seeds: 50, migrations: 20 }

export async function simulatePowerCuts(options: PowerOptions): Promise<number> {
  const begun = Date.now()
  let shown = begun
  const progress = (tally: PowerTally) => {
    if (options.json || Date.now() - shown < PROGRESS_INTERVAL_MS) return
    shown = Date.now()
    console.error(`${tally.seeds} seeds, ${Math.round((shown - begun) / 1000)} s, broken ${tally.broken.length}`)
  }
  const defaults = options.postgres ? ON_POSTGRES : IN_MEMORY
  const { from, workers } = options
  const size = { from, count: options.seeds ?? defaults.seeds, migrations: options.migrations ?? defaults.migrations }
  const tally = options.postgres ? await onPostgres(size, progress) : await inMemory({ ...size, workers, progress })
  const elapsedMs = Date.now() - begun
  if (options.json) console.log(JSON.stringify({ ...tally, elapsedMs }))
  else for (const line of powerLines(tally, elapsedMs)) console.log(line)
  return tally.broken.length === 0 ? 0 : 1
}

interface MemoryRuns extends Size {
  readonly workers: number
  readonly progress: (tally: PowerTally) => void
}

const inMemory = ({ migrations, ...seeds }: MemoryRuns): Promise<PowerTally> =>
  runBatches({
    ...{ ...seeds, parameters: { migrations }, batch: 10, empty: NO_POWER_RUNS, add: addPowerTallies },
    worker: new URL('./worker.ts', import.meta.url),
  })

interface Size {
  readonly from: number
  readonly count: number
  readonly migrations: number
}

async function onPostgres(
  { from, count, migrations }: Size,
  progress: (tally: PowerTally) => void,
): Promise<PowerTally> {
  const server = await startTestServer()
  let tally = NO_POWER_RUNS
  try {
    for (let seed = from; seed < from + count; seed++) {
      tally = addPowerTallies(tally, powerTally(await runOnPostgres(seed, migrations)))
      progress(tally)
    }
  } finally {
    await server.stop()
  }
  return tally
}
