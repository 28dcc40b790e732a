import type { Locator, Page } from '@playwright/test'
import { violationsOn } from './axe'
import { expect, SIGNED_OUT, test } from './console'
import { makePerson, signIn } from './users'

// The command palette, by keyboard only.

async function openPalette(page: Page): Promise<Locator> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const field = page.getByRole('combobox', { name: 'Search' })
  // A rendered page handles keys only once its scripts run.
  await expect(async () => {
    if (!(await field.isVisible())) await page.keyboard.press('Control+k')
    await expect(field).toBeFocused({ timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  return field
}

const option = (page: Page, name: RegExp) =>
  page.getByRole('listbox', { name: 'Results' }).getByRole('option', { name })
const active = (page: Page) => page.getByRole('listbox', { name: 'Results' }).locator('[aria-selected=true]')

async function walkTo(page: Page, name: RegExp): Promise<void> {
  await expect(option(page, name).first()).toBeVisible()
  for (let steps = 0; steps < 60; steps++) {
    if (name.test(await active(page).innerText())) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`No arrow leads to ${name}`)
}

test('the palette finds pages, names, addresses and ids, and opens them', async ({ page }) => {
  await page.goto('/overview')
  await openPalette(page)
  await page.keyboard.type('hos')
  await walkTo(page, /^Hosts/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Hosts' })).toBeVisible()

  await openPalette(page)
  await page.keyboard.type('web-03')
  await walkTo(page, /^web-03/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'web-03' })).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

  await page.goto('/overview')
  await openPalette(page)
  await page.keyboard.type(id.slice(0, 8))
  await walkTo(page, /^web-03/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeHidden()

  await openPalette(page)
  await page.keyboard.type('0000:')
  await walkTo(page, /^pci:/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/hosts\/[^/]+\?unit=pci/)
})

test('the palette starts an action on a named object, after a confirmation', async ({ page }) => {
  await page.goto('/overview')
  await openPalette(page)
  await page.keyboard.type('disable std-02')
  await walkTo(page, /^Disable scheduling: std-02/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Disable scheduling: std-02' })
  await expect(dialog).toContainText('instance')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await openPalette(page)
  await page.keyboard.type('live web-05')
  await walkTo(page, /^Live-migrate web-05/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Live-migrate web-05' })).toBeVisible()
})

test('the palette is accessible while empty, full and without a match', async ({ page }) => {
  await page.goto('/overview')
  const field = await openPalette(page)
  for (const text of ['', 'std', 'there-is-no-such-thing']) {
    await field.fill(text)
    if (text === 'std') await expect(option(page, /^std-01/).first()).toBeVisible()
    if (text.startsWith('there')) await expect(page.getByText(/^No results for/)).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const found = await violationsOn(page, { include: ['[role=dialog]'] })
      expect.soft(found, `${text || 'empty'}, ${colorScheme}`).toEqual([])
    }
  }
})

test('times follow the chosen zone, now and after a reload', async ({ page }) => {
  await page.goto('/overview')
  await openPalette(page)
  await page.keyboard.type('local time')
  await walkTo(page, /^Show times in local time/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Times in local time' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Times in local time' }).click()
  await expect(page.getByRole('button', { name: 'Times in UTC' })).toBeVisible()
})

test.describe('a viewer', () => {
  test.use({ storageState: SIGNED_OUT })
  test('reads why an action is not permitted, and pressing it does nothing', async ({ page, playwright, baseURL }) => {
    const viewer = { username: 'palette.viewer', password: 'looks-and-touches-not' }
    const admin = await playwright.request.newContext({ baseURL })
    await signIn(admin, { username: 'admin', password: 'opens-the-e2e-fleet' })
    await makePerson(admin, 'viewer', viewer)
    await admin.dispose()
    await signIn(page.request, viewer)
    await page.goto('/overview')
    await openPalette(page)
    await page.keyboard.type('live web-05')
    const action = option(page, /^Live-migrate web-05/)
    await expect(action).toContainText('Your role is viewer; this needs operator.')
    await expect(action).toHaveAttribute('aria-disabled', 'true')
    await walkTo(page, /^Live-migrate web-05/)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
    await expect(page).toHaveURL(/\/overview$/)
  })
})
