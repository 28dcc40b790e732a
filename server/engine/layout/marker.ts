import type { Host } from '../host'
import type { Line } from '../rows'
import type { HostId } from '../words/ids'
import type { Rollout } from './rollout'

// The attribute on each host with the state, author and time of its conversion. It is written in the transaction that
// it describes, so it never claims more than is true.

/** transforming is not among them: it would be wrong after the server that wrote it was killed. */
export const MARKER_STATES = ['planned', 'blocked', 'healed', 'verified', 'failed'] as const
export type MarkerState = (typeof MARKER_STATES)[number]

export interface Marker {
  readonly host: HostId
  readonly state: MarkerState
  /** Why it is blocked or failed, with the remedy. */
  readonly why: string | null
  readonly by: string
  readonly at: number
  /** Raised by each change of the marker. */
  readonly version: number
  readonly wave: string | null
}

export type LayoutState = MarkerState | 'flat' | 'transforming'

/** The state on the layout page. A host made flat again, or imported again, is flat whatever its marker says. */
export function layoutStateOf(
  host: Pick<Host, 'id' | 'layout'>,
  marker: Marker | null,
  rollout: Rollout | null,
): LayoutState {
  const state = marker?.state ?? null
  if (host.layout === 'nested') return state === 'verified' || state === 'failed' ? state : 'healed'
  if (rollout?.state === 'running' && rollout.hosts[rollout.next] === host.id) return 'transforming'
  return state === 'planned' || state === 'blocked' || state === 'failed' ? state : 'flat'
}

export type MarkerSet = Pick<Marker, 'state' | 'why' | 'by' | 'at' | 'wave'>

/** The line that writes the marker; it applies only if the marker was not written since `before` was read. */
export function markerLine(host: HostId, before: Marker | null, set: MarkerSet): Line {
  const { state, why, by, at, wave } = set
  const value = before && markerValue(before)
  const after = { state, why, by, at, wave, version: (before?.version ?? 0) + 1 }
  // No host: a marker is about the records, not part of them, and must not invalidate a concurrent claim.
  return { row: 'layout-marker', key: { host }, before: value, after, host: null, why: 'State of the host.' }
}

const markerValue = ({ host: _, ...value }: Marker) => value
