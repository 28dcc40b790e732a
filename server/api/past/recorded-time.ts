import { readPastSince } from '../../store/past/past'
import { refuse } from '../refusal/refused'
import type { ApiServices } from '../services'

const CLOCKS_DIFFER_MS = 60_000 // a browser clock ahead by less than this means now

/** Refuses a time without history: before it was recorded, or in the future. */
export async function refuseUnrecordedTime({ database, now }: ApiServices, at: number): Promise<void> {
  const [from, to] = [await readPastSince(database), now()]
  if (at < from) return refuseTime(at, `a time after ${new Date(from).toISOString()}`)
  // Otherwise present state would appear as past state.
  if (at > to + CLOCKS_DIFFER_MS) refuseTime(at, `a time in the past, up to ${new Date(to).toISOString()}`)
}

function refuseTime(at: number, need: string): never {
  const have = new Date(at).toISOString()
  const next = 'Choose another time, or return to now.'
  refuse('bad-input', { need, have, what: 'Read a past state', next })
}
