import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import { answerOf, makeProcesses, type ProcessMessage } from '../processes'
import type { Orders, ServerOrders } from './orders'

// Server processes. A few are always loaded and waiting, because a process takes longer to load than it runs.

export interface ServerProcess {
  readonly running: boolean
  kill(): void
  /** Stops it cleanly; resolves when it has exited. */
  leave(): Promise<void>
  live(): void
  /** Resolves when it has exited, for whatever reason. */
  readonly gone: Promise<void>
}

export interface Servers {
  start(orders: Omit<ServerOrders, 'do'>): Promise<ServerProcess>
  stop(): Promise<void>
}

const SOURCE = path.join(import.meta.dirname, 'server.ts')

interface Warm {
  readonly child: ChildProcess
  readonly ready: Promise<true>
}

export async function makeServers(spare: number, onError: (what: string) => void): Promise<Servers> {
  const processes = await makeProcesses(SOURCE)
  const waiting: Warm[] = []
  const warmUp = () => {
    const child = processes.fork()
    const ready = answerOf(child, (says: ProcessMessage) => {
      if (says.is === 'failed') onError(says.what)
      return says.is === 'ready' || undefined
    })
    ready.catch(() => {})
    waiting.push({ child, ready })
  }
  for (let n = 0; n < spare; n++) warmUp()
  return {
    start: async (orders) => {
      warmUp()
      const { child, ready } = waiting.shift() as Warm
      await ready
      // Killed or stopped cleanly. Any other exit is a crash, which must not be taken for a kill.
      child.once('exit', (code, signal) => {
        if (signal !== 'SIGKILL' && code !== 0) onError(`${orders.owner} crashed with code ${code}`)
      })
      return serving(child, { ...orders, do: 'serve' })
    },
    stop: processes.stop,
  }
}

function serving(child: ChildProcess, orders: ServerOrders): ServerProcess {
  let running = true
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      running = false
      resolve()
    })
  })
  const send = (what: Orders) => {
    // It may have killed itself a moment ago; then nothing can receive the message.
    if (running && child.connected) child.send(what, () => {})
  }
  send(orders)
  return {
    get running() {
      return running
    },
    kill: () => void child.kill('SIGKILL'),
    leave: async () => {
      send({ do: 'leave' })
      await gone
    },
    live: () => send({ do: 'live' }),
    gone,
  }
}
