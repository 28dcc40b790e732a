import type { Page } from '@playwright/test'
import { expect, test } from './console'
import { bestHost, openHost, openInstance, openMigrateDrawer, pickHost } from './operator-actions'
import { expectRow } from './table'

// A preview over a list: the content of a page in a drawer, which is kept in the URL.

test('Space previews a host over the list, which keeps its filter, and a link opens the same preview', async ({
  page,
  second,
}) => {
  await page.goto('/hosts?q=host%3Agpu-*&sort=name')
  const hosts = page.getByRole('table', { name: 'Hosts' })
  await expectRow(hosts, { Host: 'gpu-01' })
  await page.keyboard.press('j')
  await expect(hosts.getByRole('row').nth(1)).toBeFocused()
  await page.keyboard.press('Space')
  const drawer = page.getByRole('dialog', { name: 'Host' })
  await expect(drawer.getByRole('heading', { level: 1, name: 'gpu-01' })).toBeVisible()
  await drawer.getByRole('tab', { name: /^Facts/ }).click()
  await expect(drawer.getByRole('table', { name: 'Resource providers' })).toBeVisible()

  await second.goto(page.url())
  const there = second.getByRole('dialog', { name: 'Host' })
  await expect(there.getByRole('table', { name: 'Resource providers' })).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page).toHaveURL(/\/hosts\?q=host(:|%3A)gpu-\*&sort=name$/)
  await expect(hosts.getByRole('row').nth(1)).toBeFocused()
})

test('a filter in a preview does not affect the list, and a link opens the full page', async ({ page }) => {
  await page.goto('/hosts?q=host%3Agpu-*')
  await page.getByRole('button', { name: 'Preview gpu-02' }).click({ force: true })
  const drawer = page.getByRole('dialog', { name: 'Host' })
  await drawer.getByRole('tab', { name: /^Instances/ }).click()
  const filter = drawer.getByRole('searchbox', { name: 'Name or id' })
  await filter.fill('name:there-is-none ')
  await expect(drawer.getByText('No instance matches')).toBeVisible()
  await expectRow(page.getByRole('table', { name: 'Hosts', includeHidden: true }), { Host: 'gpu-01' })
  await drawer.getByRole('link', { name: 'Open page' }).click()
  await expect(page).toHaveURL(/\/hosts\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: 'gpu-02' })).toBeVisible()
})

test('each tab has a filter of its own', async ({ page }) => {
  await openHost(page, 'gpu-02', 'Instances')
  await page.getByRole('searchbox', { name: 'Name or id' }).fill('name:there-is-none ')
  await expect(page.getByText('No instance matches')).toBeVisible()
  await page.getByRole('tab', { name: /^Claims/ }).click()
  await expect(page.getByRole('table', { name: 'Claims' }).getByRole('row').nth(1)).toBeVisible()
  await expect(page).not.toHaveURL(/q=/)
})

/** Inserts content above a button that is being pressed, as a late response does. */
const pushDown = (page: Page) =>
  page.evaluate(() => {
    const late = document.createElement('div')
    late.style.height = '90px'
    document.querySelector('main')?.prepend(late)
  })

test('a press counts when late content moves its button between down and up', async ({ page }) => {
  await page.goto('/hosts')
  const add = page.getByRole('button', { name: 'Add host' }).first()
  await expectRow(page.getByRole('table', { name: 'Hosts' }), { Host: 'gpu-01' })
  await add.hover()
  await page.mouse.down()
  await pushDown(page)
  await page.mouse.up()
  await expect(page.getByRole('dialog', { name: 'Add host' })).toBeVisible()
})

const PRESSES = 20

test('the drawer of a migration loses no press while changes arrive', async ({ page }) => {
  await openInstance(page, 'upf-01')
  const drawer = await openMigrateDrawer(page, 'Live-migrate', 'upf-01')
  await pickHost(drawer, await bestHost(drawer))
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('migrate.explain')) asked += 1
  })
  const again = drawer.getByRole('button', { name: 'Check again' })
  for (let press = 1; press <= PRESSES; press++) {
    // Changes by other users make the page refetch as well.
    const before = asked
    await again.click()
    await expect.poll(() => asked, { message: `questions after press ${press}` }).toBeGreaterThan(before)
  }
})
