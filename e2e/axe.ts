import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
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

interface Rules {
  readonly type: 'tag' | 'rule'
  readonly values: string[]
}

interface Reading {
  readonly name: string
  readonly runOnly: Rules
}

/** Selectors of elements that are not checked. */
const EXCLUDED = [
  // One component renders all rows of a table, so checking the first ones is enough.
  'tbody tr:nth-child(n + 7)',
  // The react-aria announcer mentions a button for some seconds after the button has gone with its dialog.
  '[data-live-announcer]',
]

async function expectNoViolation(page: Page, { name, runOnly }: Reading): Promise<void> {
  const look = () => violationsOn(page, { runOnly, exclude: EXCLUDED })
  await untilAtRest(page)
  const found = await look()
  // A message that was fading in may have failed the contrast check. A real violation is still there the second time.
  if (found.length > 0) await untilAtRest(page)
  expect.soft(found.length > 0 ? await look() : found, name).toEqual([])
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeQuestion {
  /** Selectors of the elements to check; by default the whole page. */
  readonly include?: string[]
  readonly exclude?: string[]
  /** By default all rules. */
  readonly runOnly?: Rules
}

/**
 * Violations that axe finds on the current page, one line each. Runs axe in the page itself: its Playwright package
 * loads it again for every run, which takes longer than the run.
 */
export async function violationsOn(page: Page, question: AxeQuestion): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return page.evaluate(async ({ include = ['html'], exclude = [], runOnly }) => {
    const { run } = (window as unknown as { axe: Pick<typeof axe, 'run'> }).axe
    const { violations } = await run({ include, exclude }, { ...(runOnly && { runOnly }), resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.html}`))
  }, question)
}

/** Waits until all transitions have ended, except endless animations. */
const untilAtRest = (page: Page) =>
  page.evaluate(async (limitMs) => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    const limit = new Promise((resolve) => setTimeout(resolve, limitMs))
    await Promise.race([Promise.allSettled(ending.map(({ finished }) => finished)), limit])
  }, REST_LIMIT_MS)
