import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import type { ClockOrders, ClockSays } from './orders'

export interface ClockServer {
  /** SIGKILL; answers when it is gone. */
  kill(): Promise<void>
}

export interface ClockServers {
  /** Answers when it serves. */
  start(orders: ClockOrders): Promise<ClockServer>
  stop(): Promise<void>
}

const SOURCE = path.join(import.meta.dirname, 'server.ts')
const BUNDLES = path.join(import.meta.dirname, '../../../.data/simulation')

/** Processes with the whole server in one file. `onFailure` hears of those that ended without being killed. */
export async function makeClockServers(
  simulatorSpeed: number,
  onFailure: (what: string) => void,
): Promise<ClockServers> {
  const outfile = path.join(BUNDLES, `${randomUUID()}.mjs`)
  const common = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const
  await build({ ...common, entryPoints: [SOURCE], outfile, logLevel: 'error' })
  const own = { BERTH_DEMO: 'no', BERTH_LOG: 'silent', SIMULATOR_SPEED: String(simulatorSpeed) }
  const all = new Set<ChildProcess>()
  return {
    start: async (orders) => {
      const child = fork(outfile, { execArgv: [], env: { ...process.env, ...own } })
      all.add(child)
      child.once('exit', (code, signal) => {
        all.delete(child)
        if (signal !== 'SIGKILL') onFailure(`a server ended with code ${code}`)
      })
      await serving(child, orders)
      return { kill: () => killed(child) }
    },
    stop: async () => {
      await Promise.all([...all].map(killed))
      await rm(outfile, { force: true })
    },
  }
}

function serving(child: ChildProcess, orders: ClockOrders): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`a server ended with code ${code} before it served`)))
    child.on('message', (says: ClockSays) => {
      if (says.is === 'ready') child.send(orders)
      else if (says.is === 'serving') resolve()
      else reject(new Error(says.what))
    })
  })
}

function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
