import type { Browser, Page } from '@playwright/test'
import type { Api } from './api'
import { openWindow, watchFor } from './browser'

// Scrolls a table of 10,000 hosts from its top by the wheel, as users do. Usually there is no graphics card: the
// browser then paints in software, with the same processors that render the rows, so the figures are a worst case. The
// time between frames is read on the page itself.

/** One frame at 60 Hz, plus half a millisecond of clock tolerance. */
const FRAME_MS = 1000 / 60 + 0.5
const WHEELS = 160
const WHEEL_INTERVAL_MS = 32
/** Pixels per wheel event, at about thirty events a second: one notch of a wheel, and a freely spinning wheel. */
const HANDS = { turned: 120, flung: 400 } as const
type Hand = keyof typeof HANDS

export interface ScrollRound {
  readonly frames: number
  /** Fraction of the frames. */
  readonly inTime: number
  readonly medianMs: number
  readonly p95Ms: number
  readonly longestMs: number
  readonly pxPerSecond: number
}

export interface ScrollRow {
  readonly hand: Hand
  readonly hosts: number
  /** The last row in the document at the end. */
  readonly rowsPassed: number
  /** By fraction of frames in time, worst first. */
  readonly rounds: readonly ScrollRound[]
  /** The same on an empty scrolling page right after each round: the limit of this machine. */
  readonly bare: readonly ScrollRound[]
}

interface WheelGesture {
  readonly px: number
  readonly wheels: number
}

export async function measureScroll(browser: Browser, api: Api, times: number): Promise<readonly ScrollRow[]> {
  const { context, page } = await openWindow(browser, api)
  try {
    const ready = await watchFor(page, 'table[aria-label="Hosts"] tr[data-row]')
    await page.goto('/hosts', { waitUntil: 'commit' })
    await ready()
    const table = page.locator('table[aria-label="Hosts"]')
    const hosts = Number(await table.getAttribute('aria-rowcount')) - 1
    const box = await table.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 400, (box?.y ?? 0) + 300)
    const empty = await emptyPage(context.newPage())
    await page.bringToFront()
    await scrolled(page, { px: HANDS.flung, wheels: 40 }) // the first rows also load code
    const rows: ScrollRow[] = []
    for (const hand of ['turned', 'flung'] as const) {
      const wheeling = { px: HANDS[hand], wheels: WHEELS }
      const rounds: ScrollRound[] = []
      const bare: ScrollRound[] = []
      for (let nth = 0; nth < times; nth++) {
        await page.bringToFront()
        rounds.push(await scrolled(page, wheeling))
        await empty.bringToFront()
        bare.push(await scrolled(empty, wheeling))
      }
      const last = await page.locator('tr[data-row]').last().getAttribute('data-row')
      rows.push({ hand, hosts, rowsPassed: Number(last), rounds: worstFirst(rounds), bare: worstFirst(bare) })
    }
    return rows
  } finally {
    await context.close()
  }
}

const worstFirst = (rounds: readonly ScrollRound[]) => [...rounds].sort((a, b) => a.inTime - b.inTime)

/** A page as high as a long list, with text only. */
async function emptyPage(opened: Promise<Page>): Promise<Page> {
  const page = await opened
  await page.setContent(`<body style="height: 500000px">${'<p>a line</p>'.repeat(2_000)}</body>`)
  await page.mouse.move(400, 300)
  return page
}

async function scrolled(page: Page, { px, wheels }: WheelGesture): Promise<ScrollRound> {
  const began = performance.now()
  await page.evaluate(noteFrames)
  for (let nth = 0; nth < wheels; nth++) {
    await page.mouse.wheel(0, px)
    await page.waitForTimeout(WHEEL_INTERVAL_MS)
  }
  const frames = await page.evaluate(() => (window as unknown as { endFrames(): number[] }).endFrames())
  return { ...spread(frames), pxPerSecond: (px * wheels * 1000) / (performance.now() - began) }
}

/** Records the times between frames, in ms. */
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
