import { expect, type Page } from '@playwright/test'

// A journey has a budget of clicks. The page itself counts them, so that a helper cannot hide one.

export interface Clicks {
  /** Clicks so far. Pressing a button by key counts as a click. */
  count(): Promise<number>
}

/** Counts the clicks on this page from now on, across navigation. */
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
