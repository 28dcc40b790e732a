import type { Database } from '../database/database'

const RELAY_INTERVAL_MS = 150 // minimum interval between polls, so that a burst of commits is one batch
const REST_MS = 500 // maximum delay of writes that woke no relay, or whose server died before it polled
const EVENTS_AT_ONCE = 1000

export interface Relay {
  /** Call after a write that screens wait for: polls now, or once the minimum interval has passed. */
  wake(): void
  stop(): Promise<void>
}

/** One step of the relay, for tests and for callers that cannot wait. Returns the number of numbered events. */
export async function relayOnce(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ moved: number }>({
    name: 'relay',
    text: 'select relay_events($1) as moved',
    values: [EVENTS_AT_ONCE],
  })
  return rows[0]?.moved ?? 0
}

/** Every server runs one; the database lets one at a time work. Failures are logged and retried. */
export function startRelay(database: Database, onFailure: (error: unknown) => void): Relay {
  let stopped = false
  let woken = false
  let interrupt = () => {}
  const poll = async () => {
    while (!stopped) {
      woken = false
      const moved = await relayOnce(database).catch((error: unknown) => {
        if (!stopped) onFailure(error)
        return 0
      })
      if (moved < EVENTS_AT_ONCE) await pause()
    }
  }
  const pause = async () => {
    await nap(RELAY_INTERVAL_MS, () => stopped)
    await nap(REST_MS - RELAY_INTERVAL_MS, () => stopped || woken)
  }
  const nap = (ms: number, isOver: () => boolean) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        interrupt = () => {}
        resolve()
      }
      const timer = setTimeout(end, ms)
      interrupt = () => {
        if (isOver()) end()
      }
      interrupt()
    })
  const running = poll()
  return {
    wake: () => {
      woken = true
      interrupt()
    },
    stop: async () => {
      stopped = true
      interrupt()
      await running
    },
  }
}
