import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, CDPSession } from '@playwright/test'
import type { Api } from './api'
import { openWindow, watchFor } from './browser'
import { startLoad } from './load'

// Does the heap of an open tab grow? Its content changes the heap by up to a megabyte, so it is measured with an idle
// fleet, before and after a busy period. The query library caches results that no screen shows for five minutes, so the
// first busy period is longer: both measurements then include as many of them.

export interface HeapOptions {
  readonly migrations: number
  readonly warmMs: number
  readonly busyMs: number
}

export interface HeapRow {
  /** Events that the tab received between the two measurements, and the duration. */
  readonly events: number
  readonly minutes: number
  readonly before: Weight
  readonly after: Weight
}

interface Weight {
  /** JavaScript heap after garbage collection. */
  readonly heapBytes: number
  readonly nodes: number
  readonly listeners: number
}

const POLL_INTERVAL_MS = 1_000
/** Until the last events have arrived and rendered, and their highlights have faded. */
const SETTLES_MS = 15_000
const REST_LIMIT_MS = 180_000
const WEIGHINGS = 3

export async function measureHeap(browser: Browser, api: Api, options: HeapOptions): Promise<HeapRow> {
  const { context, page } = await openWindow(browser, api)
  try {
    const ready = await watchFor(page, '[data-host], [data-place]')
    await page.goto('/overview', { waitUntil: 'commit' })
    await ready()
    const tools = await context.newCDPSession(page)
    await tools.send('HeapProfiler.enable')
    await busyFor(api, options.migrations, options.warmMs)
    const [before, since, begun] = [await weigh(tools), await lastEvent(api), Date.now()]
    await busyFor(api, options.migrations, options.busyMs)
    const after = await weigh(tools)
    return { events: (await lastEvent(api)) - since, minutes: (Date.now() - begun) / 60_000, before, after }
  } finally {
    await context.close()
  }
}

/** Keeps this many migrations running, then waits until all have ended, except those in flight before. */
async function busyFor(api: Api, migrations: number, ms: number): Promise<void> {
  const inFlight = async () => (await api.query('migration.counts')).flight
  const before = await inFlight()
  const load = await startLoad(api, migrations)
  await pause(ms)
  await load.stop()
  const until = Date.now() + REST_LIMIT_MS
  while ((await inFlight()) > before) {
    if (Date.now() > until) throw new Error('Migrations do not end, so the heap cannot be measured at rest.')
    await pause(POLL_INTERVAL_MS)
  }
  await pause(SETTLES_MS)
}

const lastEvent = async (api: Api) => Number((await api.query('overview.get')).seq)

/** The minimum of several measurements: a temporary allocation is not growth. */
async function weigh(tools: CDPSession): Promise<Weight> {
  const weights: Weight[] = []
  for (let time = 0; time < WEIGHINGS; time++) {
    weights.push(await weighOnce(tools))
    await pause(POLL_INTERVAL_MS)
  }
  return weights.reduce((least, each) => (each.heapBytes < least.heapBytes ? each : least))
}

async function weighOnce(tools: CDPSession): Promise<Weight> {
  await tools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await tools.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await tools.send('Memory.getDOMCounters')
  return { heapBytes: usedSize, nodes, listeners: jsEventListeners }
}
