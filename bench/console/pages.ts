import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import type { Api } from './api'
import { openWindow, watchFor } from './browser'
import type { Visit } from './subjects'

// The cost of opening a page for the first time: time until its data are on the screen, and bytes.

export interface PageCost {
  readonly name: string
  /** Until the data were painted, ascending. */
  readonly readyMs: readonly number[]
  /** JavaScript loaded until then, in bytes on the wire. */
  readonly scriptBytes: number
  readonly scripts: number
  /** API responses, uncompressed. */
  readonly dataBytes: number
  readonly requests: number
  /** Blocked time of the main thread: ms beyond 50 of each long task. */
  readonly blockedMs: number
}

export async function measurePages(
  browser: Browser,
  api: Api,
  { visits, times }: { visits: readonly Visit[]; times: number },
): Promise<readonly PageCost[]> {
  const costs: PageCost[] = []
  for (const visit of visits) {
    await openOnce(browser, api, visit) // the server loads a page's code on its first visit
    const seen: VisitCost[] = []
    for (let time = 0; time < times; time++) seen.push(await openOnce(browser, api, visit))
    const readyMs = seen.map((each) => each.readyMs).sort((a, b) => a - b)
    const { readyMs: _own, ...last } = seen.at(-1) as VisitCost
    costs.push({ ...last, name: visit.name, readyMs, blockedMs: Math.min(...seen.map((each) => each.blockedMs)) })
  }
  return costs
}

type VisitCost = Omit<PageCost, 'name' | 'readyMs'> & { readonly readyMs: number }

async function openOnce(browser: Browser, api: Api, { name, address, ready }: Visit): Promise<VisitCost> {
  const { context, page } = await openWindow(browser, api)
  try {
    await page.addInitScript(noteLongTasks)
    const readyMs = await watchFor(page, ready)
    await page.goto(address, { waitUntil: 'commit' })
    const at = await readyMs().catch((cause) => {
      throw new Error(`${name} did not show ${ready}`, { cause })
    })
    return { readyMs: at, ...(await loadedUntil(page, at)) }
  } finally {
    await context.close()
  }
}

function noteLongTasks(): void {
  const longTasks: number[] = []
  Object.assign(window, { longTasks })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

async function loadedUntil(page: Page, atMs: number): Promise<Omit<VisitCost, 'readyMs'>> {
  const { files, blockedMs } = await page.evaluate((until) => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const { longTasks } = window as unknown as { longTasks: readonly number[] }
    return {
      files: entries
        .filter(({ startTime }) => startTime <= until)
        .map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize })),
      blockedMs: longTasks.reduce((sum, ms) => sum + Math.max(0, ms - 50), 0),
    }
  }, atMs)
  const scripts = files.filter(({ name }) => /\.js(\?|$)/.test(name))
  const sizes = await Promise.all(scripts.map((file) => wireBytes(page, file)))
  const data = files.filter(({ name }) => name.includes('/api/trpc/'))
  return {
    scriptBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    scripts: scripts.length,
    dataBytes: data.reduce((sum, file) => sum + file.decodedBodySize, 0),
    requests: files.length,
    blockedMs,
  }
}

interface ResourceTiming {
  readonly name: string
  readonly encodedBodySize: number
  readonly decodedBodySize: number
}

/** The size on the wire; a response sent uncompressed counts as gzipped. */
async function wireBytes(page: Page, file: ResourceTiming): Promise<number> {
  if (file.encodedBodySize > 0 && file.encodedBodySize < file.decodedBodySize) return file.encodedBodySize
  const body = await (await page.request.get(file.name)).body()
  return gzipSync(body).length
}
