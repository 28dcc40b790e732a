import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { requestAt } from '../../server/api/testing/hostile/client'
import { removeCluster } from '../../server/boot/postgres/cluster'

// A separate Berth for the bench: the same process as `npm start`, on its own temporary database.

const READY_LIMIT_MS = 20 * 60_000 // enough to create a fleet of 10,000 hosts on a busy machine
const STOP_LIMIT_MS = 25_000
const PASSWORD = 'opens-the-bench-fleet'

interface Entrant {
  readonly from?: string
  readonly username?: string
}

export interface ServerOptions {
  readonly port: number
  /** Size of the demo fleet that is created at the first start: HOSTSxINSTANCES. */
  readonly demo: string
  /** Speed of the simulated hosts, as a multiple of real hosts. */
  readonly speed: number
}

export class BenchServer {
  readonly origin: string
  readonly directory: string
  readonly #port: number
  readonly #demo: string
  #child: ChildProcess | null = null
  #log = ''

  private constructor({ port, demo }: ServerOptions) {
    this.#port = port
    this.#demo = demo
    this.origin = `http://127.0.0.1:${port}`
    this.directory = `.data/bench-postgres-${port}`
  }

  /** Starts on a new database. */
  static async start(options: ServerOptions): Promise<BenchServer> {
    const server = new BenchServer(options)
    await server.#run('generated/server/e2e-main.mjs', options.speed)
    return server
  }

  /** Restarts on the same database, with another speed of the simulated hosts. */
  async restart(speed: number): Promise<void> {
    await this.#end()
    await this.#run('generated/server/main.mjs', speed)
  }

  /** The URL of its database, for rows written without Berth. */
  get databaseUrl(): string {
    return fs.readFileSync(`${this.directory}.url`, 'utf8')
  }

  /** The end of its output, and its exit status if it has exited. */
  get log(): string {
    return this.#log
  }

  /** How it exited unexpectedly; null while it runs. */
  get death(): string | null {
    const { exitCode = null, signalCode = null } = this.#child ?? {}
    return exitCode === null && signalCode === null
      ? null
      : `the server exited by itself: ${signalCode ?? `exit code ${exitCode}`}`
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Resident memory of its process in bytes; null where the system does not report it. */
  get rssBytes(): number | null {
    const status = `/proc/${this.#child?.pid}/status`
    const [, kib] = (fs.existsSync(status) && /VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(status, 'utf8'))) || []
    return kib ? Number(kib) * 1024 : null
  }

  async remove(): Promise<void> {
    await this.#end()
    await removeCluster(this.directory)
    fs.rmSync(`${this.directory}.url`, { force: true })
  }

  async #run(main: string, speed: number): Promise<void> {
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      ...{ NODE_ENV: 'production', DATABASE_URL: '', HOST: '127.0.0.1', PORT: String(this.#port) },
      ...{ BERTH_POSTGRES_DIR: this.directory, BERTH_DEMO: this.#demo, SIMULATOR_SPEED: String(speed) },
      ...{ BERTH_ADMIN_PASSWORD: PASSWORD, BERTH_URL: '', BERTH_METRICS_TOKEN: this.metricsToken },
    }
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const note = (chunk: Buffer) => {
      this.#log = `${this.#log}${chunk}`.slice(-4000)
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    this.#child = child
    await this.#untilReady(child)
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + READY_LIMIT_MS
    while (child.exitCode === null && Date.now() < deadline) {
      const answer = await fetch(`${this.origin}/readyz`).catch(() => null)
      if (answer?.ok) return
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error(`Berth did not start on ${this.origin}:\n${this.#log}`)
  }

  async #end(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
    clearTimeout(timer)
  }

  readonly password = PASSWORD
  readonly metricsToken = randomUUID()

  /** Signs in, by default as the first admin, from a local address. Returns the session cookie. */
  async signIn({ from, username = 'admin' }: Entrant = {}): Promise<string> {
    const { status, headers, text } = await requestAt(
      this.#port,
      {
        method: 'POST',
        path: '/api/auth/sign-in/username',
        headers: { 'content-type': 'application/json', origin: this.origin },
        body: Buffer.from(JSON.stringify({ username, password: PASSWORD })),
      },
      from === undefined ? {} : { from },
    )
    const cookie = headers['set-cookie']?.[0]?.split(';')[0]
    if (status !== 200 || !cookie) throw new Error(`${username} could not sign in: ${status} ${text}`)
    return cookie
  }
}
