import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Browser } from '@playwright/test'
import { type Api, openApi } from './console/api'
import { openBrowser } from './console/browser'
import { measureExplain } from './console/explain'
import { measureHeap } from './console/heap'
import { measurePages } from './console/pages'
import { measureScroll } from './console/scroll'
import { BenchServer } from './console/server'
import { measureStreams } from './console/streams'
import { type Visit, visitsOf } from './console/subjects'

// The console at production size: 500 hosts with 20,000 instances, in a real browser against the production server.
// Everything is measured from outside, as a user experiences it. Other load on the machine affects the times, so the
// load is printed with them; bytes do not depend on it.

export interface ConsoleRow {
  readonly name: string
  readonly figure: string
  readonly against: string
  /** At least 1 if the figure meets its goal; null without a goal. */
  readonly ratio: number | null
}

/** The parts of the bench; each can run alone. */
export const PARTS = ['cold', 'js', 'explain', 'streams', 'heap', 'scroll'] as const
export type Part = (typeof PARTS)[number]

export interface ConsoleOptions {
  readonly parts: readonly Part[]
  readonly fleet: string
  readonly manyHosts: string
  readonly times: number
  readonly heapWarmMs: number
  readonly heapBusyMs: number
  readonly streamMs: number
}

export const FULL: ConsoleOptions = {
  parts: PARTS,
  fleet: '500x20000',
  manyHosts: '10000x0',
  times: 3,
  heapWarmMs: 6 * 60_000,
  heapBusyMs: 8 * 60_000,
  streamMs: 30_000,
}
export const QUICK = {
  ...{ fleet: '24x200', manyHosts: '1000x0', times: 1 },
  ...{ heapWarmMs: 30_000, heapBusyMs: 30_000, streamMs: 10_000 },
}
const PORT = Number(process.env.BENCH_PORT || 3260)
const PAGE_GOAL_MS = 1_000
const EXPLAIN_GOAL_MS = 1_000
const SCRIPT_GOAL_BYTES = 250_000
const LAG_GOAL_MS = 2_000
const FRAMES_GOAL = 0.95 // of the frames within a sixtieth of a second
const STREAMS = 200
const MIGRATIONS = 50
/** Events of an hour with fifty migrations, as the streams count them: 500 to 600 in half a minute. */
const HOUR_EVENTS = 70_000
/** How much a tab may grow in that hour. A measurement is accurate to some tenths of a megabyte. */
const HEAP_GOAL_BYTES = 5_000_000
/** Results that no screen shows are cached this long, so the heap of a younger tab still grows. */
const CACHE_RETENTION_MS = 5 * 60_000
const BUSY_SPEED = 20

type Say = (row: ConsoleRow) => void

export async function benchConsole(options: ConsoleOptions = FULL, say: Say = () => {}): Promise<ConsoleRow[]> {
  execFileSync(process.execPath, ['server/boot/setup.mjs', 'build'], { stdio: 'inherit' })
  const rows: ConsoleRow[] = []
  const note = (more: readonly ConsoleRow[]) => {
    const load = os.loadavg()[0]?.toFixed(1)
    for (const row of more) {
      const loaded = { ...row, against: [row.against, `load ${load}`].filter(Boolean).join(', ') }
      rows.push(loaded)
      say(loaded)
    }
  }
  const browser = await openBrowser()
  try {
    if (options.parts.some((part) => part !== 'scroll')) await onFleet(browser, options, note)
    if (options.parts.includes('scroll')) await onManyHosts(browser, options, note)
  } finally {
    await browser.close()
  }
  return rows
}

type Note = (rows: readonly ConsoleRow[]) => void

async function onFleet(browser: Browser, options: ConsoleOptions, note: Note): Promise<void> {
  const server = await BenchServer.start({ port: PORT, demo: options.fleet, speed: 1 })
  try {
    const api = openApi(server.origin, await server.signIn())
    await onVisits({ browser, api, databaseUrl: server.databaseUrl }, options, note)
    if (options.parts.includes('streams')) {
      note(streamRows(await measureStreams(api, { streams: STREAMS, migrations: MIGRATIONS, forMs: options.streamMs })))
    }
    if (!options.parts.includes('heap')) return
    await server.restart(BUSY_SPEED)
    const busy = openApi(server.origin, await server.signIn())
    const heap = { migrations: MIGRATIONS, warmMs: options.heapWarmMs, busyMs: options.heapBusyMs }
    note(heapRows(await measureHeap(browser, busy, heap), heap.warmMs > CACHE_RETENTION_MS))
  } finally {
    await server.remove()
  }
}

interface BenchContext {
  readonly browser: Browser
  readonly api: Api
  readonly databaseUrl: string
}

async function onVisits({ browser, api, databaseUrl }: BenchContext, { parts, times }: ConsoleOptions, note: Note) {
  const asked = (part: Part) => parts.includes(part)
  if (!asked('cold') && !asked('js') && !asked('explain')) return
  const visits = await visitsOf(api, databaseUrl)
  if (asked('cold') || asked('js')) {
    const options = { times: asked('cold') ? times : 1 } // bytes are the same each time
    for (const visit of visits) {
      const costs = await measurePages(browser, api, { visits: [visit], ...options })
      if (asked('cold')) note(coldRows(costs))
      if (asked('js')) note(scriptRows(costs))
    }
  }
  if (asked('explain')) note(explainRows(await measureExplain(browser, api, { instance: instanceIn(visits), times })))
}

async function onManyHosts(browser: Browser, { manyHosts, times }: ConsoleOptions, note: Note): Promise<void> {
  const server = await BenchServer.start({ port: PORT, demo: manyHosts, speed: 1 })
  try {
    const api = openApi(server.origin, await server.signIn())
    note(scrollRows(await measureScroll(browser, api, times)))
  } finally {
    await server.remove()
  }
}

const instanceIn = (visits: readonly Visit[]) =>
  visits
    .find(({ name }) => name === '/instances/:id')
    ?.address.split('/')
    .at(-1) ?? ''

const ms = (value: number) => `${value.toFixed(0)} ms`
const kb = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const percent = (part: number) => `${(100 * part).toFixed(0)} %`

/** The median of several tries is compared with the goal; the best one shows what an idle machine can do. */
const middle = <Value>(sorted: readonly Value[]) => sorted[sorted.length >> 1]
const middleMs = (sorted: readonly number[]) => middle(sorted) ?? Number.NaN

type PageRows = (costs: Awaited<ReturnType<typeof measurePages>>) => ConsoleRow[]

const coldRows: PageRows = (costs) =>
  costs.map((cost) => ({
    name: `${cost.name}, cold`,
    figure: ms(middleMs(cost.readyMs)),
    against: `at most ${ms(PAGE_GOAL_MS)}; best ${ms(cost.readyMs[0] ?? 0)}, ${cost.requests} requests, data ${kb(cost.dataBytes)}`,
    ratio: PAGE_GOAL_MS / middleMs(cost.readyMs),
  }))

const scriptRows: PageRows = (costs) =>
  costs.map((cost) => ({
    name: `${cost.name}, first JavaScript`,
    figure: kb(cost.scriptBytes),
    against: `at most ${kb(SCRIPT_GOAL_BYTES)}; ${cost.scripts} files`,
    ratio: SCRIPT_GOAL_BYTES / cost.scriptBytes,
  }))

const explainRows = (rows: Awaited<ReturnType<typeof measureExplain>>): ConsoleRow[] =>
  rows.map((row) => ({
    name: `explain, ${row.name}`,
    figure: ms(middleMs(row.ms)),
    against: `at most ${ms(EXPLAIN_GOAL_MS)}; best ${ms(row.ms[0] ?? 0)}`,
    ratio: EXPLAIN_GOAL_MS / middleMs(row.ms),
  }))

function streamRows(row: Awaited<ReturnType<typeof measureStreams>>): ConsoleRow[] {
  const summary = `${row.events} events in ${row.messages} messages, ${mb(row.bytes)} in ${row.seconds} s`
  const short = row.short > 0 ? `; ${row.short} streams missed events` : ''
  return [
    {
      name: `${row.streams} streams, ${row.migrations.toFixed(0)} migrations run, lag p99`,
      figure: ms(row.p99Ms),
      against: `at most ${ms(LAG_GOAL_MS)}; p50 ${ms(row.p50Ms)}, p95 ${ms(row.p95Ms)}, longest ${ms(row.longestMs)}; ${summary}${short}`,
      ratio: LAG_GOAL_MS / row.p99Ms,
    },
  ]
}

type HeapRow = Awaited<ReturnType<typeof measureHeap>>

function heapRows({ before, after, ...row }: HeapRow, isWarm: boolean): ConsoleRow[] {
  const hourly = ((after.heapBytes - before.heapBytes) / row.events) * HOUR_EVENTS
  const heap = `heap at rest ${mb(before.heapBytes)} to ${mb(after.heapBytes)}`
  const counts = `nodes ${before.nodes} to ${after.nodes}, listeners ${before.listeners} to ${after.listeners}`
  return [
    {
      name: `a tab open, ${row.events} events in ${row.minutes.toFixed(1)} min: growth in an hour of ${HOUR_EVENTS}`,
      figure: mb(hourly),
      against: `${isWarm ? `at most ${mb(HEAP_GOAL_BYTES)}; ` : ''}${heap}, ${counts}`,
      ratio: isWarm ? HEAP_GOAL_BYTES / Math.max(HEAP_GOAL_BYTES / 100, hourly) : null,
    },
  ]
}

const scrollRows = (rows: Awaited<ReturnType<typeof measureScroll>>): ConsoleRow[] =>
  rows.flatMap(({ hand, hosts, rowsPassed, rounds, bare }) => {
    const [round, best, empty] = [middle(rounds), rounds.at(-1), middle(bare)]
    // A user cannot turn a wheel that fast: the flung rate shows the margin and has no goal.
    const goal = hand === 'turned' ? FRAMES_GOAL : null
    if (!round || !best || !empty) return []
    const spread = `${round.frames} frames, median ${round.medianMs.toFixed(1)} ms, p95 ${round.p95Ms.toFixed(1)} ms, longest ${ms(round.longestMs)}`
    return {
      name: `${hosts} hosts, wheel ${hand} (${round.pxPerSecond.toFixed(0)} px/s), frames in time`,
      figure: percent(round.inTime),
      against: `${goal ? `at least ${percent(goal)}; ` : ''}best ${percent(best.inTime)}, ${spread}, at row ${rowsPassed}; an empty page here ${percent(empty.inTime)}`,
      ratio: goal && round.inTime / goal,
    }
  })

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await benchConsole(FULL, ({ name, figure, against }) =>
    console.log(`${name.padEnd(56)} ${figure.padStart(9)}  ${against}`),
  )
}
