import type http from 'node:http'
import path from 'node:path'
import v8 from 'node:v8'
import type next from 'next'
import { openTraces } from '../trace/open'
import type { Berth } from '../wiring'
import { openDatabase } from './database'
import { migrate } from './migrate'
import { settingsOf } from './settings'
import { startFailure } from './start-failure'
import { withStaticFiles } from './static-files'

// The process of `npm start` and `npm run dev`: database, migrations, then Berth and the console. Each part that
// started adds how it stops to `stops`; they stop in reverse order. A failed start and a signal during the start take
// the same path.

// By default V8 lets a heap grow to four times its live size and rarely gives memory back: under hostile load a process
// with 150 MiB of live objects held 950 MiB.
v8.setFlagsFromString('--heap-growing-percent=100')

const GRACE_MS = 3_000 // for requests under way; event streams do not end on their own
const STOP_LIMIT_MS = 20_000 // after this a supervisor would kill us anyway

const began = performance.now()
const stops: { readonly part: string; readonly stop: () => Promise<unknown> }[] = []
let up = false
let leaving = false
const dev = process.argv.includes('--dev')

process.env.NEXT_TELEMETRY_DISABLED ??= '1'
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void leave(signal, 0))
try {
  await come()
} catch (error) {
  console.error(startFailure(error) ?? error)
  await leave('the start failed', 1)
}

async function come(): Promise<void> {
  Object.assign(process.env, settingsOf(process.env))
  const traces = await openTraces(process.env)
  if (traces) stops.push({ part: 'traces', stop: traces.stop })
  const database = await openDatabase(() => void readModules())
  // A start that fails because Berth is already running must not stop that instance's database.
  stops.push({ part: 'database', stop: async () => (database.shared && !up ? undefined : database.stop()) })
  say(`database: ${database.origin}`)

  // Code in Next's bundles reads it too, for example a page rendered on the server.
  process.env.DATABASE_URL = database.url
  void readModules() // the operator's own database had nothing to start
  const opening = openConsole()
  opening.catch(() => undefined)
  const applied = await migrate(database.url)
  say(`schema: ${applied.length > 0 ? `applied ${applied.join(', ')}` : 'up to date'}`)

  const { start } = await readModules()
  const berth = await start({ databaseUrl: database.url, replicaUrl: process.env.BERTH_REPLICA_URL || null, log: say })
  stops.push({ part: 'berth', stop: berth.stop })

  await serve(berth, await opening)
  await servePlacement(berth)
  up = true
}

/** Loads most modules. This keeps the process busy, so it begins once PostgreSQL is starting in its own processes. */
function readModules(): Promise<typeof import('../wiring')> {
  const wiring = import('../wiring')
  wiring.catch(() => undefined) // awaited above; the start may fail before that
  return wiring
}

type Console = ReturnType<typeof next>

function place() {
  return { hostname: process.env.HOST || '127.0.0.1', port: Number(process.env.PORT || 3000) }
}

async function openConsole(): Promise<Console> {
  const { default: next } = await import('next')
  const app = next({ dev, dir: path.join(import.meta.dirname, '../..'), ...place() })
  await app.prepare()
  return app
}

/** Resolves when the console can be opened. Only this machine can reach it unless HOST is set. */
async function serve(berth: Berth, app: Console): Promise<void> {
  const { hostname, port } = place()
  stops.push({ part: 'console', stop: () => app.close() })

  const answer = app.getRequestHandler()
  const built = path.join(import.meta.dirname, '../../.next/static')
  const server = berth.server({ answer: dev ? answer : withStaticFiles(built, answer), isDev: dev })
  if (dev) server.on('upgrade', app.getUpgradeHandler())
  await listen(server, { port, hostname })
  stops.push({ part: 'http', stop: () => closeHttp(server, berth) })
  say(`ready on http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`)
}

/** Clients written for Placement may want it at the root of a port: BERTH_PLACEMENT_PORT. */
async function servePlacement(berth: Berth): Promise<void> {
  if (!process.env.BERTH_PLACEMENT_PORT) return
  const hostname = process.env.HOST || '127.0.0.1'
  const port = Number(process.env.BERTH_PLACEMENT_PORT)
  const server = berth.placementServer()
  await listen(server, { port, hostname })
  stops.push({ part: 'placement', stop: () => closeHttp(server, berth) })
  say(`placement on http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`)
}

async function listen(server: http.Server, at: { readonly port: number; readonly hostname: string }): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(at.port, at.hostname, () => resolve()),
  )
}

/** New requests are refused immediately; those under way may use the database until the grace period ends. */
async function closeHttp(server: http.Server, berth: Berth): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await berth.quiesce()
  server.closeIdleConnections()
  const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearTimeout(grace)
}

async function leave(reason: string, code: number): Promise<void> {
  if (leaving) return
  leaving = true
  say(`stopping: ${reason}`)
  // The database may be stopped at the same time. By default, work that fails with it would end the process before its
  // parts have stopped.
  process.on('unhandledRejection', (error) => say(`failed while stopping: ${error}`))
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
  for (const { part, stop } of stops.reverse()) {
    await stop().catch((error) => console.error(`${part} failed to stop:`, error))
    say(`stopped: ${part}`)
  }
  process.exit(code)
}

function say(message: string): void {
  console.log(`[${Math.round(performance.now() - began)} ms] ${message}`)
}
