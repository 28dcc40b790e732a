import { type ChildProcess, execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import type { Compute } from './config'

// Daemons of the rig, and tools that run to completion.

const PYTHON = '/usr/bin/python3'
/** Folder with the rig's driver for nova-compute. */
const DRIVERS = path.join(import.meta.dirname, 'nova')
const STOP_LIMIT_MS = 8_000
const PORT_LIMIT_MS = 120_000

const computeName = (host: Compute) => `nova-compute-${host}`

/** Processes by name, each in its own process group. Only these are ever signalled. */
export class Processes {
  private readonly running = new Map<string, ChildProcess>()

  constructor(private readonly folder: string) {
    // If the start times out, the test worker exits without calling `stop`.
    process.once('exit', () => {
      for (const name of this.running.keys()) this.signal(name, 'SIGKILL')
    })
  }

  start(name: string, [program = '', ...args]: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    const log = fs.openSync(path.join(this.folder, 'log', `${name}.out`), 'a')
    const child = spawn(program, args, {
      ...{ detached: true, stdio: ['ignore', log, log], env: { ...process.env, PYTHONWARNINGS: 'ignore', ...env } },
    })
    fs.closeSync(log)
    this.running.set(name, child)
  }

  nova(name: string, module: string): void {
    this.start(name, this.novaCommand(name, module, []))
  }

  /** `inside`: prefix of the command if the host is a separate machine. */
  compute(host: Compute, inside: readonly string[]): void {
    const name = computeName(host)
    const command = this.novaCommand(name, 'compute', ['--config-file', `${this.folder}/${host}.conf`])
    this.start(name, [...inside, ...command], { PATH: `${this.folder}/bin:${process.env.PATH}` })
  }

  private novaCommand(name: string, module: string, more: readonly string[]): readonly string[] {
    const args = ['--config-file', `${this.folder}/nova.conf`, ...more, '--log-file', `${this.folder}/log/${name}.log`]
    return [PYTHON, '-c', calling(`nova.cmd.${module}`, name, args)]
  }

  signalCompute(host: Compute, signal: NodeJS.Signals): void {
    this.signal(computeName(host), signal)
  }

  /** Output of a tool. Runs asynchronously, because the tool may need a server in this process. */
  ask(
    module: string,
    name: string,
    args: readonly string[],
  ): Promise<{ readonly ok: boolean; readonly output: string }> {
    return new Promise((resolve) => {
      execFile(PYTHON, ['-c', calling(module, name, args)], { encoding: 'utf8' }, (error, stdout, stderr) =>
        resolve({ ok: error === null, output: `${stdout}${stderr}` }),
      )
    })
  }

  /** Throws with the output of the tool if it fails. */
  async run(module: string, name: string, args: readonly string[]): Promise<void> {
    const { ok, output } = await this.ask(module, name, args)
    if (!ok) throw new Error(`${name} ${args.join(' ')}: ${output.slice(-2_000)}`)
  }

  /** Stops one process; does nothing if there is none of that name. */
  async stop(name: string): Promise<void> {
    const child = this.running.get(name)
    if (child !== undefined) await this.end(name, child)
  }

  async stopNova(): Promise<void> {
    const names = [...this.running.keys()].filter((name) => name.startsWith('nova-'))
    await Promise.all(names.map((name) => this.stop(name)))
  }

  async stopAll(): Promise<void> {
    // Later processes depend on earlier ones.
    for (const [name, child] of [...this.running].reverse()) await this.end(name, child)
  }

  private signal(name: string, signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.running.get(name) ?? {}
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal)
  }

  private async end(name: string, child: ChildProcess): Promise<void> {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const { pid } = child
    const gone = new Promise((resolve) => child.once('exit', resolve))
    const timer = setTimeout(() => this.signal(name, 'SIGKILL'), STOP_LIMIT_MS)
    process.kill(-pid, 'SIGTERM')
    // A frozen process receives SIGTERM only after this.
    process.kill(-pid, 'SIGCONT')
    await gone
    clearTimeout(timer)
    try {
      // Children that the daemon left behind.
      process.kill(-pid, 'SIGKILL')
    } catch {
      // There are none.
    }
  }
}

/** Returns a command's output; throws with it on failure. */
export const run = (
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { encoding: 'utf8', env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`)),
    )
  })

/** Nova loads drivers from its own package only. */
const WITH_DRIVERS = `'nova.virt' in sys.modules and sys.modules['nova.virt'].__path__.append(${JSON.stringify(DRIVERS)}); `

const calling = (module: string, name: string, args: readonly string[]) =>
  `import sys; sys.argv = ${JSON.stringify([name, ...args])}; from ${module} import main; ${WITH_DRIVERS}sys.exit(main())`

export async function untilOpen(port: number): Promise<void> {
  const deadline = Date.now() + PORT_LIMIT_MS
  while (Date.now() < deadline) {
    if (await isOpen(port)) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`Nothing listens on port ${port}.`)
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
