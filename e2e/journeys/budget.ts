import { expect, type Page } from '@playwright/test'

// A journey is promised in clicks. They are counted where they happen, on the page, so that a helper cannot hide one.

export interface Clicks {
  /** So many so far; keys that press a button count as a click does. */
  count(): Promise<number>
}

/** From now on the clicks on this page are counted, over every page that it goes to. */
export async function countClicks(page: Page): Promise<Clicks> {
  let clicks = 0
  await page.exposeFunction('berthClicked', () => {
    clicks += 1
  })
  const listen = () => {
    window.addEventListener('click', () => void (window as unknown as { berthClicked(): void }).berthClicked(), true)
  }
  await page.addInitScript(listen)
  await page.evaluate(listen)
  return { count: async () => clicks }
}

export async function expectWithin(clicks: Clicks, budget: number, what: string): Promise<void> {
  expect(await clicks.count(), `clicks to ${what}`).toBeLessThanOrEqual(budget)
}
