import { postAuth } from '../console/sign-in'
import { passwordWords, twoFactorWords as words } from './words'

// What the sign-in library answers about an account of one's own. Every call says what went wrong in words of ours.

export type Answer<T> = { readonly ok: true; readonly said: T } | { readonly ok: false; readonly why: string }

async function ask<T>(path: string, body: unknown, wrong: string): Promise<Answer<T>> {
  try {
    const response = await postAuth(path, body)
    if (response.ok) return { ok: true, said: (await response.json()) as T }
    if (response.status === 429) return { ok: false, why: words.tooMany }
    if (response.status >= 500) return { ok: false, why: words.noAnswer }
    const said = (await response.json().catch(() => null)) as { code?: string; message?: string } | null
    return { ok: false, why: said?.code === 'WEAK_PASSWORD' && said.message ? said.message : wrong }
  } catch {
    return { ok: false, why: words.noAnswer }
  }
}

export const changePassword = (currentPassword: string, newPassword: string) =>
  ask<unknown>('change-password', { currentPassword, newPassword }, passwordWords.wrong)

export interface Begun {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

export const beginTwoFactor = (password: string) => ask<Begun>('two-factor/enable', { password }, words.wrongPassword)

export const enableTwoFactor = (code: string) =>
  ask<unknown>('two-factor/verify-totp', { code: code.replaceAll(' ', '') }, words.wrongCode)

export const disableTwoFactor = (password: string) =>
  ask<unknown>('two-factor/disable', { password }, words.wrongPassword)

export const renewBackupCodes = (password: string) =>
  ask<Pick<Begun, 'backupCodes'>>('two-factor/generate-backup-codes', { password }, words.wrongPassword)
