import type { Locator, Page } from '@playwright/test'
import { violationsOn } from './axe'
import { expect, test } from './console'
import { openHost } from './operator-actions'
import { expectRow } from './table'

// The host map by keyboard: arrows from core to core, Home and End, the holder of a resource, and back.

const HOST = 'numa4-02'

/** The first held item on the map, reached by arrow keys. */
async function walkToAssigned(page: Page): Promise<Locator> {
  const focused = page.locator('[data-place]:focus')
  for (let steps = 0; steps < 120; steps++) {
    if ((await focused.getAttribute('data-mark')) === 'held') return focused
    await page.keyboard.press('ArrowRight')
  }
  throw new Error(`nothing is held on ${HOST}`)
}

async function openMap(page: Page): Promise<Locator> {
  await openHost(page, HOST)
  const places = page.getByRole('region', { name: /^NUMA node \d/ }).locator('[data-place]')
  await expect(places.first()).toBeVisible()
  await places.first().focus()
  return places
}

test('arrow keys walk the cores, and lines link a held core to its instance and all its units', async ({ page }) => {
  const places = await openMap(page)
  const inspector = page.getByRole('complementary', { name: 'CPU or device' })
  await page.keyboard.press('End')
  await expect(places.last()).toBeFocused()
  await page.keyboard.press('Home')
  await expect(places.first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(places.first()).not.toBeFocused()

  const held = await walkToAssigned(page)
  const name = (await inspector.getByRole('link').first().innerText()).trim()
  await expect(held).toHaveAccessibleName(new RegExp(`, held, ${name}, held`))
  const own = page.locator('[data-hot]')
  await expect(own.and(page.locator('[data-place]')).first()).toBeVisible()
  await expect(own.and(page.locator('[data-instance-row]'))).toContainText(name)
  // A line to each core, bar and device of the instance, drawn over the map and hidden from assistive technology.
  const lines = page.locator('svg[aria-hidden=true] circle[stroke=none]')
  expect(await lines.count()).toBeGreaterThan(1)
  expect(await violationsOn(page, { include: ['[role=tabpanel]'] })).toEqual([])
})

test('Space keeps a unit in the address, and Enter opens its holder', async ({ page }) => {
  await openMap(page)
  const held = await walkToAssigned(page)
  const unit = (await held.getAttribute('data-place')) ?? ''
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(new RegExp(`unit=${unit.replace(':', '(:|%3A)')}`))
  await expect(held).toHaveAttribute('aria-pressed', 'true')
  const name = await page.getByRole('complementary', { name: 'CPU or device' }).getByRole('link').first().innerText()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('an instance of the list highlights what it holds, and the table view has the same content', async ({ page }) => {
  await openMap(page)
  const instances = page.getByRole('region', { name: /^\d+ instances?$/ })
  const first = instances.getByRole('link').first()
  await first.focus()
  await page.keyboard.press('ArrowDown')
  await expect(first).not.toBeFocused()
  await page.keyboard.press('Home')
  await expect(first).toBeFocused()
  const pinned = instances.getByRole('listitem').filter({ hasText: 'CPU' }).first().getByRole('link')
  await pinned.focus()
  const name = (await pinned.innerText()).trim()
  const hot = page.locator('[data-place][data-hot]')
  await expect(hot.first()).toBeVisible()
  const unit = (await hot.first().getAttribute('data-place')) ?? ''
  const picture = page.getByRole('radio', { name: 'Picture' })
  await picture.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expectRow(page.getByRole('table', { name: 'Map' }), {
    'CPU or device': unit,
    State: /held|going/,
    'Held by': name,
  })
})
