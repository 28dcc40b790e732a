import type { Api } from './api'

// Keeps a number of live migrations running: as one ends, the next one starts.

const POLL_INTERVAL_MS = 1_000
const STARTS_AT_ONCE = 10
const FULL_LIMIT_MS = 90_000

export interface LoadGenerator {
  /** Number of migrations started, without refused requests. */
  readonly started: () => number
  /** Resolves when that many run for the first time, or when they clearly never will. */
  readonly full: Promise<void>
  /** Samples how many run, from now on. */
  noteRunning(): () => number
  stop(): Promise<void>
}

export async function startLoad(api: Api, running: number): Promise<LoadGenerator> {
  const instances = await movableInstances(api)
  let started = 0
  let next = 0
  let stopped = false
  let samples: number[] = []
  let filled = () => {}
  const full = new Promise<void>((resolve) => {
    filled = resolve
  })
  const startOne = async () => {
    const instance = instances[next++ % instances.length]
    if (!instance) return
    const input = { instance, operation: 'live-migrate' as const }
    const begun = await api.mutate('migrate.start', input).catch(() => null)
    if (begun) started++
  }
  const run = async () => {
    while (!stopped) {
      const { flight } = await api.query('migration.counts')
      samples.push(flight)
      if (flight >= running) filled()
      const missing = Math.min(STARTS_AT_ONCE, running - flight)
      await Promise.all(Array.from({ length: Math.max(0, missing) }, startOne))
      if (missing < STARTS_AT_ONCE) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    }
    filled()
  }
  const done = run()
  done.catch(() => {}) // reported by `stop`, which awaits it
  const limit = setTimeout(filled, FULL_LIMIT_MS)
  return {
    started: () => started,
    full,
    noteRunning: () => {
      samples = []
      return () => samples.reduce((sum, flight) => sum + flight, 0) / Math.max(1, samples.length)
    },
    stop: async () => {
      stopped = true
      clearTimeout(limit)
      await done
    },
  }
}

/** Running instances, a few per host, so that no host's migration limit interferes. */
async function movableInstances(api: Api): Promise<readonly string[]> {
  const ofHost = new Map<string, number>()
  const instances: string[] = []
  for (let offset = 0; offset < 20_000; offset += 2_000) {
    const { rows } = await api.query('instance.list', { offset, limit: 2_000 })
    for (const { id, host, vmState } of rows) {
      const known = host ? (ofHost.get(host.id) ?? 0) : 2
      if (vmState !== 'active' || !host || known >= 2) continue
      ofHost.set(host.id, known + 1)
      instances.push(id)
    }
    if (rows.length < 2_000) break
  }
  return instances
}
