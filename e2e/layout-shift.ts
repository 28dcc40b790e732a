import type { Page, Route } from '@playwright/test'

// What moves on a page while its parts arrive: a click that was meant for one button hits another.

/** Below it nobody notices: a line of a table that became as high as its text. A part that moves by one line is above. */
const NOTICED = 0.0015
const STEPS = 5
const STEP_MS = 120

/**
 * Slows down each answer, script and font by another time, so that the parts of a page arrive one after the other. The
 * order depends on `seed` only. Returns what waits until nothing is on its way.
 */
export async function slowDown(page: Page, seed: number): Promise<() => Promise<void>> {
  let [onTheirWay, lastAt] = [0, Date.now()]
  const late = async (route: Route) => {
    onTheirWay += 1
    const { pathname } = new URL(route.request().url())
    await new Promise((resolve) => setTimeout(resolve, STEP_MS * (hashOf(`${seed} ${pathname}`) % STEPS)))
    // The page may have been left meanwhile.
    await route.continue().catch(() => null)
    onTheirWay -= 1
    lastAt = Date.now()
  }
  await page.unroute(SLOWED)
  await page.route(SLOWED, late)
  const isQuiet = () => onTheirWay === 0 && Date.now() - lastAt > QUIET_MS
  return async () => {
    const until = Date.now() + LIVE_AFTER_MS
    while (!isQuiet() && Date.now() < until) await page.waitForTimeout(50)
  }
}

const SLOWED = /\/api\/trpc\/|\/_next\/static\/.*\.(js|woff2)/
/** An answer may be the reason for the next request. */
const QUIET_MS = 500
/** From then on a request is an update: a page of a busy fleet is never quiet. */
const LIVE_AFTER_MS = 8_000

const hashOf = (text: string): number =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0, 2_166_136_261)

/** Records, on every page from now on, what the browser reports as shifted. */
export async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as BrowserShift[]) {
        for (const { node, previousRect: before, currentRect: after } of sources) {
          const text = (node?.textContent ?? '').trim().slice(0, 40)
          const what = `${node?.nodeName.toLowerCase() ?? 'gone'} “${text}”: ${place(before)} to ${place(after)}`
          shifts.push({ value, hadRecentInput, movedDown: after.y - before.y, what })
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
    const place = ({ x, y, width, height }: DOMRectReadOnly) => `${[x, y, width, height].map(Math.round)}`
  })
}

interface Shift {
  /** How much of the window moved by how much of it, as in the browser's Cumulative Layout Shift. */
  readonly value: number
  readonly hadRecentInput: boolean
  /** Pixels; negative: up. */
  readonly movedDown: number
  readonly what: string
}

interface BrowserShift {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/** The shifts without an input that a user notices, each with the part that moved. */
export const shiftsOn = (page: Page): Promise<readonly string[]> =>
  textsOf(page, ({ value, hadRecentInput }) => !hadRecentInput && value >= NOTICED)

/** Every part that moved up or down, by however little and after whatever input. */
export const movedOn = (page: Page): Promise<readonly string[]> => textsOf(page, ({ movedDown }) => movedDown !== 0)

async function textsOf(page: Page, isOne: (shift: Shift) => boolean): Promise<readonly string[]> {
  const shifts = await page.evaluate(() => (window as unknown as { shifts: readonly Shift[] }).shifts)
  return shifts.filter(isOne).map(({ value, what }) => `${value.toFixed(3)} ${what}`)
}
