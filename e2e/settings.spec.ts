import type { Page } from '@playwright/test'
import { expect, test } from './console'

// Settings: an admin changes a section, all users see it, and a slower concurrent change overwrites nothing.

const limits = (page: Page) => page.getByRole('region', { name: 'Concurrent migrations' })
const fleet = (page: Page) => limits(page).getByRole('textbox', { name: 'In the whole fleet' })

test('an admin changes a limit after a review, and a review of an outdated limit is refused', async ({
  page,
  second,
}) => {
  await page.goto('/settings')
  await second.goto('/settings')
  await fleet(second).fill('80')
  await fleet(page).fill('0')
  await expect(limits(page)).toContainText('Enter a whole number from 1 to 10000.')
  await fleet(page).fill('96')
  await save(page)
  await expect(page.getByText('Concurrent migrations changed')).toBeVisible()
  await expect(limits(page)).toContainText('Last changed by admin')

  await expect(limits(second)).toContainText('admin changed this while you were editing.')
  await save(second)
  await expect(second.getByRole('alertdialog')).toContainText('a change by admin')
  await second.getByRole('button', { name: 'Cancel' }).click()
  await limits(second).getByRole('button', { name: 'Discard' }).click()
  await expect(fleet(second)).toHaveValue('96')
  await fleet(second).fill('64')
  await save(second)
  await expect(fleet(page)).toHaveValue('64')
})

async function save(page: Page): Promise<void> {
  await limits(page).getByRole('button', { name: 'Review change' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Queued migrations are checked again at once.')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('more at once tonight')
  await dialog.getByRole('button', { name: 'Save change' }).click()
}
