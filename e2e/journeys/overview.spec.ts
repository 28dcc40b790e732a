import { expect, test } from '../console'
import { expectRow } from '../table'
import { countClicks, expectWithin } from './budget'

// The overview at its specified size: 500 hosts in one heatmap that works by keyboard, and a link from the largest
// shape that still fits to the hosts where it fits.

test('500 hosts are one tab stop, arrow keys walk them, and Enter opens one', async ({ page }) => {
  await page.goto('/overview')
  const fleet = page.getByRole('listbox', { name: 'Fleet' })
  await expect(fleet.getByRole('option')).toHaveCount(500)
  await fleet.focus()
  const active = () => fleet.getAttribute('aria-activedescendant')
  const first = await active()
  await page.keyboard.press('ArrowRight')
  await expect.poll(active).not.toBe(first)
  await page.keyboard.press('End')
  const last = await fleet.getByRole('option').last().getAttribute('id')
  await expect.poll(active).toBe(last)
  await page.keyboard.press('ArrowUp')
  await expect.poll(active).not.toBe(last)
  await page.keyboard.press('Home')
  await expect.poll(active).toBe(first)
  const name = (await fleet.getByRole('option').first().getAttribute('aria-label'))?.split(',')[0] ?? ''
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/hosts/${first?.replace('heat-', '')}`))
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible({ timeout: 120_000 })
})

test('one click shows where the largest shape fits, and another opens such a host', async ({ page }) => {
  await page.goto('/overview')
  const largest = page.getByRole('region', { name: 'Largest shape that fits on one host' })
  await expect(largest.getByRole('definition')).toHaveCount(3)
  const clicks = await countClicks(page)
  await largest.getByRole('definition').nth(1).getByRole('link').first().click()
  const summary = page.getByRole('status').filter({ hasText: 'more of the custom size' })
  await expect(summary).toContainText(/^(at least )?[1-9]/)
  await summary.getByRole('link').first().click()
  await expect(page.getByRole('region', { name: /^NUMA node 0/ })).toBeVisible()
  await expectWithin(clicks, 2, 'see a host that takes the largest shape')
})

test('the table view lists the whole fleet', async ({ page }) => {
  await page.goto('/overview?as=table')
  const fleet = page.getByRole('table', { name: 'Fleet' })
  await expect(fleet).toHaveAttribute('aria-rowcount', '501')
  await expectRow(fleet, { Host: /.+/, State: /up/ })
})

test('an almost full fleet still starts with a resize that awaits confirm or revert', async ({ page }) => {
  await page.goto('/migrations?view=waiting&q=instance%3Aweb-*+operation%3Aresize')
  await expectRow(page.getByRole('table', { name: 'Migrations, Waiting' }), {
    Instance: /^web-/,
    Operation: 'resize',
    'Waiting for': 'awaiting confirm or revert',
  })
})
