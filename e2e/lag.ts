import { expect, type Page } from '@playwright/test'

// How late a screen is. The Transfer tab says when its figures were measured, to the millisecond, so each new
// measurement that is drawn tells its own delay: from the hypervisor over books, events and channel to the pixels.

interface Seen {
  readonly at: string
  readonly seenAt: number
}

/** From now on the page notes when each measurement was drawn. */
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

/** Delays in ms of what was drawn since, least first. What was there when the noting began tells nothing. */
export async function delaysOf(page: Page): Promise<readonly number[]> {
  const seen = await page.evaluate(() => (window as unknown as { seen: Seen[] }).seen)
  return seen
    .slice(1)
    .map(({ at, seenAt }) => seenAt - Date.parse(at))
    .sort((a, b) => a - b)
}

/** Half of them came sooner: one pause of a busy machine says nothing about the console. */
export const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
