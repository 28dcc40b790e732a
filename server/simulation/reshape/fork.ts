import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import type { ReshapeOrders, ReshapeSays } from './orders'

// Processes that carry waves; one is always loaded and waiting, because loading takes longer than most of them live.

export interface Carrier {
  readonly running: boolean
  kill(): void
  /** The signal it died of, or null when it ended by itself. */
  readonly gone: Promise<NodeJS.Signals | null>
}

export interface Carriers {
  /** One that carries the open wave of that database from now on. */
  start(orders: ReshapeOrders): Promise<Carrier>
  stop(): Promise<void>
}

const SOURCE = path.join(import.meta.dirname, 'server.ts')
const BUNDLES = path.join(import.meta.dirname, '../../../.data/simulation')

export async function makeCarriers(): Promise<Carriers> {
  const outfile = path.join(BUNDLES, `${randomUUID()}.mjs`)
  const common = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const
  await build({ ...common, entryPoints: [SOURCE], outfile, logLevel: 'error' })
  const all = new Set<ChildProcess>()
  const warm = () => {
    const child = fork(outfile, { execArgv: [] })
    all.add(child)
    child.once('exit', () => all.delete(child))
    return { child, ready: said(child, 'ready') }
  }
  let next = warm()
  return {
    start: async (orders) => {
      const { child, ready } = next
      next = warm()
      await ready
      return carrying(child, orders)
    },
    stop: async () => {
      next.ready.catch(() => {})
      const ends = [...all].map((child) => new Promise<void>((resolve) => child.once('exit', () => resolve())))
      for (const child of all) child.kill('SIGKILL')
      await Promise.all(ends)
      await rm(outfile, { force: true })
    },
  }
}

function said(child: ChildProcess, what: 'ready' | 'serving'): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a carrier ended with code ${code} before it was ${what}`)))
    child.on('message', (says: ReshapeSays) => {
      if (says.is === what) resolve()
    })
  })
}

async function carrying(child: ChildProcess, orders: ReshapeOrders): Promise<Carrier> {
  let running = true
  const gone = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      running = false
      if (signal !== null || code === 0) resolve(signal)
      else reject(new Error(`a carrier crashed with code ${code}`))
    })
  })
  const serving = said(child, 'serving')
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
