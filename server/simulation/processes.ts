import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

// Processes of a simulation. Loading is most of the cost of a short-lived server, and one file loads in a third of the
// time of many, so the module of a process is bundled once.

const BUNDLES = path.join(import.meta.dirname, '../../.data/simulation')

export interface Processes {
  fork(env?: Readonly<Record<string, string>>): ChildProcess
  /** Kills all running processes; resolves when they have exited. */
  stop(): Promise<void>
}

/** Forks processes that run the module at that path. */
export async function makeProcesses(source: string): Promise<Processes> {
  const outfile = path.join(BUNDLES, `${randomUUID()}.mjs`)
  const common = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const
  await build({ ...common, entryPoints: [source], outfile, logLevel: 'error' })
  const all = new Set<ChildProcess>()
  return {
    fork: (env) => {
      const child = fork(outfile, { execArgv: [], env: { ...process.env, ...env } })
      all.add(child)
      child.once('exit', () => all.delete(child))
      return child
    },
    stop: async () => {
      await Promise.all([...all].map(killed))
      await rm(outfile, { force: true })
    },
  }
}

/** Messages of a process (`serve-orders.ts`). */
export type ProcessMessage<Serving = unknown> =
  | { readonly is: 'ready' }
  | ({ readonly is: 'serving' } & Serving)
  /** It did not start, or something failed in it since. */
  | { readonly is: 'failed'; readonly what: string }

interface ServingOptions {
  readonly name: string
  readonly orders: object
  readonly env?: Readonly<Record<string, string>>
  /** Called for what fails in the process, and if it exits without being killed. */
  onFailure(what: string): void
}

/** Forks a process that serves these orders. Resolves with its message when it serves. */
export async function startServing<Serving>(
  processes: Processes,
  { name, orders, env, onFailure }: ServingOptions,
): Promise<{ readonly child: ChildProcess; readonly serving: Serving }> {
  const child = processes.fork(env)
  child.once('exit', (code, signal) => signal !== 'SIGKILL' && onFailure(`a ${name} exited with code ${code}`))
  const serving = await answerOf(child, (says: ProcessMessage<Serving>) => {
    if (says.is === 'ready') child.send(orders)
    if (says.is === 'serving') return says
    if (says.is !== 'failed') return undefined
    onFailure(says.what)
    throw new Error(says.what)
  })
  return { child, serving }
}

/** SIGKILL; resolves when it has exited. */
export function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Resolves with the first result of `read` that is not undefined; rejects if the process exits before. */
export function answerOf<Says, Answer>(
  child: ChildProcess,
  read: (says: Says) => Answer | undefined,
  what = 'a process',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${what} exited with code ${code} before it was told to`)))
    child.on('message', (says: Says) => {
      try {
        const answer = read(says)
        if (answer !== undefined) resolve(answer)
      } catch (error) {
        reject(error)
      }
    })
  })
}
