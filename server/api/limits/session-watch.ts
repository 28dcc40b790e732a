import type { SessionReader } from '../../store/user/session'

// Ends streams when their session ends. One query per second for all streams of this server, on its own connection:
// neither a backlog of events nor an exhausted pool can delay it.

export type SessionEnd = 'signed-out' | 'role-changed'

export interface SessionWatch {
  /** Calls `onEnd` once, at most `everyMs` and one statement after the session ended. Answers how to stop watching. */
  watch(session: WatchedSession, onEnd: (why: SessionEnd) => void): () => void
  stop(): Promise<void>
}

export interface WatchedSession {
  readonly session: string
  readonly role: string
}

interface SessionSubscription extends WatchedSession {
  readonly onEnd: (why: SessionEnd) => void
}

export interface SessionWatchOptions {
  readonly reader: SessionReader
  readonly everyMs?: number
  readonly onFailure: (error: unknown) => void
}

const CHECK_INTERVAL_MS = 1_000

export function makeSessionWatch({
  reader,
  everyMs = CHECK_INTERVAL_MS,
  onFailure,
}: SessionWatchOptions): SessionWatch {
  const watched = new Set<SessionSubscription>()
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  const poll = async () => {
    const asked = [...watched]
    const roles = await reader.read([...new Set(asked.map(({ session }) => session))])
    for (const one of asked) {
      const role = roles.get(one.session)
      if (role === one.role || !watched.delete(one)) continue
      one.onEnd(role === undefined ? 'signed-out' : 'role-changed')
    }
  }
  const plan = () => {
    if (isStopped) return
    timer ??= setTimeout(async () => {
      // An unreachable database proves nothing about a session.
      await poll().catch((error: unknown) => isStopped || onFailure(error))
      timer = null
      if (watched.size > 0) plan()
    }, everyMs)
    timer.unref()
  }
  return {
    watch: ({ session, role }, onEnd) => {
      const one = { session, role, onEnd }
      watched.add(one)
      plan()
      return () => void watched.delete(one)
    },
    stop: async () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await reader.close()
    },
  }
}
