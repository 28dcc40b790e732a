import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PORT } from './address'
import { expectAccessible } from './axe'
import { expect, SIGNED_OUT, test } from './console'
import { OwnServer } from './server'
import { expectRow } from './table'
import { ADMIN, fillSignIn } from './users'

// Sign-in through a real OpenID Connect provider on this machine: its pages ask for a name, and groups map to a role.

const AT = PORT + 72
const PROVIDER_PORT = PORT + 73
const ISSUER = `http://127.0.0.1:${PROVIDER_PORT}`
const berth = new OwnServer(AT, {
  BERTH_OIDC_ISSUER: ISSUER,
  BERTH_OIDC_CLIENT_ID: 'berth',
  BERTH_OIDC_CLIENT_SECRET: 'a secret of the tests',
  BERTH_OIDC_NAME: 'Example SSO',
  BERTH_OIDC_ROLES: 'nora=operator',
  BERTH_DEMO: '',
})
let provider: ChildProcess

test.use({ storageState: SIGNED_OUT })

test.beforeAll(async () => {
  test.setTimeout(600_000)
  const script = 'server/auth/testing/oidc-provider.ts'
  const callback = `${berth.origin}/api/auth/callback/oidc`
  const args = ['--import', 'tsx', script, String(PROVIDER_PORT), callback]
  provider = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: provider.stdout ?? process.stdin })) {
    if (line.startsWith('issuer')) break
  }
  await berth.startAnew()
})
test.afterAll(async () => {
  await berth.stop()
  provider.kill('SIGTERM')
  await once(provider, 'exit')
})

test('a user in a group with a role signs in through the provider, and the admin sees how', async ({ page }) => {
  await page.goto(`${berth.origin}/hosts?sort=name`)
  await expect(page.getByRole('link', { name: 'Sign in with Example SSO' })).toBeVisible()
  await expectAccessible(page, 'the sign-in page with a provider')
  await page.getByRole('link', { name: 'Sign in with Example SSO' }).click()
  await page.getByPlaceholder('Enter any login').fill('nora')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${berth.origin}/hosts?sort=name`)
  await expect(page.getByRole('button', { name: 'nora of the provider, Operator' })).toBeVisible()

  await page.goto(`${berth.origin}/account`)
  await expect(page.getByText('The identity provider keeps your password')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toHaveCount(0)

  await page.getByRole('button', { name: 'nora of the provider, Operator' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await fillSignIn(page, ADMIN)
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await page.goto(`${berth.origin}/users`)
  const users = page.getByRole('table', { name: 'Users' })
  await expectRow(users, { Username: 'nora', Role: 'Operator', 'Signs in with': 'OpenID Connect' })
  await page.goto(`${berth.origin}/audit-log`)
  await expect(page.getByRole('table', { name: 'Audit log' })).toContainText('user created')
})

test('a user whose groups have no role sees that, and the audit log records it', async ({ page }) => {
  await page.goto(`${berth.origin}/sign-in`)
  await page.getByRole('link', { name: 'Sign in with Example SSO' }).click()
  await page.getByPlaceholder('Enter any login').fill('mallory')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your account has no role in Berth.')).toBeVisible()
  await page.goto(`${berth.origin}/hosts`)
  await expect(page).toHaveURL(/\/sign-in/)
})
