import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from './api'
import { startLoad } from './load'

// How late does each of two hundred browsers receive an event while fifty migrations run? An event is timestamped when
// its change is decided, before the commit, so the figure includes commit, relay, feed and stream.

export interface StreamsOptions {
  readonly streams: number
  readonly migrations: number
  readonly forMs: number
}

export interface StreamsRow {
  readonly streams: number
  /** Average number of migrations running during the measurement. */
  readonly migrations: number
  readonly events: number
  readonly messages: number
  readonly bytes: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  /** Streams that missed events that the first one received. */
  readonly short: number
}

export async function measureStreams(api: Api, { streams, migrations, forMs }: StreamsOptions): Promise<StreamsRow> {
  const load = await startLoad(api, migrations)
  await load.full
  const stats: StreamStats = { lags: [], messages: 0, bytes: 0, counting: false }
  const readers = await Promise.all(Array.from({ length: streams }, () => listen(api, stats)))
  await pause(3_000) // the first messages are those that each stream missed while the others were opened
  stats.counting = true
  for (const reader of readers) reader.events = 0
  const running = load.noteRunning()
  await pause(forMs)
  stats.counting = false
  const counts = readers.map(({ events }) => events)
  for (const reader of readers) reader.close()
  const moving = running()
  await load.stop()
  const lags = Float64Array.from(stats.lags).sort()
  const at = (part: number) => lags[Math.min(lags.length - 1, Math.floor(lags.length * part))] ?? Number.NaN
  const most = Math.max(...counts)
  return {
    ...{ streams, migrations: moving, messages: stats.messages, bytes: stats.bytes, seconds: forMs / 1000 },
    events: most,
    ...{ p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), longestMs: at(1) },
    // The last batch may have reached only some of them.
    short: counts.filter((count) => count < most * 0.95).length,
  }
}

export interface StreamStats {
  readonly lags: number[]
  messages: number
  bytes: number
  counting: boolean
}

export interface StreamReader {
  events: number
  close(): void
}

/** One browser's stream, read as cheaply as possible: two hundred readers share this process. */
export function listen({ origin, cookie }: Pick<Api, 'origin' | 'cookie'>, stats: StreamStats): Promise<StreamReader> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'text/event-stream' }
    const request = http.get(`${origin}/api/trpc/event.stream`, { headers, agent: false }, (response) => {
      const reader: StreamReader = { events: 0, close: () => request.destroy() }
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const now = Date.now()
        if (stats.counting) stats.bytes += chunk.length
        const parts = `${text}${chunk}`.split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) {
          const times = eventTimes(part)
          reader.events += times.length
          if (!stats.counting || times.length === 0) continue
          stats.messages++
          for (const at of times) stats.lags.push(now - at)
        }
      })
      response.on('error', () => {})
      if (response.statusCode === 200) resolve(reader)
      else reject(new Error(`event.stream answered ${response.statusCode}`))
    })
    request.on('error', reject)
  })
}

function eventTimes(message: string): readonly number[] {
  if (!message.includes('"is":"events"')) return []
  return [...message.matchAll(/"at":(\d+)/g)].map(([, at]) => Number(at))
}
