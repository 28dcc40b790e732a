import type { Change, ChangeResult } from '../engine/change'
import { type Wave, waveHost } from '../engine/layout/wave'
import type { Database } from '../store/database/database'
import { readLastWave } from '../store/layout/read'
import { type ReshapeResult, reshapeHost } from '../store/layout/reshape'

// Runs the open rollout host by host. Its whole state is in the rollout's row: a server that is killed here leaves the
// current host flat or nested, and the next round, on any server, continues with that host.

export interface WaveParts {
  readonly database: Database
  readonly commit: (change: Change) => Promise<ChangeResult>
  readonly now: () => number
  /** Told after each host; for a command that shows progress. */
  readonly onHostDone?: (wave: Wave, host: string, reshaped: Exclude<ReshapeResult, { did: 'conflict' }>) => void
}

const ROUND_MS = 5_000 // shorter than the lease of the task, so that two servers rarely run the same wave
const TRIES = 20 // a busy host is left to the next round, not waited for

/** Runs one round of the open rollout, if any, and returns it as it is afterwards; null if none was ever started. */
export async function waveRound(parts: WaveParts): Promise<Wave | null> {
  const until = parts.now() + ROUND_MS
  let conflicts = 0
  for (;;) {
    const wave = await readLastWave(parts.database)
    const host = wave && waveHost(wave)
    if (wave === null || host === null || conflicts === TRIES || parts.now() > until) return wave
    const moment = { actor: { who: wave.by, request: wave.id, reason: wave.reason }, at: parts.now() }
    const reshaped = await reshapeHost({ ...parts, moment }, host, wave)
    if (reshaped.did === 'conflict') conflicts += 1
    else {
      conflicts = 0
      parts.onHostDone?.(wave, host, reshaped)
    }
  }
}
