import type { PeriodicTask } from '../conductor/periodic-task'
import type { Database } from '../store/database/database'
import { forgetEventsBefore } from '../store/event/read'
import { forgetPastBefore, readPastSince } from '../store/past/past'
import { forgetServerSessionsBefore } from '../store/task/server-session'

/** How long past claims and events are kept. */
const HISTORY_RETENTION_MS = 30 * 86_400_000
const ROUND_INTERVAL_MS = 3_600_000
/** A clock that is set ahead by mistake, for an hour, must not cost the history of a month. Berth catches up after a rest. */
const FORGOTTEN_AT_MOST_MS = 6 * 3_600_000

export const historyRetentionTask = (database: Database, now: () => number): PeriodicTask => ({
  name: 'past',
  everyMs: ROUND_INTERVAL_MS,
  round: async () => {
    const since = await readPastSince(database)
    const most = since > 0 ? since + FORGOTTEN_AT_MOST_MS : Number.POSITIVE_INFINITY // the setting may be missing
    const before = Math.min(now() - HISTORY_RETENTION_MS, most)
    // The past first: it defines from when on history is known, and the events of that time are part of it.
    await forgetPastBefore(database, before)
    await forgetEventsBefore(database, before)
    await forgetServerSessionsBefore(database, before)
  },
})
