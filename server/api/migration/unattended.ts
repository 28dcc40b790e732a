import type { ServerSession } from '../../store/task/server-session'
import type { Ms } from '../plain'

// When no server ran a migration: the time that no session of any server covers. Shown in the timeline, because a step
// that stopped for lack of a server is not a slow step.

/** A period in which no server ran the migration; `to` is null while it lasts. */
export interface UnattendedSpan {
  readonly from: Ms
  readonly to: Ms | null
}

/** Servers send a heartbeat every two seconds; shorter gaps than this are not shown. */
const MIN_SHOWN_GAP_MS = 3_000

export interface TimeRange {
  readonly from: number
  /** Null while the migration lasts. */
  readonly to: number | null
  readonly now: number
}

/** `sessions` in the order of their starts. Nothing is known before the first. */
export function unattendedSpans(sessions: readonly ServerSession[], { from, to, now }: TimeRange): UnattendedSpan[] {
  const end = to ?? now
  const spans: UnattendedSpan[] = []
  let seen: number | null = null
  for (const session of sessions) {
    if (seen !== null && session.from - seen > MIN_SHOWN_GAP_MS) spans.push({ from: seen, to: session.from })
    seen = Math.max(seen ?? session.seen, session.seen)
  }
  if (seen !== null && now - seen > MIN_SHOWN_GAP_MS) spans.push({ from: seen, to: null })
  return spans.flatMap((span) => clipped(span, { from, end, over: to !== null }))
}

function clipped(
  { from, to }: UnattendedSpan,
  migration: { from: number; end: number; over: boolean },
): UnattendedSpan[] {
  const start = Math.max(from, migration.from)
  const stop = to === null ? (migration.over ? migration.end : null) : Math.min(to, migration.end)
  return start < (stop ?? migration.end) ? [{ from: start, to: stop }] : []
}
