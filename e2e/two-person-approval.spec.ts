import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import { expect, SIGNED_OUT, test } from './console'
import { expectDisabled } from './disabled'
import { openHost } from './operator-actions'
import { expectRow } from './table'
import { makePerson, signIn } from './users'

// A user with the role support may only propose a host status, and only another user may approve it.

const SUE = { username: 'sue', password: 'opens-the-e2e-fleet' }
const HOST = 'pmem-01'
const WHY = 'console shows a kernel panic'

test('a status requested by support takes effect when a second person approves it, and both names are kept', async ({
  page,
  browser,
  baseURL,
}) => {
  await makePerson(page.request, 'support', SUE)
  const context = await browser.newContext({ storageState: SIGNED_OUT, baseURL: baseURL ?? '' })
  await signIn(context.request, SUE)
  const sue = await context.newPage()

  await test.step('the request of support changes nothing yet', async () => {
    await chooseAction(sue, 'Request approval: mark as down')
    const dialog = sue.getByRole('alertdialog', { name: `Request approval: mark as down: ${HOST}` })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(WHY)
    const typed = dialog.getByRole('textbox', { name: `Type ${HOST} to confirm` })
    if (await typed.isVisible()) await typed.fill(HOST)
    await dialog.getByRole('button', { name: 'Request approval: mark as down' }).click()
    await expect(sue.getByText('Nothing changes until a second person approves it.')).toBeVisible()
  })

  await test.step('the author of the request may not approve it', async () => {
    await sue.goto('/heal')
    const request = awaiting(sue)
    await expect(request).toContainText(WHY)
    await expectDisabled(request.getByRole('button', { name: 'Approve' }), /second person/)
    await expectAccessible(sue, 'requests awaiting approval')
  })

  await test.step('another user approves it', async () => {
    await page.goto('/heal')
    await awaiting(page).getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('textbox', { name: `Type ${HOST} to confirm` }).fill(HOST)
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('seen on the console')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await expect(awaiting(page)).toBeHidden()
    await openHost(page, HOST)
    await expect(page.getByRole('main')).toContainText('down')
  })

  await test.step('the audit log has the author and the approver', async () => {
    await page.goto(`/audit-log?q=${HOST}`)
    const row = { Action: 'host status changed', Object: HOST, Who: 'sue', Reason: new RegExp(`${WHY}.*`) }
    await expectRow(page.getByRole('table', { name: 'Audit log' }), row)
  })

  await chooseAction(page, 'Mark as up')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as up' }).click()
  await expect(page.getByText(`${HOST} marked as up`)).toBeVisible()
  await context.close()
})

const awaiting = (page: Page) =>
  page
    .getByRole('region', { name: 'Awaiting approval' })
    .locator('> *')
    .filter({ hasText: `Mark ${HOST} as down` })

async function chooseAction(page: Page, name: string): Promise<void> {
  await openHost(page, HOST)
  await page.getByRole('button', { name: 'Host actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}
