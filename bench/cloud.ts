import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Api, openApi } from './console/api'
import { openBrowser } from './console/browser'
import { measurePages } from './console/pages'
import { BenchServer } from './console/server'
import { cpuMsOf } from './cpu-time'
import { spreadText } from './spread'

// A large OpenStack cloud, replayed by a separate process, and a server that watches it: the first pass, then some
// minutes of an idle cloud while its lists are opened, then its pages in a browser, then instances that boot. Build first.
//
//   npx tsx bench/cloud.ts [--hosts 500] [--instances 20000] [--minutes 5] [--port 3394]

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '500' },
    instances: { type: 'string', default: '20000' },
    minutes: { type: 'string', default: '5' },
    port: { type: 'string', default: '3394' },
  },
})
const restMs = Number(values.minutes) * 60_000
const MIB = 1024 * 1024
const FIRST_PASS_LIMIT_MS = 20 * 60_000
const POLL_INTERVAL_MS = 500
const BOOTS = 10
const TIMES = 7
const REASON = 'measuring'

class Replay {
  requests = 0
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(hosts: string, instances: string): Promise<{ readonly replay: Replay; readonly files: Files }> {
    const args = ['--import', 'tsx', 'server/cli/replayed-cloud.ts', hosts, instances]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const replay = new Replay(child)
    const files = await new Promise<Files>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('{')) resolve(JSON.parse(line))
        else replay.requests++
      })
    })
    return { replay, files }
  }

  boot(): void {
    this.#child.stdin?.write('boot\n')
  }

  end(): void {
    this.#child.kill('SIGTERM')
  }
}

interface Files {
  readonly clouds: string
  readonly secure: string
}

const server = await BenchServer.start({ port: Number(values.port), demo: 'no', speed: 1 })
const { replay, files } = await Replay.start(values.hosts, values.instances)
try {
  const api = openApi(server.origin, await server.signIn())
  const id = await firstPass(api)
  if (restMs > 0) await atRest(api, id)
  await journeys(api, id)
  await screens(api, id)
  await changes(api, id)
} finally {
  replay.end()
  await server.remove()
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** CPU time of the server and its PostgreSQL since then. */
function usedSince(cpuMs: number): number {
  return cpuMsOf([server.pid]) - cpuMs
}

function memoryText(): string {
  return `${((server.rssBytes ?? 0) / MIB).toFixed(0)} MiB`
}

async function firstPass(api: Api): Promise<string> {
  const [cpuMs, begun] = [cpuMsOf([server.pid]), performance.now()]
  const upload = { ...files, ca: null, cloud: null, region: null, interface: null }
  const { cloud: id } = await api.mutate('cloud.add', { name: 'replayed', upload, reason: REASON })
  await until(FIRST_PASS_LIMIT_MS, async () => (await instancesOf(api, id)) === Number(values.instances))
  const took = `${((performance.now() - begun) / 1000).toFixed(1)} s, ${(usedSince(cpuMs) / 1000).toFixed(1)} s of CPU`
  console.log(`${values.hosts} hosts, ${values.instances} instances`)
  console.log(`first pass: ${took}, ${replay.requests} requests, memory ${memoryText()}`)
  return id
}

async function atRest(api: Api, id: string): Promise<void> {
  await pause(2 * 60_000) // covers the second list of all instances, and code that pages load on first use
  const [cpuMs, requests, begun] = [cpuMsOf([server.pid]), replay.requests, performance.now()]
  const pages = {
    overview: () => api.query('cloud.byId', { id }),
    hosts: () => api.query('cloud.hosts', { id, limit: 100 }),
    instances: () => api.query('cloud.instances', { id, limit: 100 }),
    'instances of one host': () =>
      api.query('cloud.instances', { id, where: [{ key: 'host', any: ['cmp7'] }], limit: 100 }),
    migrations: () => api.query('cloud.migrations', { id, limit: 100 }),
    findings: () => api.query('cloud.findings', { id, limit: 100 }),
    drift: () => api.query('cloud.drift', { id, limit: 100 }),
  }
  const taken = new Map(Object.keys(pages).map((name): [string, number[]] => [name, []]))
  while (performance.now() - begun < restMs) {
    for (const [name, ask] of Object.entries(pages)) {
      taken.get(name)?.push(await msOf(ask))
      await pause(POLL_INTERVAL_MS)
    }
  }
  const tookMs = performance.now() - begun
  const perS = ((replay.requests - requests) / tookMs) * 1000
  const share = (usedSince(cpuMs) / tookMs) * 100
  console.log(`idle: ${perS.toFixed(1)} requests/s, ${share.toFixed(0)} % of one core, memory ${memoryText()}`)
  for (const [name, times] of taken) console.log(`  ${name}: ${spreadText(times)}`)
}

/** The effect of an action with its possible hosts, and the plan that empties a host: neither sends anything. */
async function journeys(api: Api, id: string): Promise<void> {
  const instance = (await api.query('cloud.instances', { id, limit: 1 })).rows[0]?.id ?? ''
  const questions = {
    'explain a live migration': () => api.query('cloudAction.explain', { id, verb: 'live-migrate', subject: instance }),
    'plan a drain': () => api.query('cloudDrain.plan', { id, host: 'cmp7', cold: true, most: 4 }),
  }
  for (const [name, ask] of Object.entries(questions)) {
    const taken: number[] = []
    for (let time = 0; time < TIMES; time++) taken.push(await msOf(ask))
    console.log(`  ${name}: ${spreadText(taken)}`)
  }
}

/** Opens each page in its own window with a cold cache, as a user does. */
async function screens(api: Api, id: string): Promise<void> {
  const tab = (name: string, ready: string) => ({ name, address: `/clouds/${id}?tab=${name}`, ready })
  const rows = 'main tr[data-row]'
  const visits = [
    { name: 'clouds', address: '/clouds', ready: rows },
    tab('overview', 'main section'),
    ...['hosts', 'instances'].map((name) => tab(name, rows)),
    { name: 'one host', address: `/clouds/${id}/hosts/cmp7`, ready: 'main section' },
  ]
  const browser = await openBrowser()
  try {
    for (const { name, readyMs, scriptBytes } of await measurePages(browser, api, { visits, times: TIMES }))
      console.log(`  screen, ${name}: ${spreadText(readyMs)}, ${(scriptBytes / 1000).toFixed(0)} kB of JavaScript`)
  } finally {
    await browser.close()
  }
}

/** Waits until a booted instance is in the list. */
async function changes(api: Api, id: string): Promise<void> {
  const shown: number[] = []
  for (let count = 1; count <= BOOTS; count++) {
    const begun = performance.now()
    replay.boot()
    await until(60_000, async () => (await instancesOf(api, id)) === Number(values.instances) + count)
    shown.push(performance.now() - begun)
    await pause(10_000 * Math.random())
  }
  console.log(`a booted instance is listed after: ${spreadText(shown)}`)
}

async function instancesOf(api: Api, id: string): Promise<number | undefined> {
  return (await api.query('cloud.byId', { id })).status?.counts?.instances
}

async function until(limitMs: number, holds: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + limitMs; performance.now() < end; await pause(POLL_INTERVAL_MS / 5))
    if (await holds()) return
  throw new Error(`Timed out after ${limitMs / 1000} s:\n${server.log}`)
}
