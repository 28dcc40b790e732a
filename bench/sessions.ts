import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { requestAt } from '../server/api/testing/hostile/client'
import { makeToken } from './attack/attackers'
import { watchServer } from './attack/watch'
import { type Api, openApi } from './console/api'
import { startLoad } from './console/load'
import { BenchServer } from './console/server'
import { listen, type StreamStats } from './console/streams'
import { spreadText as spread } from './spread'

// A working day on one server: users with an open page, each with a session and an event stream, that refetch at random
// intervals; clients that claim at a fixed rate, however long responses take; migrations; and a metrics scraper. Build
// first.
//
//  npx tsx bench/sessions.ts [--sessions 200] [--claims 50] [--migrations 10] [--minutes 10] [--fleet 60x1500] [--port 3392]

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '200' },
    claims: { type: 'string', default: '50' },
    migrations: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '10' },
    fleet: { type: 'string', default: '60x1500' },
    port: { type: 'string', default: '3392' },
  },
})
const settings = {
  sessions: Number(values.sessions),
  claimsPerS: Number(values.claims),
  migrations: Number(values.migrations),
  forMs: Number(values.minutes) * 60_000,
  port: Number(values.port),
}

const LIST = { limit: 100 }
const PAGES = [
  { path: 'overview.get', input: undefined },
  { path: 'host.list', input: LIST },
  { path: 'instance.list', input: LIST },
  { path: 'migration.list', input: { ...LIST, view: 'flight' } },
] as const
/** A page refetches at most this often, as the console does. */
const MIN_REFETCH_MS = 2_000
/** A page refetches at least this often. */
const IDLE_MS = 15_000
const PROVIDERS = 50
const SIGN_INS_AN_ADDRESS = 20
const MIB = 1024 * 1024

interface Figures {
  readonly reads: number[]
  readonly writes: number[]
  readonly errors: string[]
}

let admin: Api | null = null
const server = await BenchServer.start({ port: settings.port, demo: values.fleet, speed: 1 })
try {
  await measure()
} finally {
  await server.remove()
}

async function measure(): Promise<void> {
  const figures: Figures = { reads: [], writes: [], errors: [] }
  const stats: StreamStats = { lags: [], messages: 0, bytes: 0, counting: true }
  const people: Api[] = []
  for (let n = 0; n < settings.sessions; n++) people.push(await enter(n))
  const [first] = people
  if (!first) throw new Error('There are no sessions.')
  const load = await startLoad(first, settings.migrations)
  const watch = watchServer(server)
  const readers = await Promise.all(people.map((person) => listen(person, stats)))
  const beganMib = (server.rssBytes ?? 0) / MIB
  const ending = new AbortController()
  const over = ending.signal
  setMaxListeners(0, over)
  setTimeout(() => ending.abort(), settings.forMs)
  const telling = setInterval(() => console.error(`so far ${countsOf(figures)}`), 60_000)
  const running = load.noteRunning()
  await Promise.all([
    ...people.map((person, n) => pollPage(person, { page: PAGES[n % PAGES.length] ?? PAGES[0], figures, over })),
    claimOn(figures, over),
  ])
  clearInterval(telling)
  const moving = running()
  for (const reader of readers) reader.close()
  const endedMib = (server.rssBytes ?? 0) / MIB
  const { blockedMs, noiseMs } = await watch.stop()
  await load.stop()
  console.log(
    `${settings.sessions} sessions, ${settings.claimsPerS} claims/s, ${moving.toFixed(1)} migrations in flight`,
  )
  console.log(`reads: ${figures.reads.length}, ${spread(figures.reads)}`)
  console.log(`claims and releases: ${figures.writes.length}, ${spread(figures.writes)}`)
  console.log(`events: ${stats.messages} messages, lag ${spread(stats.lags)}`)
  console.log(`memory: ${beganMib.toFixed(0)} MiB at the start, ${endedMib.toFixed(0)} MiB at the end`)
  console.log(
    `the event loop was blocked for up to ${blockedMs.toFixed(0)} ms, in this process ${noiseMs.toFixed(0)} ms`,
  )
  console.log(`errors: ${figures.errors.length}`)
  for (const error of figures.errors.slice(0, 10)) console.log(`  ${error}`)
  process.exitCode = figures.errors.length === 0 ? 0 : 1
}

function countsOf({ reads, writes, errors }: Figures): string {
  return `${reads.length} reads, ${writes.length} claims and releases, ${errors.length} errors`
}

/** Spreads sessions over accounts and addresses, because the sign-in limits per minute are too low for one of each. */
async function enter(n: number): Promise<Api> {
  const desk = Math.floor(n / SIGN_INS_AN_ADDRESS)
  const from = `127.0.1.${1 + desk}`
  if (n === 0) return openApi(server.origin, await server.signIn({ from }))
  const username = `person_${desk}`
  if (n % SIGN_INS_AN_ADDRESS === 0 || n === 1) {
    admin ??= openApi(server.origin, await server.signIn({ from: '127.0.2.1' }))
    const person = { username, name: username, email: `${username}@berth.test`, role: 'operator' }
    await admin.mutate('user.create', { ...person, password: server.password })
  }
  return openApi(server.origin, await server.signIn({ from, username }))
}

interface PollingOptions {
  readonly page: (typeof PAGES)[number]
  readonly figures: Figures
  readonly over: AbortSignal
}

async function pollPage(person: Api, { page, figures, over }: PollingOptions): Promise<void> {
  await pause(Math.random() * MIN_REFETCH_MS)
  while (!over.aborted) {
    const began = performance.now()
    await person.query(page.path, page.input).then(
      () => figures.reads.push(performance.now() - began),
      (error: unknown) => figures.errors.push(String(error)),
    )
    const wait = MIN_REFETCH_MS + Math.random() * (IDLE_MS - MIN_REFETCH_MS)
    await pause(wait, null, { signal: over }).catch(() => null)
  }
}

/** Claims at a fixed rate: a slow claim does not delay the next one. */
async function claimOn({ writes, errors }: Figures, over: AbortSignal): Promise<void> {
  const token = makeToken(server)
  const headers = {
    'x-auth-token': token,
    'openstack-api-version': 'placement 1.39',
    'content-type': 'application/json',
  }
  const send = async (method: string, path: string, body?: unknown) => {
    const text = body === undefined ? null : Buffer.from(JSON.stringify(body))
    return requestAt(settings.port, { method, path: `/placement${path}`, headers, body: text })
  }
  const providers: string[] = []
  while (providers.length < PROVIDERS) {
    const uuid = randomUUID()
    await send('POST', '/resource_providers', { name: uuid, uuid })
    const inventory = { resource_provider_generation: 0, inventories: { VCPU: { total: 100_000 } } }
    const made = await send('PUT', `/resource_providers/${uuid}/inventories`, inventory)
    if (made.status !== 200) throw new Error(`No provider could be created: ${made.status} ${made.text}`)
    providers.push(uuid)
  }
  const timed = async (method: string, path: string, body?: unknown) => {
    const began = performance.now()
    const { status, text } = await send(method, path, body)
    if (status >= 200 && status < 300) writes.push(performance.now() - began)
    else errors.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
  }
  const claim = async (n: number) => {
    const consumer = randomUUID()
    const allocations = { [providers[n % PROVIDERS] ?? '']: { resources: { VCPU: 1 } } }
    const owner = { project_id: 'p', user_id: 'u', consumer_type: 'INSTANCE', consumer_generation: null }
    await timed('PUT', `/allocations/${consumer}`, { allocations, ...owner })
    await pause(10_000 * Math.random(), null, { signal: over }).catch(() => null)
    await timed('DELETE', `/allocations/${consumer}`)
  }
  const began = performance.now()
  const under: Promise<void>[] = []
  for (let n = 0; !over.aborted; n++) {
    under.push(claim(n))
    const due = began + ((n + 1) * 1_000) / settings.claimsPerS
    await pause(Math.max(0, due - performance.now()))
  }
  await Promise.all(under)
}
