import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { originAt, settingsFor } from './address'
import { ADMIN } from './users'

// A separate Berth for specs in which the server dies. The same process as `npm start`; only its own handle is used to
// end it. The embedded PostgreSQL outlives a killed parent, and the next start adopts it.

export const READY_LIMIT_MS = 600_000 // a first start on a busy machine: initdb, migrations, a demo fleet that may be large
const STOP_LIMIT_MS = 25_000 // the server itself gives up after 20 s
const LOG_LINES = 1_000
const SHOWN_LINES = 40

export class OwnServer {
  readonly origin: string
  private child: ChildProcess | null = null
  private log: string[] = []

  /** `settings` are added to those of every test server. */
  constructor(
    private readonly port: number,
    private readonly settings: Readonly<Record<string, string>> = {},
  ) {
    this.origin = originAt(port)
  }

  /** Starts on a new database. */
  startAnew(): Promise<void> {
    return this.run('generated/server/e2e-main.mjs')
  }

  /** Starts on the data left by the previous server. */
  startAgain(): Promise<void> {
    return this.run('generated/server/main.mjs')
  }

  /** As in a power loss: nothing is reported, written or released. */
  async kill(): Promise<void> {
    await this.end('SIGKILL')
  }

  async stop(): Promise<void> {
    const timer = setTimeout(() => this.child?.kill('SIGKILL'), STOP_LIMIT_MS)
    await this.end('SIGTERM')
    clearTimeout(timer)
  }

  /** Its recent output. */
  output(): string {
    return this.log.join('\n')
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    this.child = null
  }

  private async run(main: string): Promise<void> {
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      ...settingsFor(this.port),
      NODE_ENV: 'production',
      DATABASE_URL: '',
      BERTH_ADMIN_PASSWORD: ADMIN.password,
      ...this.settings,
    }
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.child = child
    const note = (chunk: Buffer) => {
      this.log = [...this.log, ...String(chunk).split('\n')].slice(-LOG_LINES)
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    await this.untilReady(child)
  }

  private async untilReady(child: ChildProcess): Promise<void> {
    if (await becomesReady(this.origin, () => child.exitCode === null)) return
    throw new Error(`Berth did not come up on ${this.origin}:\n${this.log.slice(-SHOWN_LINES).join('\n')}`)
  }
}

/** False when it is not ready in time, or no longer `lives`. */
export async function becomesReady(origin: string, lives: () => boolean = () => true): Promise<boolean> {
  const deadline = Date.now() + READY_LIMIT_MS
  while (lives() && Date.now() < deadline) {
    if (await isReady(origin)) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

export const isReady = (origin: string): Promise<boolean> =>
  fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
