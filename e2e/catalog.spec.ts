import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { expect, test } from './console'

// An admin creates, changes and deletes flavors, server groups and PCI aliases by keyboard.

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions on ${name}`, exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: action }).press('Enter')
}

async function confirm(page: Page, verb: string): Promise<void> {
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('new hardware')
  await dialog.getByRole('button', { name: verb, exact: true }).press('Enter')
}

test('an admin creates a flavor, sees the key that is wrong, changes it and deletes it', async ({ page }) => {
  await page.goto('/settings/catalog')
  await page.getByRole('button', { name: 'Create flavor' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill('e2e.pinned')
  await page.getByRole('textbox', { name: 'Extra specs' }).fill('hw:cpu_policy=sometimes')
  await expectAccessible(page, 'catalog, creating a flavor')
  await confirm(page, 'Create flavor')
  await expect(page.getByRole('alertdialog')).toContainText('hw:cpu_policy')
  await page.getByRole('textbox', { name: 'Extra specs' }).fill('hw:cpu_policy=dedicated')
  await confirm(page, 'Create flavor')
  await expect(page.getByText('Flavor e2e.pinned created')).toBeVisible()
  await choose(page, 'e2e.pinned', 'Delete…')
  await confirm(page, 'Delete e2e.pinned')
  await expect(page.getByText('Flavor e2e.pinned deleted')).toBeVisible()
})

test('an admin creates a server group and changes its limit', async ({ page }) => {
  await page.goto('/settings/catalog?tab=groups')
  await page.getByRole('button', { name: 'Create server group' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill('e2e.quorum')
  await confirm(page, 'Create server group')
  await choose(page, 'e2e.quorum', 'Change…')
  await page.getByRole('textbox', { name: 'Members per host' }).fill('2')
  await confirm(page, 'Change e2e.quorum')
  await expect(page.getByText('Server group e2e.quorum changed')).toBeVisible()
})

test('an admin creates a PCI alias and cannot create a second one of the same name', async ({ page }) => {
  await page.goto('/settings/catalog?tab=aliases')
  for (const again of [false, true]) {
    await page.getByRole('button', { name: 'Create PCI alias' }).press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('e2e-nic')
    await page.getByRole('textbox', { name: 'Devices' }).fill('vendor_id=15b3 product_id=101e')
    await confirm(page, 'Create PCI alias')
    if (again) await expect(page.getByRole('alertdialog')).toContainText('an entry of that name')
    else await expect(page.getByText('PCI alias e2e-nic created')).toBeVisible()
  }
})
