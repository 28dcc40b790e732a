import type { Database } from '../store/database/database'
import { renewServerSession } from '../store/task/server-session'

// A heartbeat every other second while this server runs migrations. It distinguishes a slow migration from one without
// a server.

const BEAT_MS = 2_000
const SILENCE_MS = 6_000 // a busy machine may miss a heartbeat or two

export interface ServerSessionParts {
  readonly database: Database
  readonly owner: string
  /** How far this machine's clock is ahead of the database's. */
  clockOffsetMs(): number
  /** Why this server's read replica does not answer. */
  replicaFailure(): string | null
  onError(what: string, error: unknown): void
}

export interface RunningServerSession {
  /** Why the last heartbeat could not be written, such as a full disk; null when it was. */
  writeFailure(): string | null
  stop(): Promise<void>
}

export function startServerSession({
  database,
  owner,
  clockOffsetMs,
  replicaFailure,
  onError,
}: ServerSessionParts): RunningServerSession {
  let renewal: Promise<void> = Promise.resolve()
  let writtenAt = performance.now()
  let failure: string | null = null
  const renew = () => {
    const heartbeat = { owner, silenceMs: SILENCE_MS, clockOffsetMs: clockOffsetMs(), replicaFailure: replicaFailure() }
    renewal = renewServerSession(database, heartbeat).then(
      () => {
        writtenAt = performance.now()
        failure = null
      },
      (error: unknown) => {
        failure = `The database takes no writes: ${error instanceof Error ? error.message : String(error)}.`
        onError('renewing the server session', error)
      },
    )
  }
  renew()
  const timer = setInterval(renew, BEAT_MS)
  return {
    writeFailure: () => {
      const silentMs = performance.now() - writtenAt
      if (failure !== null || silentMs <= SILENCE_MS) return failure
      return `The database has taken no write for ${Math.round(silentMs / 1000)} s.`
    },
    stop: async () => {
      clearInterval(timer)
      await renewal
      renew()
      await renewal
    },
  }
}
