import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchServer } from '../console/server'

// The cost of an attack for the server: memory, and the longest pause of its thread. This process is measured too: if
// both pause, the machine caused it.

export interface ServerCost {
  readonly grownMib: number
  readonly blockedMs: number
  readonly noiseMs: number
}

const SAMPLE_INTERVAL_MS = 2_000
const MIB = 1024 * 1024

export function watchServer(server: BenchServer): { stop(): Promise<ServerCost> } {
  const before = server.rssBytes ?? 0
  const own = monitorEventLoopDelay({ resolution: 10 })
  own.enable()
  const stopping = new AbortController()
  let blockedMs = 0
  const poll = async () => {
    await lagMs(server) // each reading starts the next period
    while (!stopping.signal.aborted) {
      await pause(SAMPLE_INTERVAL_MS, null, { signal: stopping.signal }).catch(() => null)
      blockedMs = Math.max(blockedMs, await lagMs(server))
    }
  }
  const polling = poll()
  return {
    stop: async () => {
      stopping.abort()
      await polling
      own.disable()
      return { grownMib: ((server.rssBytes ?? 0) - before) / MIB, blockedMs, noiseMs: own.max / 1e6 }
    },
  }
}

/** Uses the metrics token, which works whatever the state of the database. */
async function lagMs(server: BenchServer): Promise<number> {
  const headers = { authorization: `Bearer ${server.metricsToken}` }
  const answer = await fetch(`${server.origin}/metrics`, { headers })
  const text = await answer.text()
  const [, seconds] = /^berth_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text) ?? []
  if (!seconds) throw new Error(`The metrics do not contain the event loop lag: ${answer.status} ${text.slice(0, 300)}`)
  return Number(seconds) * 1000
}
