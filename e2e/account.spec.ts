import { createOTP } from '@better-auth/utils/otp'
import type { Page, PlaywrightWorkerArgs } from '@playwright/test'
import { expectAccessible } from './axe'
import { expect, SIGNED_OUT, test } from './console'
import { expectNoHorizontalScroll } from './horizontal-scroll'
import { ADMIN, fillSignIn, makePerson, signIn } from './users'

// The user's own account: password, authenticator code, and sessions.

const PASSWORD = 'steers-the-e2e-fleet'
const CHANGED = 'otto-chose-another-one'

const SIGNED_OUT_AT = (baseURL: string | undefined) => ({ storageState: SIGNED_OUT, baseURL: baseURL ?? '' })

test.use({ storageState: SIGNED_OUT })

test('a user sets up two-factor sign-in, signs in with a code and with a backup code, and turns it off', async ({
  page,
  playwright,
  baseURL,
}, info) => {
  const otto = await newOperator(playwright, baseURL, `otto${info.retry}`)
  await page.goto('/account')
  await fillSignIn(page, otto)
  await expect(page).toHaveURL('/account')

  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill('not my password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Wrong password. Nothing was changed.')
  await dialog.getByLabel('Password').fill(otto.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expectAccessible(page, 'setting up an authenticator app')
  const key = await keyShown(page)
  await dialog.getByLabel('Code').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Wrong code. Enter the code that the app shows now.')
  await dialog.getByLabel('Code').fill(await codeOf(key))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('heading', { name: 'Backup codes' })).toBeVisible()
  const [backup = ''] = await page.getByRole('dialog').getByRole('listitem').allInnerTexts()
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await expect(page.getByText('On: signing in asks for a code after the password.')).toBeVisible()
  // Reload, so that no message is appearing or fading during the check.
  await page.reload()
  await expect(page.getByText('On: signing in asks for a code after the password.')).toBeVisible()
  await expectAccessible(page, 'the account')
  await expectNoHorizontalScroll(page, 'the account')

  await signOut(page)
  await fillSignIn(page, otto)
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Wrong code. Enter the code that the app shows now.')).toBeVisible()
  await expect(page).toHaveURL(/\/sign-in/)
  await expectAccessible(page, 'the code at sign-in')
  await page.getByLabel('Code').fill(await codeOf(key))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()

  await signOut(page)
  await fillSignIn(page, otto)
  await page.getByLabel('Code').fill(backup)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()

  await page.goto('/account')
  await page.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByLabel('Password').fill(otto.password)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Off: the password alone signs you in.')).toBeVisible()
})

test('a user changes the password, which ends every other session, and ends another one by hand', async ({
  page,
  browser,
  playwright,
  baseURL,
}, info) => {
  const otto = await newOperator(playwright, baseURL, `otis${info.retry}`)
  await page.goto('/account')
  await fillSignIn(page, otto)
  await expect(page).toHaveURL('/account')
  const other = await (await browser.newContext({ ...SIGNED_OUT_AT(baseURL) })).newPage()
  await other.goto('/sign-in')
  await fillSignIn(other, otto)
  await expect(other.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()

  await page.getByLabel('Current password').fill(otto.password)
  await page.getByLabel('New password', { exact: true }).fill(CHANGED)
  await page.getByLabel('New password again').fill('another one')
  await expect(page.getByRole('button', { name: 'Change password' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByLabel('New password again').fill(CHANGED)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed; other sessions were ended')).toBeVisible()
  await other.goto('/hosts')
  await expect(other).toHaveURL(/\/sign-in/)

  await fillSignIn(other, { ...otto, password: CHANGED })
  await expect(other).toHaveURL('/hosts')
  await page.reload()
  const sessions = page.getByRole('table', { name: 'Your sessions' })
  await sessions
    .getByRole('row')
    .filter({ hasNotText: 'this session' })
    .getByRole('button', { name: 'End session' })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click()
  await expect(page.getByText('1 session ended')).toBeVisible()
  await other.goto('/hosts')
  await expect(other).toHaveURL(/\/sign-in/)
  await other.context().close()
})

test('a user adds a passkey, signs in with it, and removes it', async ({ page, playwright, baseURL }, info) => {
  const odile = await newOperator(playwright, baseURL, `odile${info.retry}`)
  // Browsers bind passkeys to a host name and do not accept an IP address.
  const at = (baseURL ?? '').replace('127.0.0.1', 'localhost')
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await page.goto(`${baseURL}/account`)
  await fillSignIn(page, odile)
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveAttribute('aria-disabled', 'true')

  await page.goto(`${at}/account`)
  await fillSignIn(page, odile)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('work laptop')
  await dialog.getByLabel('Password').fill('not my password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('alert')).toContainText('No passkey was added.')
  await expectAccessible(page, 'adding a passkey')
  await dialog.getByLabel('Password').fill(odile.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Passkey added')).toBeVisible()
  await page.reload()
  const row = page.getByRole('table', { name: 'Passkeys' }).getByRole('row').filter({ hasText: 'work laptop' })
  await expect(row).toBeVisible()
  await expectAccessible(page, 'the account with a passkey')
  await expectNoHorizontalScroll(page, 'the account with a passkey')

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()

  // A device that cannot verify its user must not sign anyone in.
  await signOut(page)
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'passkey' })).toBeVisible()
  await expect(page).toHaveURL(/\/sign-in/)
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()

  await page.goto(`${at}/account`)
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('You have no passkey.')).toBeVisible()
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('Berth does not know this passkey. Sign in with your password.')).toBeVisible()
  await expectAccessible(page, 'sign-in with a passkey that was removed')
})

/** A new user, so that a retry does not meet the second factor of the first try. */
async function newOperator(
  playwright: PlaywrightWorkerArgs['playwright'],
  baseURL: string | undefined,
  username: string,
) {
  const admin = await playwright.request.newContext({
    ...SIGNED_OUT_AT(baseURL),
    extraHTTPHeaders: { origin: baseURL ?? '' },
  })
  await signIn(admin, ADMIN)
  const person = { username, password: PASSWORD }
  await makePerson(admin, 'operator', person)
  await admin.dispose()
  return person
}

async function keyShown(page: Page): Promise<string> {
  const label = await page.getByRole('button', { name: /Key/ }).innerText()
  return label.trim()
}

/** The app gets the key in base32 and uses the decoded bytes. */
function codeOf(key: string): Promise<string> {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...key.replaceAll('=', '')].map((each) => letters.indexOf(each).toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return createOTP(Buffer.from(bytes).toString()).totp()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Operator$/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
}
