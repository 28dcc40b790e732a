import type { Locator, Page } from '@playwright/test'
import { expect, test } from './console'
import { openHost } from './operator-actions'

// A contrast theme of the system replaces all colours and drops backgrounds. What is selected, and what a picture says by
// its fill, must not go with them.

test.use({ contextOptions: { forcedColors: 'active' } })

const style = (part: Locator, property: 'borderBottomColor' | 'outlineStyle') =>
  part.evaluate((element, name) => getComputedStyle(element)[name], property)

test('in a contrast theme, what is selected differs from what is not', async ({ page }) => {
  await openHost(page, 'numa4-02')
  const [open, other] = [page.getByRole('tab', { selected: true }), page.getByRole('tab', { selected: false }).first()]
  expect(await style(open, 'borderBottomColor')).not.toBe(await style(other, 'borderBottomColor'))
  const choice = (checked: boolean) => page.locator('label').filter({ has: page.getByRole('radio', { checked }) })
  expect(await style(choice(true).first(), 'outlineStyle')).toBe('solid')
  expect(await style(choice(false).first(), 'outlineStyle')).not.toBe('solid')
  expect(await style(page.locator('nav a[aria-current=page]'), 'outlineStyle')).toBe('solid')
})

test('in a contrast theme, the squares of a map and of the fleet keep their fill', async ({ page }) => {
  await openHost(page, 'numa4-02')
  await expectSeveralFills(page, '[data-place] span, [data-place]')
  await page.goto('/overview')
  await expectSeveralFills(page, '[data-host]')
})

async function expectSeveralFills(page: Page, selector: string): Promise<void> {
  const squares = page.locator(selector)
  await expect(squares.first()).toBeVisible()
  const fills = await squares.evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor))
  expect(new Set(fills).size).toBeGreaterThan(1)
}
