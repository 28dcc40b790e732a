import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './console'

// Checks the screen with axe: all rules in the light theme, and those that depend on colour in the dark theme as well.
// The theme follows the system, so the page need not be reloaded.

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const REST_LIMIT_MS = 2_000
const OF_COLOUR = ['color-contrast', 'link-in-text-block']

export async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoViolation(page, { name: `${name}, light`, runOnly: { type: 'tag', values: WCAG } })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoViolation(page, { name: `${name}, dark`, runOnly: { type: 'rule', values: OF_COLOUR } })
}

interface Reading {
  readonly name: string
  readonly runOnly: { readonly type: 'tag' | 'rule'; readonly values: string[] }
}

async function expectNoViolation(page: Page, { name, runOnly }: Reading): Promise<void> {
  const axe = new AxeBuilder({ page })
    .options({ runOnly, resultTypes: ['violations'] })
    // One component renders all rows of a table, so checking the first ones is enough.
    .exclude('tbody tr:nth-child(n + 7)')
    // The react-aria announcer mentions a button for some seconds after the button has gone with its dialog.
    .exclude('[data-live-announcer]')
    // There are no frames, and legacy mode takes half the time.
    .setLegacyMode()
  const look = async () => {
    const { violations } = await axe.analyze()
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.html}`))
  }
  await untilAtRest(page)
  const found = await look()
  // A message that was fading in may have failed the contrast check. A real violation is still there the second time.
  if (found.length > 0) await untilAtRest(page)
  expect.soft(found.length > 0 ? await look() : found, name).toEqual([])
}

/** Waits until all transitions have ended, except endless animations. */
const untilAtRest = (page: Page) =>
  page.evaluate(async (limitMs) => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    const limit = new Promise((resolve) => setTimeout(resolve, limitMs))
    await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), limit])
  }, REST_LIMIT_MS)
