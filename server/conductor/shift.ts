import type { Database } from '../store/database'
import { noteShift } from '../store/shift'

// Says every other second that this server carries moves. A screen can then tell a move that was slow from one that
// nobody led.

const BEAT_MS = 2_000
const SILENCE_MS = 6_000 // a busy machine may be late by a beat or two without having been away

export interface ShiftParts {
  readonly database: Database
  readonly owner: string
  /** How far this machine's clock is ahead of the database's. */
  clockOffsetMs(): number
  onError(what: string, error: unknown): void
}

export function startShift({ database, owner, clockOffsetMs, onError }: ShiftParts): { stop(): Promise<void> } {
  let told: Promise<void> = Promise.resolve()
  const tell = () => {
    told = noteShift(database, { owner, silenceMs: SILENCE_MS, clockOffsetMs: clockOffsetMs() }).catch((error) =>
      onError('telling that moves are carried', error),
    )
  }
  tell()
  const timer = setInterval(tell, BEAT_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await told
      tell()
      await told
    },
  }
}
