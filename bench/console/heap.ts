import type { Browser, CDPSession } from '@playwright/test'
import type { Api } from './api'
import { openDesk, watchFor } from './browser'
import { keepMoving } from './pump'

// Does a tab that stays open grow? It is given as many events as an hour of a busy fleet brings, faster; after each
// part of them the garbage is collected and what is left is weighed.

export interface HeapOptions {
  readonly moves: number
  readonly samples: number
  readonly everyMs: number
}

export interface HeapRow {
  readonly events: number
  readonly minutes: number
  /** Bytes of JavaScript after a collection, sample by sample; the first ones warm up. */
  readonly heapBytes: readonly number[]
  readonly nodes: readonly number[]
  readonly listeners: readonly number[]
  /** Of the line through the later half of the samples. */
  readonly bytesPer1000Events: number
}

export async function measureHeap(browser: Browser, api: Api, options: HeapOptions): Promise<HeapRow> {
  const { context, page } = await openDesk(browser, api)
  const pump = await keepMoving(api, options.moves)
  try {
    const ready = await watchFor(page, '[data-host], [data-place]')
    await page.goto('/overview', { waitUntil: 'commit' })
    await ready()
    const tools = await context.newCDPSession(page)
    await tools.send('HeapProfiler.enable')
    const begun = Date.now()
    const samples: Sample[] = []
    for (let nth = 0; nth < options.samples; nth++) {
      await page.waitForTimeout(options.everyMs)
      samples.push(await weigh(tools, api))
    }
    const first = samples[0] as Sample
    const last = samples.at(-1) as Sample
    return {
      events: last.seq - first.seq,
      minutes: (Date.now() - begun) / 60_000,
      heapBytes: samples.map(({ heapBytes }) => heapBytes),
      nodes: samples.map(({ nodes }) => nodes),
      listeners: samples.map(({ listeners }) => listeners),
      bytesPer1000Events: slope(samples.slice(Math.floor(samples.length / 2))) * 1000,
    }
  } finally {
    await pump.stop()
    await context.close()
  }
}

interface Sample {
  readonly seq: number
  readonly heapBytes: number
  readonly nodes: number
  readonly listeners: number
}

async function weigh(tools: CDPSession, api: Api): Promise<Sample> {
  await tools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await tools.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await tools.send('Memory.getDOMCounters')
  const { seq } = await api.query('overview.get')
  return { seq: Number(seq), heapBytes: usedSize, nodes, listeners: jsEventListeners }
}

/** Bytes an event, by least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, each) => sum + of(each), 0) / samples.length
  const [x, y] = [mean(({ seq }) => seq), mean(({ heapBytes }) => heapBytes)]
  const along = samples.reduce((sum, { seq, heapBytes }) => sum + (seq - x) * (heapBytes - y), 0)
  const across = samples.reduce((sum, { seq }) => sum + (seq - x) ** 2, 0)
  return across === 0 ? 0 : along / across
}
