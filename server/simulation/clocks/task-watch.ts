import type { Database } from '../../store/database/database'

/** Observations of the periodic tasks while servers are killed and replaced. */
export interface TaskObservations {
  /** Longest time between the starts of two rounds, in intervals of that task. */
  readonly longestSilence: { readonly task: string; readonly intervals: number }
  readonly audits: number
  /** Audit rounds that succeeded but recorded nothing. */
  readonly discarded: number
}

const POLL_INTERVAL_MS = 50

interface Row {
  readonly name: string
  readonly everyMs: number
  readonly silentMs: number
  readonly endedAt: string | null
  readonly sequence: string
}

/** Polls the rows of the tasks until stopped. Measures with the database's clock, as the tasks do. */
export function watchTasks({ pool }: Database): { stop(): Promise<TaskObservations> } {
  let longestSilence = { task: '', intervals: 0 }
  let [audits, discarded, stopped] = [0, 0, false]
  let last: Pick<Row, 'endedAt' | 'sequence'> | null = null
  const poll = async () => {
    // An hourly task does not run during a run of minutes.
    const { rows } = await pool.query<Row>(
      `select l.name, l.every_ms as "everyMs", extract(epoch from clock_timestamp() - l.began_at)::float8 * 1000 as "silentMs",
        l.ended_at::text as "endedAt", a.sequence::text as sequence
       from lease l, standing_audit a where l.every_ms < 60000`,
    )
    for (const { name, everyMs, silentMs } of rows) {
      const intervals = silentMs / everyMs
      if (intervals > longestSilence.intervals) longestSilence = { task: name, intervals }
    }
    const audit = rows.find(({ name }) => name === 'audit')
    if (!audit || audit.endedAt === last?.endedAt) return
    if (audit.sequence !== last?.sequence) audits += 1
    else discarded += 1
    last = audit
  }
  const polling = (async () => {
    while (!stopped) {
      await poll()
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await polling
      return { longestSilence, audits, discarded }
    },
  }
}
