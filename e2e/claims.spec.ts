import { expect, test } from './console'
import { expectRow, readTable } from './table'

// The claims ledger: allocations by consumer and provider, with the request that wrote them.

test('the ledger groups claims by consumer and by provider, and a link keeps the filter', async ({ page, second }) => {
  await page.goto('/claims?q=upf-01')
  const ledger = page.getByRole('table', { name: 'Claims' })
  await expectRow(ledger, { Consumer: 'upf-01', Amounts: /PCPU/, 'CPUs and devices': /^CPUs \d/, Findings: '–' })
  await page.getByRole('radio', { name: 'By provider' }).click()
  await expect(ledger.getByRole('columnheader').first()).toHaveText(/Provider/)
  await second.goto(page.url())
  await expectRow(second.getByRole('table', { name: 'Claims' }), { Consumer: 'upf-01' })
  await ledger.getByRole('link', { name: 'upf-01' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'upf-01' })).toBeVisible()
})

test('a filter narrows the rows, and each row names the request that wrote it', async ({ page }) => {
  await page.goto('/claims?q=class%3APCPU+-kind%3Amigration&cols=consumer,provider,consumerGeneration,wrote,request')
  const ledger = page.getByRole('table', { name: 'Claims' })
  await expectRow(ledger, { Consumer: 'upf-01', 'Consumer gen.': /^\d+$/, 'Written by': /demo/ })
  await page.getByRole('button', { name: 'Remove filter class:PCPU' }).click()
  await expectRow(ledger, { Consumer: 'api-01' })
  await expect(page).not.toHaveURL(/PCPU/)
  await page.goto('/claims?q=marks%3Ano-claim+consumer%3Aupf-01')
  await expect(page.getByText('No allocation matches')).toBeVisible()
  expect(await readTable(ledger)).toEqual([])
})

test('one press shows what a migration holds, with its operation and side, and links to it', async ({ page }) => {
  await page.goto('/claims')
  const quick = page.getByRole('button', { name: /^Held by migrations \d+$/ })
  await quick.click()
  await expect(page).toHaveURL(/kind(:|%3A)migration/)
  const ledger = page.getByRole('table', { name: 'Claims' })
  await expectRow(ledger, { Consumer: /^web-02/, Migration: 'resize, source' })
  await expect(quick).toHaveAttribute('aria-pressed', 'true')
  await quick.click()
  await expect(page).not.toHaveURL(/kind/)
  await page.goto('/claims?q=consumer:web-02')
  await expectRow(ledger, { Consumer: 'web-02', Migration: 'resize, target' })
  await ledger.getByRole('link', { name: 'resize, target' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: /^web-02/ })).toBeVisible()
})
