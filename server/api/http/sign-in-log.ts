import { randomUUID } from 'node:crypto'
import type { SignedInUser } from '../../auth/auth'
import type { Origin } from '../../engine/change'
import { recordEntry } from '../../store/audit-log/entry'
import { SIGN_IN_REFUSED } from '../../store/audit-log/list'
import { findByLogin, findByPasskey, findUser } from '../../store/user/user'
import { originOf } from '../procedure/procedure'
import type { ApiServices } from '../services'

// Sign-ins in the audit log. The attempt gate answers 429 long before a guesser could fill it, and those are not
// written. The entered name is written only if the account exists, because it may be a mistyped password.

const SIGNED_IN = 'session.signed-in'
const ACTIONS: Readonly<Record<string, string>> = {
  '/api/auth/sign-in/username': SIGNED_IN,
  '/api/auth/sign-in/email': SIGNED_IN,
  '/api/auth/sign-in/keystone': SIGNED_IN,
  '/api/auth/callback/oidc': SIGNED_IN,
  '/api/auth/two-factor/verify-totp': SIGNED_IN,
  '/api/auth/two-factor/verify-backup-code': SIGNED_IN,
  '/api/auth/passkey/verify-authentication': SIGNED_IN,
  '/api/auth/passkey/verify-registration': 'user.passkey-added',
  '/api/auth/sign-out': 'session.signed-out',
  '/api/auth/change-password': 'user.password-changed',
  '/api/auth/two-factor/enable': 'user.two-factor-started',
  '/api/auth/two-factor/disable': 'user.two-factor-disabled',
  '/api/auth/two-factor/generate-backup-codes': 'user.backup-codes-made',
}
const ENABLED = 'user.two-factor-enabled'
const CREDENTIALS: Readonly<Record<string, string>> = {
  '/api/auth/sign-in/keystone': 'keystone',
  '/api/auth/callback/oidc': 'oidc',
  '/api/auth/passkey/verify-authentication': 'passkey',
  '/api/auth/two-factor/verify-totp': 'password and code',
  '/api/auth/two-factor/verify-backup-code': 'password and backup code',
}
const GATED = 429

export interface SignInCall {
  readonly path: string
  readonly headers: Headers
  /** The body as it was sent. */
  readonly body: unknown
  /** The user of the session before the call. */
  readonly userBefore: SignedInUser | null
  readonly answer: Response
}

/** Never throws: a sign-in succeeds whether or not it could be logged. */
export async function recordSignIn(services: ApiServices, call: SignInCall): Promise<void> {
  const { path, headers, answer } = call
  if (!(path in ACTIONS) || answer.status >= 500 || answer.status === GATED) return
  try {
    const entry = await entryOf(services, call)
    if (entry === null) return
    const { action, who, origin, data } = entry
    const actor = { who, request: randomUUID(), reason: null, origin }
    await recordEntry(services.database.pool, { action, actor, at: services.now(), data })
  } catch (error) {
    services.log.error({ err: error, path, address: headers.get('x-forwarded-for') }, 'a sign-in was not recorded')
  }
}

interface Entry {
  readonly action: string
  readonly who: string
  readonly origin: Origin
  readonly data: Readonly<Record<string, unknown>>
}

/** Null: nothing worth an entry, such as a correct password while the code is still pending. */
async function entryOf(services: ApiServices, call: SignInCall): Promise<Entry | null> {
  const { path, headers, userBefore, answer } = call
  const isDone = answer.status < 400
  const action = ACTIONS[path]
  const isSignIn = action === SIGNED_IN
  if (userBefore && (!isSignIn || path.includes('/two-factor/'))) {
    const did = isSignIn ? ENABLED : action
    return isDone && did
      ? { action: did, who: userBefore.username, origin: originOf(headers, userBefore), data: {} }
      : null
  }
  // Signing out without a session changes nothing.
  if (!isSignIn) return null
  // A user that a provider knows and Berth rejects is logged where that is decided.
  if (answer.status === 403) return null
  if (!isDone) return refusedSignIn(services, call)
  const entered = await services.auth.userSignedInBy(answer, headers)
  if (!entered) return null
  const origin = { ...originOf(headers, entered), credential: CREDENTIALS[path] ?? 'password' }
  return { action: SIGNED_IN, who: entered.username, origin, data: { session: entered.session } }
}

async function refusedSignIn({ auth, database }: ApiServices, { path, headers, body, answer }: SignInCall) {
  const challenged = path.includes('/two-factor/') ? await auth.challenged(headers) : null
  const { username, email, response } = (body ?? {}) as SignInInput
  const login = typeof username === 'string' ? username : typeof email === 'string' ? email : null
  const passkey = path.includes('/passkey/') && typeof response?.id === 'string' ? response.id : null
  if (challenged === null && login === null && passkey === null) return null
  const user = challenged
    ? await findUser(database, challenged)
    : passkey
      ? await findByPasskey(database, passkey)
      : await findByLogin(database, (login ?? '').toLowerCase())
  const address = headers.get('x-forwarded-for')
  const credential = CREDENTIALS[path] ?? 'password'
  return {
    action: SIGN_IN_REFUSED,
    who: user?.username ?? 'unknown user',
    origin: { role: user?.role ?? 'none', credential, address },
    data: { status: answer.status, knownAccount: user !== null },
  }
}

interface SignInInput {
  readonly username?: unknown
  readonly email?: unknown
  /** The device's response, with the id of its key. */
  readonly response?: { readonly id?: unknown } | null
}
