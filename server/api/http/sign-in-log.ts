import { randomUUID } from 'node:crypto'
import type { Person } from '../../auth/auth'
import type { Origin } from '../../engine/books'
import { recordEntry } from '../../store/audit-log/entry'
import { SIGN_IN_REFUSED } from '../../store/audit-log/list'
import { findByLogin } from '../../store/user/user'
import { originOf } from '../procedure/procedure'
import type { ApiServices } from '../services'

// Sign-ins in the audit log. The attempt gate answers 429 long before a guesser could fill it, and those are not
// written; what was typed as a name is written only of an account that exists, for it may be a password.

const ACTIONS: Readonly<Record<string, string>> = {
  '/api/auth/sign-in/username': 'session.signed-in',
  '/api/auth/sign-in/email': 'session.signed-in',
  '/api/auth/sign-out': 'session.signed-out',
  '/api/auth/change-password': 'user.password-changed',
}
const GATED = 429

export interface SignInCall {
  readonly path: string
  readonly headers: Headers
  /** The body as it was sent. */
  readonly said: unknown
  /** Whose session it was before the call. */
  readonly person: Person | null
  readonly status: number
}

/** Never throws: who signed in is in, whether or not it could be written down. */
export async function recordSignIn(services: ApiServices, call: SignInCall): Promise<void> {
  const { path, headers, status } = call
  const done = ACTIONS[path]
  if (!done || status >= 500 || status === GATED) return
  const action = status < 400 ? done : done === 'session.signed-in' ? SIGN_IN_REFUSED : null
  if (action === null) return
  try {
    const who = await whoOf(services, call)
    if (who === null) return
    const actor = { who: who.name, request: randomUUID(), reason: null, origin: who.origin }
    const data = status < 400 ? {} : { status, knownAccount: who.isKnown }
    await recordEntry(services.database.pool, { action, actor, at: services.now(), data })
  } catch (error) {
    services.log.error({ err: error, path, address: headers.get('x-forwarded-for') }, 'a sign-in was not written down')
  }
}

interface Who {
  readonly name: string
  readonly isKnown: boolean
  readonly origin: Origin
}

async function whoOf({ database }: ApiServices, { path, headers, said, person }: SignInCall): Promise<Who | null> {
  // Whoever signs in is who they say they are, also in a browser in which somebody else still is.
  const isSignIn = ACTIONS[path] === 'session.signed-in'
  if (person && !isSignIn) return { name: person.username, isKnown: true, origin: originOf(headers, person) }
  const { username, email } = (said ?? {}) as { readonly username?: unknown; readonly email?: unknown }
  const login = typeof username === 'string' ? username : typeof email === 'string' ? email : null
  // Signing out without a session changes nothing.
  if (login === null) return null
  const user = await findByLogin(database, login.toLowerCase())
  const address = headers.get('x-forwarded-for')
  if (!user) return { name: 'unknown user', isKnown: false, origin: { role: 'none', credential: 'password', address } }
  return { name: user.username, isKnown: true, origin: { role: user.role, credential: 'password', address } }
}
