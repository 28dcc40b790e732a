import { expect, test } from '@playwright/test'

test('the process reports that it is alive and ready', async ({ request }) => {
  expect((await request.get('/healthz')).status()).toBe(200)
  await expect(async () => expect((await request.get('/readyz')).status()).toBe(200)).toPass()
})

test('a browser gets a page with a heading', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
