import path from 'node:path'
import { answerOf, killed, makeProcesses } from '../processes'
import type { ServerMessage, ServerOrders } from './orders'

// The copies of Berth, each with its own route to the database.

export interface Copy {
  readonly api: string
  readonly placement: string
  /** SIGKILL; resolves when it has exited. */
  kill(): Promise<void>
}

export interface Crew {
  /** By number; null while that copy is dead. */
  readonly copies: readonly (Copy | null)[]
  kill(n: number): Promise<void>
  /** Resolves when it serves. */
  revive(n: number): Promise<void>
  stop(): Promise<void>
}

const SOURCE = path.join(import.meta.dirname, 'server.ts')
export const METRICS_TOKEN = 'of the failover simulation'
const SETTINGS = {
  BERTH_METRICS_TOKEN: METRICS_TOKEN,
  BERTH_DEMO: 'no',
  BERTH_PLACEMENT_AUTH: 'noauth2',
  SIMULATOR_SPEED: '40',
  NODE_ENV: 'production',
}

/** `onFailure` is called for copies that exit without being killed. */
export async function startCrew(
  orders: readonly ServerOrders[],
  { log, onFailure }: { readonly log: string; onFailure(what: string): void },
): Promise<Crew> {
  const processes = await makeProcesses(SOURCE)
  const copies: (Copy | null)[] = orders.map(() => null)
  const start = async (order: ServerOrders, onEnd: () => void): Promise<Copy> => {
    const child = processes.fork({ ...SETTINGS, BERTH_LOG: log })
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') return
      onFailure(`a copy ended with code ${code}`)
      onEnd()
    })
    const { api, placement } = await answerOf(child, (says: ServerMessage) => {
      if (says.is === 'failed') throw new Error(says.what)
      if (says.is === 'ready') child.send(order)
      return says.is === 'serving' ? says : undefined
    })
    const at = (port: number) => `http://127.0.0.1:${port}`
    return { api: at(api), placement: at(placement), kill: () => killed(child) }
  }
  const revive = async (n: number) => {
    const order = orders[n]
    const end = () => {
      copies[n] = null
    }
    if (order) copies[n] = await start(order, end)
  }
  for (const n of orders.keys()) await revive(n)
  return {
    copies,
    kill: async (n) => {
      const copy = copies[n]
      copies[n] = null
      await copy?.kill()
    },
    revive,
    stop: processes.stop,
  }
}
