import type { Browser, Page } from '@playwright/test'
import type { Api } from './api'
import { openDesk, watchFor } from './browser'

// A table of 10,000 hosts is scrolled from its top by the wheel, as people do it. There is no graphics card where this
// runs as a rule: the browser then paints in software, with the same processors that draw the rows, so the figures are
// the worst a person could have. The time between frames is read where frames are made, on the page.

/** A frame of 60 a second, and the half millisecond by which clocks differ. */
const FRAME_MS = 1000 / 60 + 0.5
const WHEELS = 240
const WHEEL_PX = 400
const WHEEL_EVERY_MS = 32

export interface ScrollRow {
  readonly hosts: number
  readonly rowsPassed: number
  readonly frames: number
  /** Of the frames, as a part of 1. */
  readonly inTime: number
  readonly medianMs: number
  readonly p95Ms: number
  readonly longestMs: number
  /** The same with an empty page that scrolls: what this machine can do at all. */
  readonly bare: { readonly inTime: number; readonly p95Ms: number }
}

export async function measureScroll(browser: Browser, api: Api): Promise<ScrollRow> {
  const { context, page } = await openDesk(browser, api)
  try {
    const ready = await watchFor(page, 'table[aria-label="Hosts"] tr[data-row]')
    await page.goto('/hosts', { waitUntil: 'commit' })
    await ready()
    const table = page.locator('table[aria-label="Hosts"]')
    const hosts = Number(await table.getAttribute('aria-rowcount')) - 1
    const box = await table.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 400, (box?.y ?? 0) + 300)
    await scrolled(page, 40) // the first rows also load code
    const frames = await scrolled(page, WHEELS)
    const last = await page.locator('tr[data-row]').last().getAttribute('data-row')
    return { ...spread(frames), hosts, rowsPassed: Number(last), bare: await bare(context.newPage()) }
  } finally {
    await context.close()
  }
}

/** A page of the same height with nothing but lines. */
async function bare(opened: Promise<Page>): Promise<ScrollRow['bare']> {
  const page = await opened
  await page.setContent(`<body>${'<p>a line</p>'.repeat(2_000)}</body>`)
  await page.mouse.move(400, 300)
  const { inTime, p95Ms } = spread(await scrolled(page, WHEELS / 2))
  return { inTime, p95Ms }
}

/** Times between frames while the wheel turns, in ms. */
async function scrolled(page: Page, wheels: number): Promise<readonly number[]> {
  await page.evaluate(noteFrames)
  for (let nth = 0; nth < wheels; nth++) {
    await page.mouse.wheel(0, WHEEL_PX)
    await page.waitForTimeout(WHEEL_EVERY_MS)
  }
  return page.evaluate(() => (window as unknown as { endFrames(): number[] }).endFrames())
}

function noteFrames(): void {
  const between: number[] = []
  let last = performance.now()
  let going = true
  const frame = (now: number) => {
    between.push(now - last)
    last = now
    if (going) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  const endFrames = () => {
    going = false
    return between.slice(1)
  }
  Object.assign(window, { endFrames })
}

function spread(frames: readonly number[]) {
  const sorted = [...frames].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  const inTime = sorted.filter((ms) => ms <= FRAME_MS).length / sorted.length
  return { frames: sorted.length, inTime, medianMs: at(0.5), p95Ms: at(0.95), longestMs: at(1) }
}
