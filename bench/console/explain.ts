import type { Browser, Page } from '@playwright/test'
import type { Api } from './api'
import { openWindow, watchFor } from './browser'

// Explain over the whole fleet, from the click to the verdicts on the screen: in the drawer that starts a
// migration, and on its own page when repeated.

export interface ExplainRow {
  readonly name: string
  /** Ascending. */
  readonly ms: readonly number[]
}

const VERDICTS = 'table[aria-label="Verdict"] tr[data-row]'
const MATRIX = 'table[aria-label="Hosts and rules"] tr[data-row]'

export async function measureExplain(
  browser: Browser,
  api: Api,
  { instance, times }: { instance: string; times: number },
): Promise<readonly ExplainRow[]> {
  const opened: number[] = []
  const asked: number[] = []
  const nearest: number[] = []
  for (let time = 0; time < times; time++) {
    opened.push(await openMigrateDrawer(browser, api, instance))
    asked.push(await measureRecheck(browser, api, 'explain.get'))
    nearest.push(await measureRecheck(browser, api, 'explain.nearest'))
  }
  const up = (a: number, b: number) => a - b
  return [
    { name: 'live migration, click to verdicts', ms: opened.sort(up) },
    { name: 'checked again, click to matrix', ms: asked.sort(up) },
    { name: 'checked again, click to fixes and largest shape', ms: nearest.sort(up) },
  ]
}

async function openMigrateDrawer(browser: Browser, api: Api, instance: string): Promise<number> {
  const { context, page } = await openWindow(browser, api)
  try {
    const ready = await watchFor(page, '[role=tabpanel] section')
    await page.goto(`/instances/${instance}`, { waitUntil: 'commit' })
    await ready()
    await page.evaluate(noteFromClick, { shown: VERDICTS })
    await page.getByRole('main').getByRole('button', { name: 'Live-migrate', exact: true }).click()
    return await fromClick(page)
  } finally {
    await context.close()
  }
}

/** Until the last response of that name is painted: first the verdicts, then their nearest fixes. */
async function measureRecheck(
  browser: Browser,
  api: Api,
  answered: 'explain.get' | 'explain.nearest',
): Promise<number> {
  const { context, page } = await openWindow(browser, api)
  try {
    const ready = await watchFor(page, MATRIX)
    await page.goto('/explain?vcpus=96&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated', { waitUntil: 'commit' })
    await ready()
    // Wait for the initial queries to end, so that none of them counts as the response to the click.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some((e) => e.name.includes('explain.nearest')),
    )
    await page.evaluate(noteFromClick, { answered })
    await page.getByRole('button', { name: 'Check again' }).click()
    return await fromClick(page)
  } finally {
    await context.close()
  }
}

/** Measures from the next click until `shown` exists, or the response of a query with that name is painted. */
function noteFromClick({ shown, answered }: { shown?: string; answered?: string }): void {
  const onClick = () => {
    const clickedAt = performance.now()
    const painted = () => requestAnimationFrame(() => Object.assign(window, { tookMs: performance.now() - clickedAt }))
    if (answered) {
      // The browser records a response when its last byte has arrived; its changes are painted a frame later.
      new PerformanceObserver((list) => {
        const entries = list.getEntries()
        if (entries.some(({ name, startTime }) => name.includes(answered) && startTime >= clickedAt)) {
          requestAnimationFrame(painted)
        }
      }).observe({ type: 'resource' })
    }
    if (!shown) return
    const update = () => {
      if (!document.querySelector(shown)) return
      observer.disconnect()
      painted()
    }
    const observer = new MutationObserver(update)
    observer.observe(document, { subtree: true, childList: true })
  }
  window.addEventListener('pointerdown', onClick, { capture: true, once: true })
}

async function fromClick(page: Page): Promise<number> {
  await page.waitForFunction(() => 'tookMs' in window)
  return page.evaluate(() => (window as unknown as { tookMs: number }).tookMs)
}
