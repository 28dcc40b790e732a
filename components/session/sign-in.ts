import { requestCredential } from '../console/passkey'
import { postAuth } from '../console/sign-out'

// The routes of better-auth that sign a user in.

export interface SignInAnswer {
  readonly ok: boolean
  /** The password was right; a code of the authenticator app is required. */
  readonly needsCode: boolean
  /** The server's error code; null if it did not answer. */
  readonly code: string | null
  readonly retryAfterS: number | null
}

interface AuthResponseBody {
  readonly code?: string
  readonly message?: string
  readonly twoFactorRedirect?: boolean
}

async function answerTo(path: string, body: unknown): Promise<SignInAnswer> {
  const nothing = { ok: false, needsCode: false, code: null, retryAfterS: null }
  try {
    const response = await postAuth(path, body)
    const answer = (await response.json().catch(() => null)) as AuthResponseBody | null
    if (response.ok)
      return { ...nothing, ok: !answer?.twoFactorRedirect, needsCode: answer?.twoFactorRedirect === true }
    const retryAfterS = response.status === 429 ? Number(response.headers.get('x-retry-after') ?? 60) : null
    return { ...nothing, code: answer?.code ?? 'UNKNOWN', retryAfterS }
  } catch {
    return nothing
  }
}

export function signIn(input: { readonly name: string; readonly password: string }): Promise<SignInAnswer> {
  const { name, password } = input
  return name.includes('@')
    ? answerTo('sign-in/email', { email: name, password })
    : answerTo('sign-in/username', { username: name, password })
}

export const signInKeystone = (input: { username: string; password: string; domain: string }) =>
  answerTo('sign-in/keystone', input)

/** `why`: the message if the device returned nothing. */
export async function signInWithPasskey(why: string): Promise<SignInAnswer | { readonly why: string }> {
  const credential = await requestCredential('authenticate', why)
  return credential.ok
    ? answerTo('passkey/verify-authentication', { response: credential.value })
    : { why: credential.why }
}

/** Six digits are an authenticator code; anything else is a backup code. */
export function sendCode(text: string): Promise<SignInAnswer> {
  const code = text.replaceAll(' ', '')
  return answerTo(/^\d{6}$/.test(code) ? 'two-factor/verify-totp' : 'two-factor/verify-backup-code', { code })
}
