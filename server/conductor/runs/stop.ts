import { stopped } from '../../engine/lifecycle'
import { readInstanceView } from '../../store/migration-view'
import { TRIES } from '../../store/run-plan'
import type { RunMove, WholeRun } from '../../store/run-row'
import { within } from '../run'
import { type RunnerParts, starterOf, written } from './parts'

// Guests that cannot move live and were to be stopped rather than moved cold: shut off where they are, so that the
// host may be worked on. They keep their claims and start again when a person says so.

const STOP_LIMIT_MS = 60_000 // an orderly shutdown takes its time

/** Still runs, and has not refused too often. */
export const isToStop = ({ state, method, attempts, chosen }: RunMove): boolean =>
  state === 'stays' && method === 'stop' && chosen !== 'stay' && attempts < TRIES

/** Asks the driver of each and notes what came of it; null when somebody wrote first. */
export async function stopGuests(parts: RunnerParts, whole: WholeRun): Promise<WholeRun | null> {
  let now: WholeRun | null = whole
  for (const move of whole.moves.filter(isToStop)) now = now && (await stopOne(parts, now, move))
  return now
}

// The verb is an ensure with the instance's generation as fence, so a server that dies between it and the commit only
// makes the next one ask again.
async function stopOne(parts: RunnerParts, whole: WholeRun, move: RunMove): Promise<WholeRun | null> {
  const { instance: id, name } = move
  const books = await readInstanceView(parts.database, id)
  if (books === null || books.host === null || books.activeMigration !== null) return whole
  const { instance, host } = books
  const done = { ...move, chosen: 'stay', note: `${name} is stopped` } as const
  if (instance.vmState !== 'active') return written(parts, whole, { set: {}, put: [done], kind: 'run.guest-stopped' })
  const asked = parts.drivers[host.driver].stop({ instance: id, host: host.id, fence: instance.generation })
  const answer = await within(STOP_LIMIT_MS, asked).catch(
    (error: Error) => ({ did: 'no-answer', why: error.message }) as const,
  )
  const data = { instance: id, n: move.n }
  if (answer.did === 'done') {
    const change = stopped(books, { actor: starterOf(whole.run, host.name), at: parts.now() })
    return written(parts, whole, { set: {}, put: [done], change, kind: 'run.guest-stopped', data })
  }
  const note = `${name} could not be stopped: ${'why' in answer ? answer.why : 'it changed meanwhile'}`
  const put = [{ ...move, attempts: move.attempts + 1, note }]
  return written(parts, whole, { set: {}, put, kind: 'run.guest-not-stopped', data })
}
