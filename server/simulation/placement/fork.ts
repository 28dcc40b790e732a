import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import type { CopyOrders, CopySays } from './orders'

// Processes that serve the Placement API, each on a port of its own.

export interface Copy {
  readonly url: string
  /** SIGKILL; answers when it is gone. */
  kill(): Promise<void>
}

export interface Copies {
  /** Answers when it serves. */
  start(orders: CopyOrders): Promise<Copy>
  stop(): Promise<void>
}

const SOURCE = path.join(import.meta.dirname, 'copy.ts')
const BUNDLES = path.join(import.meta.dirname, '../../../.data/simulation')

/** `onFailure` hears of requests that ended in a fault, and of copies that ended without being killed. */
export async function makeCopies(onFailure: (what: string) => void): Promise<Copies> {
  const outfile = path.join(BUNDLES, `${randomUUID()}.mjs`)
  const common = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const
  await build({ ...common, entryPoints: [SOURCE], outfile, logLevel: 'error' })
  const all = new Set<ChildProcess>()
  return {
    start: async (orders) => {
      const child = fork(outfile, { execArgv: [] })
      all.add(child)
      child.once('exit', (code, signal) => {
        all.delete(child)
        if (signal !== 'SIGKILL') onFailure(`a copy ended with code ${code}`)
      })
      const port = await portOf(child, orders, onFailure)
      return { url: `http://127.0.0.1:${port}`, kill: () => killed(child) }
    },
    stop: async () => {
      await Promise.all([...all].map(killed))
      await rm(outfile, { force: true })
    },
  }
}

function portOf(child: ChildProcess, orders: CopyOrders, onFailure: (what: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`a copy ended with code ${code} before it served`)))
    child.on('message', (says: CopySays) => {
      if (says.is === 'ready') child.send(orders)
      else if (says.is === 'serving') resolve(says.port)
      else onFailure(says.what)
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
