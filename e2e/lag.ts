import { expect, type Page } from '@playwright/test'

// The delay of a screen. The Transfer tab shows to the millisecond when its figures were measured, so each new
// measurement on screen reveals its own delay: from the hypervisor through records, events and stream to the pixels.

interface RenderedMeasurement {
  readonly at: string
  readonly seenAt: number
}

/** Records when the page renders each measurement from now on. */
export async function noteMeasurements(page: Page): Promise<void> {
  await expect(page.getByRole('term').filter({ hasText: 'Measured' })).toBeVisible()
  await page.evaluate(() => {
    const seen: { at: string; seenAt: number }[] = []
    const look = () => {
      const label = [...document.querySelectorAll('dt')].find((term) => term.textContent === 'Measured')
      const at = label?.nextElementSibling?.querySelector('time')?.dateTime
      if (at && seen.at(-1)?.at !== at) seen.push({ at, seenAt: Date.now() })
    }
    look()
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
    Object.assign(window, { seen })
  })
}

export interface Lag {
  /** From the measurement to the screen, in ms, ascending. */
  readonly delays: readonly number[]
  /** Between the two screens, for measurements rendered by both, in ms, ascending. */
  readonly apart: readonly number[]
}

/** The delay of `page`, and its distance from `other`. Figures shown before the recording started do not count. */
export async function lagOf(page: Page, other: Page): Promise<Lag> {
  const [own, theirs] = await Promise.all([page, other].map(readMeasurements))
  const delays = [...own!].map(([at, seenAt]) => seenAt - Date.parse(at))
  const apart = [...own!].flatMap(([at, seenAt]) => (theirs!.has(at) ? [Math.abs(theirs!.get(at)! - seenAt)] : []))
  return { delays: delays.sort(up), apart: apart.sort(up) }
}

/** When the newest figures on the screen were measured, in ms since the epoch. */
export async function lastMeasured(page: Page): Promise<number> {
  return Math.max(0, ...[...(await readMeasurements(page)).keys()].map((at) => Date.parse(at)))
}

const up = (a: number, b: number) => a - b

async function readMeasurements(page: Page): Promise<ReadonlyMap<string, number>> {
  const seen = await page.evaluate(() => (window as unknown as { seen: RenderedMeasurement[] }).seen)
  return new Map(seen.slice(1).map(({ at, seenAt }) => [at, seenAt]))
}

/** The median: one pause of a busy machine says nothing about the console. */
export const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
