import path from 'node:path'
import { killed, makeProcesses, startServing } from '../processes'
import type { ServerOrders, ServingPorts } from './orders'

// The copies of Berth, each with its own route to the database.

export interface Copy {
  readonly api: string
  readonly placement: string
  /** SIGKILL; resolves when it has exited. */
  kill(): Promise<void>
}

export interface BerthCopies {
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
export async function startCopies(
  orders: readonly ServerOrders[],
  { log, onFailure }: { readonly log: string; onFailure(what: string): void },
): Promise<BerthCopies> {
  const processes = await makeProcesses(SOURCE)
  const copies: (Copy | null)[] = orders.map(() => null)
  const revive = async (n: number) => {
    const order = orders[n]
    if (!order) return
    const options = { name: 'copy', orders: order, env: { ...SETTINGS, BERTH_LOG: log }, onFailure }
    const { child, serving } = await startServing<ServingPorts>(processes, options)
    const at = (port: number) => `http://127.0.0.1:${port}`
    const copy = { api: at(serving.api), placement: at(serving.placement), kill: () => killed(child) }
    child.once('exit', () => {
      if (copies[n] === copy) copies[n] = null
    })
    copies[n] = copy
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
