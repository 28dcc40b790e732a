import { expect, test } from '../console'
import { bestHost, openInstance, openMigrateDrawer } from '../operator-actions'
import { countClicks, expectWithin } from './budget'

// S3 at its specified size: every host with its verdict, in three clicks at most.

test('an operator who migrates an instance sees the verdict of each of 500 hosts', async ({ page }) => {
  await page.goto('/instances?q=web-100')
  const clicks = await countClicks(page)
  await openInstance(page, 'web-100')
  const drawer = await openMigrateDrawer(page, 'Live-migrate', 'web-100')
  expect(await bestHost(drawer)).not.toBe('')
  await expect(drawer.getByRole('table', { name: 'Verdict' })).toHaveAttribute('aria-rowcount', /^50\d$/)
  await expectWithin(clicks, 3, 'see every verdict')
})

// S11 at that size: the server reports how long the whole answer took.

test('"No valid host" comes with the funnel of 500 hosts', async ({ page }, info) => {
  await page.goto('/explain?vcpus=96&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated')
  await expect(page.getByRole('status').filter({ hasText: 'It fits on none of 500 hosts.' })).toBeVisible()
  const clicks = await countClicks(page)
  // The first query also loads code.
  await page.getByRole('button', { name: 'Check again' }).click()
  const summary = page.getByText(/^500 hosts checked in [\d,]+ ms$/)
  info.annotations.push({ type: 'figure', description: await summary.innerText() })
  const hosts = page.getByRole('table', { name: 'Hosts and rules' })
  await expect(hosts).toHaveAttribute('aria-rowcount', '501')
  await hosts.locator('tr[data-row]').first().click()
  await expect(page.getByRole('complementary', { name: 'On this host' })).toContainText('Why not')
  await expectWithin(clicks, 2, 'see why one host refuses')
})
