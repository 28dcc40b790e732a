import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { CloudFiles } from './cloud-console'

// A cloud on loopback in its own process, with its access log.

export class ReplayedCloud {
  readonly log: string[] = []
  private child: ChildProcess | null = null

  /** Returns its clouds.yaml and secure.yaml. */
  async start(...sizes: readonly number[]): Promise<CloudFiles> {
    const args = ['server/cli/replayed-cloud.ts', ...sizes.map(String)]
    const child = spawn(process.execPath, ['--import', 'tsx', ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.child = child
    const lines = createInterface({ input: child.stdout })
    const [first] = (await once(lines, 'line')) as [string]
    lines.on('line', (line) => this.log.push(line))
    return JSON.parse(first)
  }

  /** `boot`, `migrate`, `end`, `lose`, `die` or `live`. */
  change(word: string): void {
    this.child?.stdin?.write(`${word}\n`)
  }

  /** Stops listening. */
  async stop(): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
}
