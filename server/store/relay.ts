import type { Database } from './database'

export const RELAY_EVERY_MS = 150 // what a live view may lag behind the tables at most, the reader's part left out
const EVENTS_AT_ONCE = 1000

export interface Relay {
  stop(): Promise<void>
}

/** One step of the relay, for tests and for whoever will not wait. Answers how many events got their number. */
export async function relayOnce(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ moved: number }>({
    name: 'relay',
    text: 'select relay_events($1) as moved',
    values: [EVENTS_AT_ONCE],
  })
  return rows[0]?.moved ?? 0
}

/** Every server runs one; the database lets one at a time do the work. A failure is told and tried again. */
export function startRelay(database: Database, onFailure: (error: unknown) => void): Relay {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let wake = () => {}
  const pause = () =>
    new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, RELAY_EVERY_MS)
    })
  const run = async () => {
    while (!stopped) {
      const moved = await relayOnce(database).catch((error: unknown) => {
        if (!stopped) onFailure(error)
        return 0
      })
      if (moved < EVENTS_AT_ONCE && !stopped) await pause()
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      wake()
      await running
    },
  }
}
