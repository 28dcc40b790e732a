import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

// A captured libvirt daemon of one machine, on its own socket and in its own process.

export interface CapturedDomain {
  readonly uuid: string
  readonly name: string
  readonly cpus: readonly number[]
}

export class CapturedHost {
  /** A server that can read this folder discovers the socket. */
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-e2e-'))
  private child: ChildProcess | null = null

  async start(): Promise<void> {
    const socketPath = path.join(this.folder, 'libvirt-sock')
    this.child = spawn(process.execPath, ['--import', 'tsx', 'server/cli/captured-host.ts', socketPath], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await this.answered()
  }

  /** From now on reports this name and these running domains. */
  async become(hostname: string, domains: readonly CapturedDomain[]): Promise<void> {
    const answered = this.answered()
    this.child?.stdin?.write(`${JSON.stringify({ hostname, domains })}\n`)
    await answered
  }

  /** Stops listening. */
  async kill(): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  async stop(): Promise<void> {
    await this.kill()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }

  private answered(): Promise<unknown> {
    return once(this.child?.stdout as NodeJS.ReadableStream, 'data')
  }
}
