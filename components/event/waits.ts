import type { EventView } from '@/server/api/event/router'

/** Events that say the same of one migration, one after the other, as one row. */
export interface EventRow extends EventView {
  /** How many events the row stands for, and when the first of them was. `at` is the last. */
  readonly count: number
  readonly since: number
}

const WAITING = 'migration.waiting'

/** What is waited for: the reason may change its words, and the place in a queue its number. */
function waitOf({ kind, data }: EventView): string | null {
  if (kind !== WAITING) return null
  const waiting = data.waiting as { readonly for?: unknown; readonly host?: unknown } | null | undefined
  return waiting ? `${String(waiting.for)} ${String(waiting.host ?? '')}` : null
}

/**
 * Newest first, as they are listed. A wait is one row however often it was tried again; whatever else happens to the
 * migration ends it, and what happens to others meanwhile does not.
 */
export function waitsTogether(events: readonly EventView[]): readonly EventRow[] {
  const rows: EventRow[] = []
  /** Where the row stands that the next older event of a migration may belong to. */
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
