import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type BetterAuthPlugin, betterAuth, type GenericEndpointContext } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { APIError, createAuthEndpoint, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { twoFactor, username } from 'better-auth/plugins'
import type { Database } from '../store/database/database'
import { forgetOldAttempts } from '../store/user/attempts'
import { readPasswordHashBehind } from '../store/user/password'
import { addressKey } from './address-key'
import { type Attempts, limitedAttempts } from './attempt-gate'
import { federation } from './federation/plugin'
import type { FederationSettings } from './federation/settings'
import { withHashedTokens } from './hashed-tokens'
import { ownOrigins } from './origin'
import { checkNewPasskey, PASSKEY_ROUTES, passkeyDomain, passkeys } from './passkey'
import { reliedHashing, relyOnPassword, withUnchangedPassword } from './unchanged-password'
import { passwordWeakness } from './weak-password'

// better-auth, set up for local accounts: a user name or mail address with a password, sessions in the database,
// cookies that scripts cannot read. There is no sign-up; an admin creates users.

export interface SignInOptions {
  readonly database: Database
  readonly secret: string
  /** Berth's address; null: as in the Host header. */
  readonly publicUrl: string | null
  /** Cookies are sent over https only. */
  readonly secure: boolean
  readonly limits: SignInLimits
  readonly hashing: PasswordHashing
  readonly federation: FederationSettings
  readonly onFailure: (error: unknown) => void
}

export interface PasswordHashing {
  hash(password: string): Promise<string>
  verify(of: { readonly hash: string; readonly password: string }): Promise<boolean>
}

export interface SignInLimits {
  /** Attempts from one address at one route in a minute; twice as many at those of passkeys. */
  readonly perAddress: number
  /** Failed sign-ins to one account from one address in five minutes; then the account is locked for that address. */
  readonly perAccount: number
  /** Sign-ins to one account in five minutes from all addresses, failed or not; then each waits for `slowMs`. */
  readonly unhurried: number
  readonly slowMs: number
  /** Requests of one user in five minutes to routes that require the password. */
  readonly changes: number
}

export const PASSWORD_MIN = 12
const PASSWORD_MAX = 128
const COOKIE_PREFIX = 'berth'
const SESSION_S = 7 * 24 * 3600
/** Routes where somebody at an open browser could guess its owner's password. */
const ASKS_PASSWORD: readonly string[] = [
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  ...PASSKEY_ROUTES,
]
/** Routes that create a session without the password, from a challenge or another session. */
const CHECKS_CODE: readonly string[] = ['/two-factor/verify-totp', '/two-factor/verify-backup-code']
const CODE_LENGTH = 6
const CODE_GOOD_MS = 90_000
const ACCOUNT_WINDOW_MS = 5 * 60_000

/** By status, because the libraries of better-auth have several classes of such errors. */
const isRefusal = (error: unknown) => Number((error as { statusCode?: unknown } | null)?.statusCode) < 500

/** Messages about a passkey that was refused; a flood of those must not flood the log. */
const GUESSES: readonly string[] = ['Failed to verify registration', 'Failed to verify authentication']

function tellUnlessGuess(tell: (error: unknown) => void, message: string, causes: readonly unknown[]): void {
  if (!GUESSES.includes(message)) tell(new Error(message, { cause: causes[0] }))
}

export function signInEngine(options: SignInOptions) {
  const { database, secret, publicUrl, secure, limits, hashing, onFailure } = options
  const attempts = limitedAttempts(database)
  const domain = passkeyDomain(publicUrl)
  return betterAuth({
    appName: 'Berth',
    ...(publicUrl === null ? {} : { baseURL: publicUrl }),
    basePath: '/api/auth',
    secret,
    database: withHashedTokens(
      withUnchangedPassword(database, prismaAdapter(database.prisma, { provider: 'postgresql' })),
    ),
    trustedOrigins: (request) => (request ? ownOrigins(request.headers, publicUrl) : []),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: reliedHashing(hashing),
    },
    plugins: [
      username({ displayUsername: false }),
      twoFactor({ issuer: 'Berth', skipVerificationOnEnable: false }),
      challenge(),
      ...(domain === null ? [] : passkeys(domain)),
      federation({ database, settings: options.federation, publicUrl, onFailure }),
    ],
    user: {
      additionalFields: {
        role: { type: 'string', required: true, input: false },
        grants: { type: 'string[]', required: true, input: false },
      },
    },
    // No open route relies on a fresh session: those that need more than a session require the password.
    session: { expiresIn: SESSION_S, updateAge: SESSION_S / 7, freshAge: 0 },
    rateLimit: {
      enabled: true,
      customStorage: rateStorage(database, attempts),
      window: 60,
      max: 300,
      customRules: {
        '/sign-in/*': { window: 60, max: limits.perAddress },
        '/change-password': { window: 60, max: limits.perAddress },
        // better-auth itself ends a challenge after 5 wrong codes, and locks an account after 10 in a row.
        '/two-factor/*': { window: 60, max: limits.perAddress },
        '/passkey/*': { window: 60, max: 2 * limits.perAddress },
      },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: secure,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure },
      database: { generateId: () => randomUUID() },
    },
    hooks: { before: beforeRoute(options, attempts), after: forgiveAccount(attempts) },
    telemetry: { enabled: false },
    // At a lower level it warns at every start without a public URL; then the origin comes from the request
    // (`ownOrigins`).
    logger: { level: 'error', log: (_level, message, ...causes) => tellUnlessGuess(onFailure, message, causes) },
    // A refusal is not a failure, and a flood of guesses must not flood the log.
    onAPIError: { onError: (error) => void (isRefusal(error) || onFailure(error)) },
  })
}

function beforeRoute({ database, limits }: SignInOptions, attempts: Attempts) {
  return createAuthMiddleware(async (ctx) => {
    const { path, body, headers } = ctx
    const account = accountOf(path, body)
    if (account !== null) await slowDown({ attempts, limits, account, address: addressKey(headers ?? new Headers()) })
    if (CHECKS_CODE.includes(path)) relyOnPassword(await passwordBehind(database, ctx))
    if (path === '/two-factor/verify-totp') await refuseUsedCode(attempts, await challengedIn(ctx), body)
    if (!ASKS_PASSWORD.includes(path)) return
    const session = await getSessionFromCtx(ctx)
    // The route itself refuses requests without a session.
    if (!session) return
    await countChange(attempts, { user: session.user.id, max: limits.changes })
    if (PASSKEY_ROUTES.includes(path)) await checkNewPasskey(ctx)
    if (path !== '/change-password') return
    const { newPassword } = (body ?? {}) as { newPassword?: unknown }
    const { email, name } = session.user
    const why =
      typeof newPassword === 'string' ? passwordWeakness(newPassword, [email.split('@', 1)[0] ?? '', name]) : null
    if (why !== null) {
      const message = `Choose another password: ${why}. The password was not changed.`
      throw new APIError('BAD_REQUEST', { code: 'WEAK_PASSWORD', message })
    }
    // Ends all other sessions: one may belong to somebody else who knew the old password.
    return { context: { ...ctx, body: { ...(body as object), revokeOtherSessions: true } } }
  })
}

interface Attempt {
  readonly attempts: Attempts
  readonly limits: SignInLimits
  readonly account: string
  readonly address: string
}

/** A flood from one address locks out that address; a flood from many delays every attempt, but the owner gets in. */
async function slowDown({ attempts, limits, account, address }: Attempt): Promise<void> {
  const window = { windowMs: ACCOUNT_WINDOW_MS }
  const waitMs = await attempts.count(pairKey(account, address), { ...window, max: limits.perAccount })
  if (waitMs !== null) throw tooMany('Too many wrong passwords for this account from this address.', waitMs)
  const isFlood = (await attempts.count(account, { ...window, max: limits.unhurried })) !== null
  if (isFlood) await setTimeout(limits.slowMs)
}

/** A code is valid for 90 seconds, but accepted once: somebody who saw it typed must not sign in with it. */
async function refuseUsedCode(attempts: Attempts, user: string | null, body: unknown): Promise<void> {
  const { code } = (body ?? {}) as { code?: unknown }
  if (user === null || typeof code !== 'string') return
  const key = `code|${user}|${code.slice(0, CODE_LENGTH)}`
  const waitMs = await attempts.count(key, { max: 1, windowMs: CODE_GOOD_MS })
  if (waitMs !== null)
    throw new APIError('UNAUTHORIZED', { code: 'USED_CODE', message: 'This code was used. Wait for the next.' })
}

async function countChange(attempts: Attempts, { user, max }: { readonly user: string; readonly max: number }) {
  const limit = { max, windowMs: ACCOUNT_WINDOW_MS }
  const waitMs = await attempts.count(`change|${user}`, limit)
  if (waitMs !== null) throw tooMany('Too many attempts with the password of this account.', waitMs)
}

function tooMany(what: string, waitMs: number): APIError {
  const waitS = Math.ceil(waitMs / 1000)
  const message = `${what} Try again in ${waitS} s.`
  return new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_ATTEMPTS', message }, { 'X-Retry-After': `${waitS}` })
}

/** A successful sign-in resets the count of its account and address, so that only failures count there. */
function forgiveAccount(attempts: Attempts) {
  return createAuthMiddleware(async ({ path, body, headers, context }) => {
    const account = accountOf(path, body)
    if (account !== null && context.newSession)
      await attempts.forget(pairKey(account, addressKey(headers ?? new Headers())))
  })
}

const pairKey = (account: string, address: string) => `${account}|${address}`

function accountOf(path: string | undefined, body: unknown): string | null {
  if (!path?.startsWith('/sign-in/')) return null
  const { username: name, email } = (body ?? {}) as { username?: unknown; email?: unknown }
  const who = typeof name === 'string' ? name : typeof email === 'string' ? email : null
  return who === null ? null : `account|${who.toLowerCase().slice(0, 256)}`
}

// Between password and code there is no session; only the challenge cookie identifies the user, whom the audit log
// records with a wrong code.

/** The name of the cookie in better-auth's two-factor plugin. */
const CHALLENGE_COOKIE = 'two_factor'

async function challengeIn(ctx: GenericEndpointContext): Promise<string | null> {
  const { name } = ctx.context.createAuthCookie(CHALLENGE_COOKIE)
  return (await ctx.getSignedCookie(name, ctx.context.secret)) || null
}

/** The password that the session or the challenge of the request came from; both end with it. */
async function passwordBehind(database: Database, ctx: GenericEndpointContext): Promise<string> {
  const session = (await getSessionFromCtx(ctx))?.session.id ?? null
  return readPasswordHashBehind(database, { session, challenge: await challengeIn(ctx) })
}

/** The id of the user if the request answers a challenge, else null. */
async function challengedIn(ctx: GenericEndpointContext): Promise<string | null> {
  const identifier = await challengeIn(ctx)
  const kept = identifier ? await ctx.context.internalAdapter.findVerificationValue(identifier) : null
  return kept?.value ?? null
}

/** Not a route: only the server itself can call it. */
function challenge() {
  return {
    id: 'challenge',
    endpoints: {
      challengedUser: createAuthEndpoint.serverOnly({ method: 'GET', requireHeaders: true }, challengedIn),
    },
  } satisfies BetterAuthPlugin
}

// better-auth counts in interactive transactions: in a flood, sign-ins would wait for connections until all of them
// fail. This counts in one statement.

const PRUNE_INTERVAL_MS = 60_000
/** Longer than any window. */
const RETENTION_MS = 15 * 60_000

interface Rule {
  /** Seconds. */
  readonly window: number
  readonly max: number
}

function rateStorage(database: Database, attempts: Attempts) {
  let forgotAt = Number.NEGATIVE_INFINITY
  return {
    consume: async (key: string, { window, max }: Rule) => {
      if (performance.now() - forgotAt > PRUNE_INTERVAL_MS) {
        forgotAt = performance.now()
        await forgetOldAttempts(database, RETENTION_MS)
      }
      const waitMs = await attempts.count(`route|${key}`, { max, windowMs: window * 1_000 })
      return { allowed: waitMs === null, retryAfter: waitMs === null ? null : Math.ceil(waitMs / 1_000) }
    },
  }
}
