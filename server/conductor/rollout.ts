import type { Change, ChangeResult } from '../engine/change'
import { type Rollout, rolloutHost } from '../engine/layout/rollout'
import type { Database } from '../store/database/database'
import { readLastRollout } from '../store/layout/read'
import { type ReshapeResult, reshapeHost } from '../store/layout/reshape'

// Runs the open rollout host by host. Its whole state is in the rollout's row: a server that is killed here leaves the
// current host flat or nested, and the next round, on any server, continues with that host.

export interface RolloutParts {
  readonly database: Database
  readonly commit: (change: Change) => Promise<ChangeResult>
  readonly now: () => number
  /** Ms since some moment; set by tests. */
  readonly monotonicMs?: () => number
  /** Called after each host, for a command that shows progress. */
  readonly onHostDone?: (rollout: Rollout, host: string, reshaped: Exclude<ReshapeResult, { did: 'conflict' }>) => void
}

const ROUND_MS = 5_000 // shorter than the lease of the task, so that two servers rarely run the same rollout
const TRIES = 20 // a busy host is left to the next round, not waited for

/** Runs one round of the open rollout, if any, and returns it as it is afterwards; null if none was ever started. */
export async function rolloutRound(parts: RolloutParts): Promise<Rollout | null> {
  const { monotonicMs = () => performance.now() } = parts
  // A clock that was set back would make one round of the whole rollout, and a server that stops would wait for it.
  const until = monotonicMs() + ROUND_MS
  let conflicts = 0
  for (;;) {
    const rollout = await readLastRollout(parts.database)
    const host = rollout && rolloutHost(rollout)
    if (rollout === null || host === null || conflicts === TRIES || monotonicMs() > until) return rollout
    const attribution = { actor: { who: rollout.by, request: rollout.id, reason: rollout.reason }, at: parts.now() }
    const reshaped = await reshapeHost({ ...parts, attribution }, host, rollout)
    if (reshaped.did === 'conflict') conflicts += 1
    else {
      conflicts = 0
      parts.onHostDone?.(rollout, host, reshaped)
    }
  }
}
