import { expect, test } from '../console'

// A list loads page by page on scroll. Its end must be reachable, even with the pointer over it.

test('a list of five hundred hosts scrolls to its last row', async ({ page }) => {
  await page.goto('/hosts')
  const rows = page.getByRole('table', { name: 'Hosts' }).locator('tr[data-row]')
  await rows.nth(5).hover()
  await expect(async () => {
    await page.mouse.wheel(0, 4_000)
    await expect(rows.last()).toHaveAttribute('data-row', '499', { timeout: 300 })
  }).toPass()
})
