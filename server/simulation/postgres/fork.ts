import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import type { Orders, ServerOrders, ServerSays } from './orders'

// Server processes, a few of them always loaded and waiting: a process takes longer to load than it lives.

export interface ServerProcess {
  readonly running: boolean
  kill(): void
  /** Ends it in order; answers when it is gone. */
  leave(): Promise<void>
  live(): void
  /** Answers when it is gone, however that came. */
  readonly gone: Promise<void>
}

export interface Servers {
  start(orders: Omit<ServerOrders, 'do'>): Promise<ServerProcess>
  stop(): Promise<void>
}

const SOURCE = path.join(import.meta.dirname, 'server.ts')
const BUNDLES = path.join(import.meta.dirname, '../../../.data/simulation')

/** One file loads in a third of the time of many, and loading is most of what a server that soon dies costs. */
async function bundleServer(): Promise<string> {
  const outfile = path.join(BUNDLES, `${randomUUID()}.mjs`)
  const common = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const
  await build({ ...common, entryPoints: [SOURCE], outfile, logLevel: 'error' })
  return outfile
}

interface Warm {
  readonly child: ChildProcess
  readonly ready: Promise<void>
}

export async function makeServers(spare: number, onError: (what: string) => void): Promise<Servers> {
  const file = await bundleServer()
  const waiting: Warm[] = []
  const all = new Set<ChildProcess>()
  const warmUp = () => {
    const child = fork(file, { execArgv: [] })
    all.add(child)
    child.once('exit', () => all.delete(child))
    const ready = new Promise<void>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`a server ended with code ${code} before it was asked to serve`)))
      child.on('message', (says: ServerSays) => {
        if (says.is === 'ready') resolve()
        else onError(says.what)
      })
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
      // Killed, or ended in order: any other end is a crash, and nobody may take it for a kill.
      child.once('exit', (code, signal) => {
        if (signal !== 'SIGKILL' && code !== 0) onError(`${orders.owner} crashed with code ${code}`)
      })
      return serving(child, { ...orders, do: 'serve' })
    },
    stop: async () => {
      const ends = [...all].map((child) => new Promise<void>((resolve) => child.once('exit', () => resolve())))
      for (const child of all) child.kill('SIGKILL')
      await Promise.all(ends)
      await rm(file, { force: true })
    },
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
    // It may have killed itself a moment ago; then there is nobody to tell.
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
