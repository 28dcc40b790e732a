import { expect, test } from './console'

// Lists of findings and repair plans, each with its own text filter.

test('findings have a filter, and plans have one of their own', async ({ page }) => {
  await page.goto('/heal?q=severity%3Acritical+state%3Aclosed')
  await expect(page.getByRole('button', { name: 'Remove filter severity:critical' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^\d+ rows?$/ })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Host, instance or id' }).fill('kind:not-a-kind ')
  await expect(page.getByText(/^kind cannot be not-a-kind; use one of/)).toBeVisible()

  await page.getByRole('tab', { name: 'Repairs' }).click()
  await expect(page).toHaveURL(/\/heal\?tab=plans$/)
  await page.getByRole('searchbox', { name: 'Person, reason or id' }).fill('by:nobody-at-all ')
  await expect(page.getByText('No repair matches')).toBeVisible()
})

test('the runbook of a kind links to its findings', async ({ page }) => {
  await page.goto('/runbook/stray-allocation')
  await page.getByRole('link', { name: 'Open findings of this kind' }).click()
  await expect(page.getByRole('button', { name: 'Remove filter kind:stray-allocation' })).toBeVisible()
})
