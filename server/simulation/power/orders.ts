import { startTestServer } from '../../boot/test-database'
import { runBatches } from '../batches'
import { postgresStorm } from './postgres'
import { addStorms, EMPTY_STORMS, type StormTally, stormLines, stormTally } from './tally'

// `npm run simulate -- --power`: the storm in memory or, with --postgres, on the real store.

export interface StormOrders {
  readonly from: number
  readonly seeds: number | null
  readonly moves: number | null
  readonly workers: number
  readonly postgres: boolean
  readonly json: boolean
}

const PROGRESS_INTERVAL_MS = 5_000
const IN_MEMORY = { seeds: 1_000, moves: 20 }
const ON_POSTGRES = { seeds: 50, moves: 20 }

export async function stormFleets(orders: StormOrders): Promise<number> {
  const begun = Date.now()
  let shown = begun
  const progress = (tally: StormTally) => {
    if (orders.json || Date.now() - shown < PROGRESS_INTERVAL_MS) return
    shown = Date.now()
    console.error(`${tally.seeds} seeds, ${Math.round((shown - begun) / 1000)} s, broken ${tally.broken.length}`)
  }
  const usual = orders.postgres ? ON_POSTGRES : IN_MEMORY
  const { from, workers } = orders
  const size = { from, count: orders.seeds ?? usual.seeds, moves: orders.moves ?? usual.moves }
  const tally = orders.postgres ? await onPostgres(size, progress) : await inMemory({ ...size, workers, progress })
  const elapsedMs = Date.now() - begun
  if (orders.json) console.log(JSON.stringify({ ...tally, elapsedMs }))
  else for (const line of stormLines(tally, elapsedMs)) console.log(line)
  return tally.broken.length === 0 ? 0 : 1
}

interface MemoryStorms extends Size {
  readonly workers: number
  readonly progress: (tally: StormTally) => void
}

const inMemory = ({ moves, ...seeds }: MemoryStorms): Promise<StormTally> =>
  runBatches({
    ...{ ...seeds, orders: { moves }, batch: 10, empty: EMPTY_STORMS, add: addStorms },
    worker: new URL('./worker.ts', import.meta.url),
  })

interface Size {
  readonly from: number
  readonly count: number
  readonly moves: number
}

async function onPostgres({ from, count, moves }: Size, progress: (tally: StormTally) => void): Promise<StormTally> {
  const server = await startTestServer()
  let tally = EMPTY_STORMS
  try {
    for (let seed = from; seed < from + count; seed++) {
      tally = addStorms(tally, stormTally(await postgresStorm(seed, moves)))
      progress(tally)
    }
  } finally {
    await server.stop()
  }
  return tally
}
