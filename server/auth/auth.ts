import { randomBytes, randomInt } from 'node:crypto'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import type { Database } from '../store/database/database'
import { readDatabaseTime } from '../store/time/database-clock'
import { ensureSigningSecret } from '../store/user/signing-secret'
import { countUsers, createUser } from '../store/user/user'
import { type FederationSettings, NO_FEDERATION } from './federation/settings'
import { foreignOrigin, isHttps } from './origin'
import { passkeyDomain } from './passkey'
import { sharedLookups } from './shared-lookups'
import { PASSWORD_MIN, type PasswordHashing, type SignInLimits, signInEngine } from './sign-in'
import { withReliedPassword } from './unchanged-password'
import { passwordWeakness } from './weak-password'

// Authentication: identifies the person behind a request, and serves the routes for signing in and out. Authorization
// is not decided here; the API does that by role and grants.

export interface AuthOptions {
  readonly database: Database
  /** From BERTH_SECRET; null: one is generated and kept in the database. */
  readonly secret: string | null
  readonly publicUrl: string | null
  readonly adminPassword: string | null
  readonly print: (message: string) => void
  /** Identity providers; none by default. */
  readonly federation?: FederationSettings
  readonly limits?: Partial<SignInLimits>
  /** scrypt by default. */
  readonly hashing?: PasswordHashing
  /** Called with failures of the sign-in library; by default they are ignored. */
  readonly onFailure?: (error: unknown) => void
}

export interface SignedInUser {
  readonly id: string
  /** The id of the account: the user's own, or the one that a token acts for; null: the token acts for none. */
  readonly account: string | null
  /** The id of the session, which is not its token. */
  readonly session: string
  /** What the request authenticated with, if not with a session: `token` and its name. */
  readonly credential?: string
  readonly username: string
  readonly name: string
  readonly email: string
  /** In the whole fleet. */
  readonly role: string
  /** Higher roles in parts of the fleet, such as `operator@zone:az1`. */
  readonly grants: readonly string[]
}

export interface Auth {
  /** The sender of the request; null without a valid session. Reads the database, so a revoked role is gone at once. */
  user(headers: Headers): Promise<SignedInUser | null>
  /** Answers `/api/auth/*`. */
  handle(request: Request): Promise<Response>
  /** The person whom the answer to a sign-in admits; null if it sets no session cookie. */
  userSignedInBy(answer: Response, request: Headers): Promise<SignedInUser | null>
  /** The id of the user who gave the right password and still has to enter a code; null if there is none. */
  challenged(headers: Headers): Promise<string | null>
  /** What the sign-in page offers besides name and password. */
  readonly signInMethods: SignInMethods
  /** The Origin if another site made a browser send the request, else null. */
  foreignOrigin(headers: Headers): string | null
  hashPassword(password: string): Promise<string>
  /** Why the password is too weak for that person, as the end of a sentence; null if it is not. */
  passwordWeakness(password: string, known: readonly string[]): string | null
}

export interface SignInMethods {
  readonly oidc: { readonly name: string } | null
  readonly keystone: { readonly name: string; readonly domain: string } | null
  /** The domain that passkeys are bound to; null if browsers would accept none. */
  readonly passkey: { readonly domain: string } | null
}

/** The browser returns here from the provider's site, so its Origin is not checked; the attempt in its cookie is. */
const OIDC_RETURN = '/api/auth/callback/oidc'
/** All other routes of better-auth answer 404: a route that is not needed must not be open to misuse. */
const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/api/auth/sign-in/username'],
  ['POST', '/api/auth/sign-in/email'],
  ['POST', '/api/auth/sign-out'],
  ['GET', '/api/auth/get-session'],
  ['POST', '/api/auth/change-password'],
  ['POST', '/api/auth/two-factor/enable'],
  ['POST', '/api/auth/two-factor/disable'],
  ['POST', '/api/auth/two-factor/verify-totp'],
  ['POST', '/api/auth/two-factor/verify-backup-code'],
  ['POST', '/api/auth/two-factor/generate-backup-codes'],
  ['POST', '/api/auth/passkey/check-new'],
  ['GET', '/api/auth/passkey/generate-register-options'],
  ['POST', '/api/auth/passkey/verify-registration'],
  ['GET', '/api/auth/passkey/generate-authenticate-options'],
  ['POST', '/api/auth/passkey/verify-authentication'],
  ['POST', '/api/auth/sign-in/keystone'],
  ['GET', '/api/auth/sign-in/oidc'],
  ['GET', OIDC_RETURN],
]
const LIMITS: SignInLimits = { perAddress: 30, perAccount: 10, unhurried: 100, slowMs: 2_000, changes: 10 }
const SECRET_MIN = 32
const SCRYPT: PasswordHashing = { hash: hashPassword, verify: verifyPassword }

/** Sets up authentication; at the first start it also creates the first admin. */
export async function openAuth(options: AuthOptions): Promise<Auth> {
  const { database, publicUrl, hashing = SCRYPT } = options
  const secret = await chooseSecret(options)
  const first = { password: checkedAdminPassword(options.adminPassword), print: options.print, hash: hashing.hash }
  await ensureFirstAdmin(database, first)

  const onFailure = options.onFailure ?? (() => {})
  const limits = { ...LIMITS, ...options.limits }
  const federation = options.federation ?? NO_FEDERATION
  const domain = passkeyDomain(publicUrl)
  const engines = new Map<boolean, ReturnType<typeof signInEngine>>()
  // Behind a proxy, one process serves https requests and, from inside, http ones; each needs its own kind of cookie.
  const engineFor = (headers: Headers) => {
    const secure = isHttps(headers, publicUrl)
    const engine =
      engines.get(secure) ??
      signInEngine({ database, secret, publicUrl, secure, limits, hashing, federation, onFailure })
    engines.set(secure, engine)
    return engine
  }

  const lookups = sharedLookups(async (headers: Headers): Promise<SignedInUser | null> => {
    const found = await engineFor(headers).api.getSession({ headers, query: { disableRefresh: true } })
    if (!found) return null
    const { id, name, email, role, grants, username } = found.user
    const { id: session } = found.session
    return { ...{ id, account: id, name, email, role, session }, grants: grants ?? [], username: username ?? name }
  })

  const user = async (headers: Headers) => {
    const cookie = headers.get('cookie')
    return cookie === null ? null : lookups(`${isHttps(headers, publicUrl)} ${cookie}`, headers)
  }

  return {
    user,
    userSignedInBy: async (answer, request) => {
      const headers = new Headers(request)
      headers.set(
        'cookie',
        answer.headers
          .getSetCookie()
          .map((each) => each.split(';', 1)[0])
          .join('; '),
      )
      return answer.status < 400 ? user(headers) : null
    },
    challenged: (headers) => engineFor(headers).api.challengedUser({ headers }),
    signInMethods: {
      oidc: federation.oidc && { name: federation.oidc.name },
      keystone: federation.keystone && { name: federation.keystone.name, domain: federation.keystone.userDomain },
      passkey: domain === null ? null : { domain },
    },
    handle: async (request) =>
      refuseRoute(request, publicUrl) ??
      withoutTokens(await withReliedPassword(() => engineFor(request.headers).handler(request))),
    foreignOrigin: (headers) => foreignOrigin(headers, publicUrl),
    hashPassword: hashing.hash,
    passwordWeakness,
  }
}

function refuseRoute(request: Request, publicUrl: string | null): Response | null {
  const path = new URL(request.url).pathname
  if (!ROUTES.some(([method, route]) => method === request.method && route === path)) {
    return Response.json({ code: 'NOT_FOUND', message: 'There is no such route.' }, { status: 404 })
  }
  const origin = foreignOrigin(request.headers, publicUrl)
  if (origin === null || path === OIDC_RETURN) return null
  const message = `This request came from ${origin}. Open Berth itself, or set BERTH_URL to where people reach it.`
  return Response.json({ code: 'INVALID_ORIGIN', message }, { status: 403 })
}

async function chooseSecret({ secret, database }: AuthOptions): Promise<string> {
  if (secret === null) return ensureSigningSecret(database, randomBytes(48).toString('base64url'))
  if (secret.length < SECRET_MIN) throw new Error(`BERTH_SECRET must have at least ${SECRET_MIN} characters.`)
  return secret
}

function checkedAdminPassword(password: string | null): string | null {
  if (password !== null && password.length < PASSWORD_MIN) {
    throw new Error(`BERTH_ADMIN_PASSWORD must have at least ${PASSWORD_MIN} characters.`)
  }
  const why = password === null ? null : passwordWeakness(password, ['admin'])
  if (why !== null) throw new Error(`Choose another BERTH_ADMIN_PASSWORD: ${why}.`)
  return password
}

const NAME = 'admin'
// Without look-alikes: this password is typed from what a terminal shows.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 20 // 99 bits

interface FirstAdminOptions extends Pick<PasswordHashing, 'hash'> {
  /** From BERTH_ADMIN_PASSWORD; null: a random one. */
  readonly password: string | null
  /** Shows the password to the person who started Berth: once per database, and stored nowhere in the clear. */
  readonly print: (message: string) => void
}

/** Creates `admin` if there are no users. If several servers start at once, one creates it and shows the password. */
async function ensureFirstAdmin(database: Database, options: FirstAdminOptions): Promise<void> {
  if ((await countUsers(database)) > 0) return
  const password = options.password ?? randomPassword()
  const passwordHash = await options.hash(password)
  const made = await createUser(database, {
    username: NAME,
    name: 'Administrator',
    email: 'admin@localhost.invalid',
    role: 'admin',
    passwordHash,
    attribution: {
      actor: { who: 'berth', request: null, reason: 'first start' },
      at: await readDatabaseTime(database),
    },
  })
  if (!made) return
  if (options.password !== null) options.print(`Sign in as ${NAME} with the password from BERTH_ADMIN_PASSWORD.`)
  else options.print(`Sign in as ${NAME} with the password ${password} (it is shown only now; change it).`)
}

function randomPassword(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length)))
  return letters.join('').replace(/(.{5})(?=.)/g, '$1-')
}

// Besides the cookie, better-auth returns the session token in its answers, where a script could read it. Answers leave
// here without it.

async function withoutTokens(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return answer
  const text = await answer.text()
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  const stripped = text === '' ? text : JSON.stringify(JSON.parse(text), dropToken)
  return new Response(stripped, { status: answer.status, headers })
}

const dropToken = (key: string, value: unknown) => (key === 'token' ? undefined : value)
