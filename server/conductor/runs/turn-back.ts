import { heed } from '../../engine/migration/machine'
import type { Migration } from '../../engine/migration/state'
import { wishChange } from '../../engine/migration/wish'
import type { RunMove, WholeRun } from '../../store/run/row'
import { isTurnedBack, type Seen } from './follow'
import { type RunnerParts, starterOf, written } from './parts'

// A target that falls silent in the middle of a move holds a slot that the other guests need. The run wishes the abort
// that a person would wish; what the machine makes of it, and what waits for the host then, is the machine's.

const PATIENCE_MS = 30_000 // a hypervisor that restarts is back by then

/** Null when somebody wrote first. */
export async function turnBack(parts: RunnerParts, whole: WholeRun, { active }: Seen): Promise<WholeRun | null> {
  let now: WholeRun | null = whole
  for (const move of whole.moves) {
    const migration = active.find(({ id }) => id === move.migration)
    if (move.state !== 'moving' || isTurnedBack(move) || !migration || !hasWaited(migration, parts.now())) continue
    now = now && (await giveUp(parts, now, { move, migration }))
  }
  return now
}

function hasWaited({ waiting, target, stepSince, attempt }: Migration, now: number): boolean {
  return waiting?.for === 'host' && waiting.host === target && attempt > 1 && now - stepSince > PATIENCE_MS
}

interface GivingUp {
  readonly move: RunMove
  readonly migration: Migration
}

async function giveUp(parts: RunnerParts, whole: WholeRun, { move, migration }: GivingUp): Promise<WholeRun | null> {
  const at = parts.now()
  const heeded = heed(migration, 'abort', at)
  // Past its point of no return it goes on by itself, and the run waits for it.
  if (!heeded.ok) return whole
  const host = (await parts.hosts()).find(({ id }) => id === whole.run.host)
  const actor = starterOf(whole.run, host?.name ?? whole.run.host)
  const change = wishChange(migration, heeded.migration, { wish: 'abort', actor, askedAt: at, at })
  const put = [{ ...move, note: 'its target does not answer' }]
  const set = { replanBecause: `the target of ${move.name} does not answer` }
  return written(parts, whole, { set, put, change, kind: 'run.move-given-up', data: { n: move.n } })
}
