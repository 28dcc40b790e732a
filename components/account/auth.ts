import { requestCredential } from '../console/passkey'
import { postAuth } from '../console/sign-out'
import { passkeyWords, passwordWords, twoFactorWords as words } from './words'

// Calls of the sign-in library for the user's own account. Every failure is reported in the console's own words.

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string }

/** Refusals whose text the server writes for the user. */
const USER_FACING_CODES: readonly string[] = ['WEAK_PASSWORD', 'BAD_NAME', 'TOO_MANY_PASSKEYS', 'USER_NOT_VERIFIED']

async function ask<T>(path: string, body: unknown, wrong: string): Promise<Answer<T>> {
  try {
    const response = await postAuth(path, body)
    if (response.ok) return { ok: true, value: (await response.json()) as T }
    if (response.status === 429) return { ok: false, why: words.tooMany }
    if (response.status >= 500) return { ok: false, why: words.noAnswer }
    const error = (await response.json().catch(() => null)) as { code?: string; message?: string } | null
    const isUserFacing =
      error?.code !== undefined && USER_FACING_CODES.includes(error.code) && error.message !== undefined
    return { ok: false, why: isUserFacing && error.message ? error.message : wrong }
  } catch {
    return { ok: false, why: words.noAnswer }
  }
}

export const changePassword = (currentPassword: string, newPassword: string) =>
  ask<unknown>('change-password', { currentPassword, newPassword }, passwordWords.wrong)

export interface TwoFactorSetup {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

export const startTwoFactor = (password: string) =>
  ask<TwoFactorSetup>('two-factor/enable', { password }, words.wrongPassword)

export const enableTwoFactor = (code: string) =>
  ask<unknown>('two-factor/verify-totp', { code: code.replaceAll(' ', '') }, words.wrongCode)

export const disableTwoFactor = (password: string) =>
  ask<unknown>('two-factor/disable', { password }, words.wrongPassword)

export const renewBackupCodes = (password: string) =>
  ask<Pick<TwoFactorSetup, 'backupCodes'>>('two-factor/generate-backup-codes', { password }, words.wrongPassword)

export interface NewPasskey {
  readonly name: string
  readonly password: string
}

/** Checks the password first: a passkey that Berth rejects would stay on the device, unusable. */
export async function addPasskey({ name, password }: NewPasskey): Promise<Answer<unknown>> {
  const checked = await ask('passkey/check-new', { name, password }, passkeyWords.wrongPassword)
  if (!checked.ok) return checked
  const made = await requestCredential('register', passkeyWords.notMade)
  return made.ok
    ? ask('passkey/verify-registration', { name, password, response: made.value }, passkeyWords.notTaken)
    : made
}
