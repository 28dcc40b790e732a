import type { EventView } from '@/server/api/event/router'

/** Consecutive equal events of one migration as one row. */
export interface EventRow extends EventView {
  /** How many events the row stands for, and the time of the first. `at` is the last. */
  readonly count: number
  readonly since: number
}

const WAITING = 'migration.waiting'

/** The kind of wait, without the wording of the reason and the position in a queue, which may vary. */
function waitOf({ kind, data }: EventView): string | null {
  if (kind !== WAITING) return null
  const waiting = data.waiting as { readonly for?: unknown; readonly host?: unknown } | null | undefined
  return waiting ? `${String(waiting.for)} ${String(waiting.host ?? '')}` : null
}

/**
 * Newest first, as listed. A wait is one row however often it was retried; any other event of the migration ends it,
 * events of other migrations do not.
 */
export function mergeWaits(events: readonly EventView[]): readonly EventRow[] {
  const rows: EventRow[] = []
  /** For each migration, the row that its next older event may join. */
  const open = new Map<string, { readonly wait: string; readonly at: number }>()
  for (const event of events) {
    const wait = waitOf(event)
    const { migration } = event
    const known = migration === null ? undefined : open.get(migration)
    const row = known && rows[known.at]
    if (known && row && wait === known.wait) {
      rows[known.at] = { ...row, count: row.count + 1, since: event.at }
      continue
    }
    if (migration !== null) {
      if (wait === null) open.delete(migration)
      else open.set(migration, { wait, at: rows.length })
    }
    rows.push({ ...event, count: 1, since: event.at })
  }
  return rows
}
