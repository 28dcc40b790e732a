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
    child.once('exit', (code) => reject(new Error(`${what} ended with code ${code} before it was asked to`)))
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
