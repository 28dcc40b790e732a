import type { Page } from '@playwright/test'
import { expect, test } from './console'

// The rules of moves: an admin changes them, everybody sees it, and who was slower writes over nobody.

test('an admin changes a rule of moves; whoever read the old ones is refused and begins again', async ({
  page,
  second,
}) => {
  await open(page)
  await open(second)
  await fill(page, '96')
  await expect(page.getByText('The rules of moves are changed')).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^96$/ })).toBeVisible()

  await fill(second, '80')
  await expect(second.getByRole('alertdialog')).toContainText('changed meanwhile')
  await expect(second.getByRole('alertdialog')).toContainText('what admin set')
  await second.getByRole('button', { name: 'Cancel' }).click()
  await expect(second.getByRole('definition').filter({ hasText: /^96$/ })).toBeVisible()
  await second.getByRole('button', { name: 'Change rules…' }).click()
  await fill(second, '64')
  await expect(page.getByRole('definition').filter({ hasText: /^64$/ })).toBeVisible()
})

async function open(page: Page): Promise<void> {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Change rules…' }).click()
}

async function fill(page: Page, fleet: string): Promise<void> {
  await page.getByRole('textbox', { name: 'In the fleet' }).fill(fleet)
  await page.getByRole('textbox', { name: 'Reason' }).fill('more at once tonight')
  await page.getByRole('button', { name: 'Change rules', exact: true }).click()
}
