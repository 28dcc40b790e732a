import { OPENSTACK_PORT, originAt } from '../address'
import { expectAccessible } from '../axe'
import { SIGNED_OUT } from '../console'
import { PASSWORD } from './config'
import { expect, test, whySkipped } from './on-rig'

// Sign-in with an OpenStack account, at the real Keystone of the rig.

// biome-ignore lint/suspicious/noSkippedTests: the machine cannot run the rig, and the reason is printed
test.skip(whySkipped !== null, whySkipped ?? '')

test('a cloud user gets the role of the project, and a wrong password admits nobody', async ({ stand, browser }) => {
  const context = await browser.newContext({ storageState: SIGNED_OUT, baseURL: originAt(OPENSTACK_PORT) })
  const page = await context.newPage()
  await page.goto('/hosts?sort=name')
  await page.getByRole('button', { name: 'Sign in with Example cloud' }).click()
  // The admin of the cloud has no role in the project that Berth uses.
  await page.getByLabel('OpenStack user').fill('admin')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Wrong username, domain or password.')).toBeVisible()
  await page.getByLabel('OpenStack user').fill('nova')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Wrong username, domain or password.')).toBeVisible()
  await expectAccessible(page, 'signing in with an OpenStack account')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/hosts?sort=name')
  await expect(page.getByRole('button', { name: 'nova, Operator' })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByText('The identity provider keeps your password')).toBeVisible()
  await context.close()

  await stand.page.goto('/audit-log?q=who:nova')
  const log = stand.page.getByRole('table', { name: 'Audit log' })
  await expect(log).toContainText('session signed in')
  await log.getByRole('button', { name: 'Details of session signed in' }).click()
  await expect(stand.page.getByText('keystone').first()).toBeVisible()
})
