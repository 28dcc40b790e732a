import type { Locator } from '@playwright/test'
import { expectAccessible } from './axe'
import { expect, SIGNED_OUT, test } from './console'
import { expectRow } from './table'
import { signIn } from './users'

// Access: an admin creates and removes users and tokens, and the audit log records all of it.

const PASSWORD = 'opens-the-e2e-fleet'

test('an admin adds a user, retries a weak password, changes the role, ends a session, removes the user', async ({
  page,
  playwright,
  baseURL,
}) => {
  await page.goto('/users')
  const users = page.getByRole('table', { name: 'Users' })
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('alertdialog')
  await fill(dialog, { Username: 'olga', Name: 'Olga', Email: 'olga@localhost.invalid', 'First password': 'x' })
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await expect(dialog).toContainText('at least 12 characters')
  await fill(dialog, { 'First password': PASSWORD })
  await dialog.getByRole('button', { name: 'Add user' }).click()
  const row = users.getByRole('row', { name: /olga/ })
  await expect(row).toContainText('Viewer')
  await row.getByRole('button', { name: 'Change role' }).click()
  await dialog.getByRole('radio', { name: 'Support' }).check()
  await expect(dialog).toContainText('olga is Viewer and becomes Support.')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('joins the support rota')
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await expect(row).toContainText('Support')

  const olga = await playwright.request.newContext({
    ...{ storageState: SIGNED_OUT, baseURL: baseURL ?? '' },
    extraHTTPHeaders: { origin: baseURL ?? '' },
  })
  await signIn(olga, { username: 'olga', password: PASSWORD })
  expect((await olga.get('/api/trpc/session.me')).status()).toBe(200)
  await row.getByRole('button', { name: 'Sessions' }).click()
  const sessions = page.getByRole('table', { name: 'Sessions of olga' })
  await expect(sessions).toContainText('127.0.0.1')
  await expectAccessible(page, 'sessions of a user')
  await sessions.getByRole('button', { name: 'End session' }).click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('unknown device')
  await dialog.getByRole('button', { name: 'End session' }).click()
  await expect(page.getByText('Not signed in anywhere')).toBeVisible()
  expect((await olga.get('/api/trpc/session.me')).status()).toBe(401)
  await olga.dispose()
  await page.keyboard.press('Escape')

  await row.getByRole('button', { name: 'Actions for olga' }).click()
  await page.getByRole('menuitem', { name: 'Remove user' }).click()
  await fill(dialog, { 'Type olga to confirm': 'olga', Reason: 'left the company' })
  await dialog.getByRole('button', { name: 'Remove user' }).click()
  await expect(dialog).toBeHidden()
  // The list keeps a removed row while the pointer is on it.
  await page.goto('/users')
  await expect(users.getByRole('row', { name: /admin/ })).toBeVisible()
  await expect(row).toBeHidden()

  await page.goto('/audit-log?q=olga')
  const log = page.getByRole('table', { name: 'Audit log' })
  await expectRow(log, {
    Action: 'user removed',
    Object: 'olga',
    Who: 'admin',
    Outcome: 'done',
    Reason: 'left the company',
  })
  await expectRow(log, { Action: 'user role', Object: 'olga', Reason: 'joins the support rota' })
  await expectRow(log, { Action: 'session signed in', Who: 'olga', Role: 'support', From: '127.0.0.1' })
})

test('a token is shown once, admits a program, and is refused after it is revoked', async ({ page, request }, info) => {
  // Names of revoked tokens cannot be reused.
  const name = `nova-e2e-${info.retry}`
  await page.goto('/users')
  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('alertdialog')
  await fill(dialog, { Name: name, Reason: 'compute of the test region' })
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: 'Token created' })
  const token = (await shown.getByRole('button', { name: `Token ${name}` }).textContent()) ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)
  await expectAccessible(page, 'token created')
  await shown.getByRole('button', { name: 'Close' }).last().click()
  const ask = () => request.get('/placement/resource_providers', { headers: { 'x-auth-token': token } })
  expect((await ask()).status()).toBe(200)

  const row = page.getByRole('table', { name: 'API tokens' }).getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('valid')
  await row.getByRole('button', { name: 'Revoke token' }).click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('the test is over')
  await dialog.getByRole('button', { name: 'Revoke token' }).click()
  await expect(row).toContainText('revoked')
  await expect.poll(async () => (await ask()).status(), { timeout: 15_000 }).toBe(401)
  await expectAccessible(page, 'users and tokens')
})

test('the audit log filters by its address, opens an entry, and lists refused calls', async ({ page }) => {
  const refused = await page.request.post('/api/trpc/user.setRole', {
    data: { id: 'nobody-of-that-id', role: 'viewer', reason: 'a try' },
  })
  expect(refused.status()).toBe(404)
  await page.goto('/audit-log?q=outcome%3Arefused+action%3Auser.setRole')
  const log = page.getByRole('table', { name: 'Audit log' })
  await expectRow(log, { Action: 'user.setRole', Who: 'admin', Role: 'admin', Outcome: 'refused' })
  await log.getByRole('button', { name: 'Details of user.setRole' }).first().click()
  const details = page.getByRole('dialog', { name: 'Audit log entry' })
  await expect(details).toContainText('NOT_FOUND')
  await expectAccessible(page, 'an entry of the audit log')
  await page.goto('/audit-log?q=after%3Ayesterday')
  await expect(page.getByText(/such as 2026-11-25/).first()).toBeVisible()
})

async function fill(dialog: Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await dialog.getByLabel(name, { exact: true }).fill(value)
}
