import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import { answerOf, makeProcesses, type ProcessMessage } from '../processes'
import type { ReshapeOrders } from './orders'

// Processes that run rollouts. One is always loaded and waiting, because loading takes longer than most of them live.

export interface RolloutProcess {
  readonly running: boolean
  kill(): void
  /** The signal that killed it, or null if it exited on its own. */
  readonly gone: Promise<NodeJS.Signals | null>
}

export interface RolloutProcesses {
  /** Starts a process that runs the open rollout in that database. */
  start(orders: ReshapeOrders): Promise<RolloutProcess>
  stop(): Promise<void>
}

const SOURCE = path.join(import.meta.dirname, 'server.ts')

export async function makeRolloutProcesses(): Promise<RolloutProcesses> {
  const processes = await makeProcesses(SOURCE)
  const warm = () => {
    const child = processes.fork()
    return { child, ready: awaitMessage(child, 'ready') }
  }
  let next = warm()
  return {
    start: async (orders) => {
      const { child, ready } = next
      next = warm()
      await ready
      return runningRollout(child, orders)
    },
    stop: async () => {
      next.ready.catch(() => {})
      await processes.stop()
    },
  }
}

const awaitMessage = (child: ChildProcess, what: 'ready' | 'serving') =>
  answerOf(child, (says: ProcessMessage) => says.is === what || undefined, 'a rollout process')

async function runningRollout(child: ChildProcess, orders: ReshapeOrders): Promise<RolloutProcess> {
  let running = true
  const gone = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      running = false
      if (signal !== null || code === 0) resolve(signal)
      else reject(new Error(`a rollout process crashed with code ${code}`))
    })
  })
  const serving = awaitMessage(child, 'serving')
  child.send(orders)
  await serving
  return {
    get running() {
      return running
    },
    kill: () => void child.kill('SIGKILL'),
    gone,
  }
}
