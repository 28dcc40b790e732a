import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type BetterAuthPlugin, betterAuth, type GenericEndpointContext } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { APIError, createAuthEndpoint, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { twoFactor, username } from 'better-auth/plugins'
import type { Database } from '../store/database/database'
import { forgetAttemptsBefore } from '../store/user/attempts'
import { addressKey } from './address-key'
import { type Attempts, gatedAttempts } from './attempt-gate'
import { federation } from './federation/plugin'
import type { FederationSettings } from './federation/settings'
import { withHashedTokens } from './hashed-tokens'
import { ownOrigins } from './origin'
import { checkNewPasskey, PASSKEY_ROUTES, passkeyDomain, passkeys } from './passkey'
import { whyWeak } from './weak-password'

// better-auth, set up for local accounts: a name or an address and a password, sessions in the database, cookies that
// scripts cannot read. Nobody signs up; an admin makes people.

export interface SignInOptions {
  readonly database: Database
  readonly secret: string
  /** Where people reach Berth, when that is not what the Host header says. */
  readonly publicUrl: string | null
  /** Cookies only over https. */
  readonly secure: boolean
  readonly limits: SignInLimits
  readonly federation: FederationSettings
  readonly onFailure: (error: unknown) => void
}

export interface SignInLimits {
  /** Attempts from one address in a minute. */
  readonly perAddress: number
  /** Wrong passwords for one account from one address in five minutes; then that address is shut out of that account. */
  readonly perAccount: number
  /** Wrong passwords for one account in five minutes, from all addresses together; then each attempt waits. */
  readonly unhurried: number
  readonly slowMs: number
  /** Attempts of one person to change the password in five minutes. */
  readonly changes: number
}

export const PASSWORD_MIN = 12
export const PASSWORD_MAX = 128
export const COOKIE_PREFIX = 'berth'
const SESSION_S = 7 * 24 * 3600
/** Routes at which whoever finds an open browser could guess the password of its owner. */
const ASKS_PASSWORD: readonly string[] = [
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  ...PASSKEY_ROUTES,
]
const CODE_LENGTH = 6
const CODE_GOOD_MS = 90_000
const ACCOUNT_WINDOW_MS = 5 * 60_000

/** Its libraries have more than one class of such errors. */
const isRefusal = (error: unknown) => Number((error as { statusCode?: unknown } | null)?.statusCode) < 500

/** Who presents a passkey that does not fit is refused; a flood of those must not become a flood of lines either. */
const GUESSES: readonly string[] = ['Failed to verify registration', 'Failed to verify authentication']

function tellUnlessGuess(tell: (error: unknown) => void, message: string, causes: readonly unknown[]): void {
  if (!GUESSES.includes(message)) tell(new Error(message, { cause: causes[0] }))
}

export function signInEngine(options: SignInOptions) {
  const { database, secret, publicUrl, secure, limits, onFailure } = options
  const attempts = gatedAttempts(database)
  const domain = passkeyDomain(publicUrl)
  return betterAuth({
    appName: 'Berth',
    ...(publicUrl === null ? {} : { baseURL: publicUrl }),
    basePath: '/api/auth',
    secret,
    database: withHashedTokens(prismaAdapter(database.prisma, { provider: 'postgresql' })),
    trustedOrigins: (request) => (request ? ownOrigins(request.headers, publicUrl) : []),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
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
    // No route that is open trusts a young session: each asks for the password.
    session: { expiresIn: SESSION_S, updateAge: SESSION_S / 7, freshAge: 0 },
    rateLimit: {
      enabled: true,
      customStorage: rateStorage(database, attempts),
      window: 60,
      max: 300,
      customRules: {
        '/sign-in/*': { window: 60, max: limits.perAddress },
        '/change-password': { window: 60, max: limits.perAddress },
        // A challenge takes five codes, and an account ten in a row, from wherever they come.
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
    hooks: { before: beforeRoute(attempts, limits), after: forgiveAccount(attempts) },
    telemetry: { enabled: false },
    // It warns of every start without a public URL. The origin then comes from the request, and `ownOrigins` checks it.
    logger: { level: 'error', log: (_level, message, ...causes) => tellUnlessGuess(onFailure, message, causes) },
    // A refusal is an answer, and a flood of guesses must not become a flood of lines.
    onAPIError: { onError: (error) => void (isRefusal(error) || onFailure(error)) },
  })
}

function beforeRoute(attempts: Attempts, limits: SignInLimits) {
  return createAuthMiddleware(async (ctx) => {
    const { path, body, headers } = ctx
    const account = accountOf(path, body)
    if (account !== null) await slowDown({ attempts, limits, account, address: addressKey(headers ?? new Headers()) })
    if (path === '/two-factor/verify-totp') await refuseUsedCode(attempts, await challengedIn(ctx), body)
    if (!ASKS_PASSWORD.includes(path)) return
    const session = await getSessionFromCtx(ctx)
    // The route itself refuses who has none.
    if (!session) return
    await countChange(attempts, { user: session.user.id, max: limits.changes })
    if (PASSKEY_ROUTES.includes(path)) await checkNewPasskey(ctx)
    if (path !== '/change-password') return
    const { newPassword } = (body ?? {}) as { newPassword?: unknown }
    const { email, name } = session.user
    const why = typeof newPassword === 'string' ? whyWeak(newPassword, [email.split('@', 1)[0] ?? '', name]) : null
    if (why !== null) {
      const message = `Choose another password: ${why}. The password was not changed.`
      throw new APIError('BAD_REQUEST', { code: 'WEAK_PASSWORD', message })
    }
    // Whoever knew the old password is out.
    return { context: { ...ctx, body: { ...(body as object), revokeOtherSessions: true } } }
  })
}

interface Attempt {
  readonly attempts: Attempts
  readonly limits: SignInLimits
  readonly account: string
  readonly address: string
}

/** A flood from one address shuts out that address; a flood from many makes everybody wait, and lets the owner in. */
async function slowDown({ attempts, limits, account, address }: Attempt): Promise<void> {
  const window = { windowMs: ACCOUNT_WINDOW_MS, now: Date.now() }
  const waitMs = await attempts.count(pairKey(account, address), { ...window, max: limits.perAccount })
  if (waitMs !== null) throw tooMany('Too many wrong passwords for this account from this address.', waitMs)
  const isFlood = (await attempts.count(account, { ...window, max: limits.unhurried })) !== null
  if (isFlood) await setTimeout(limits.slowMs)
}

/** A code is good for 90 seconds; whoever watched it being typed must not be let in with it. */
async function refuseUsedCode(attempts: Attempts, user: string | null, body: unknown): Promise<void> {
  const { code } = (body ?? {}) as { code?: unknown }
  if (user === null || typeof code !== 'string') return
  const key = `code|${user}|${code.slice(0, CODE_LENGTH)}`
  const waitMs = await attempts.count(key, { max: 1, windowMs: CODE_GOOD_MS, now: Date.now() })
  if (waitMs !== null)
    throw new APIError('UNAUTHORIZED', { code: 'USED_CODE', message: 'This code was used. Wait for the next.' })
}

async function countChange(attempts: Attempts, { user, max }: { readonly user: string; readonly max: number }) {
  const limit = { max, windowMs: ACCOUNT_WINDOW_MS, now: Date.now() }
  const waitMs = await attempts.count(`change|${user}`, limit)
  if (waitMs !== null) throw tooMany('Too many attempts with the password of this account.', waitMs)
}

function tooMany(what: string, waitMs: number): APIError {
  const waitS = Math.ceil(waitMs / 1000)
  const message = `${what} Try again in ${waitS} s.`
  return new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_ATTEMPTS', message }, { 'X-Retry-After': `${waitS}` })
}

/** Counts failures only: a sign-in that worked starts the count anew, for its address. */
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

// Between the password and the code nobody is signed in, and the cookie of the challenge alone says whose code is asked
// for. The audit log wants to know it when the code is wrong.

/** The name that the library's plugin gives to its cookie. */
const CHALLENGE_COOKIE = 'two_factor'

/** The id of the user, where the request is an answer to a challenge. */
async function challengedIn(ctx: GenericEndpointContext): Promise<string | null> {
  const { name } = ctx.context.createAuthCookie(CHALLENGE_COOKIE)
  const identifier = await ctx.getSignedCookie(name, ctx.context.secret)
  const kept = identifier ? await ctx.context.internalAdapter.findVerificationValue(identifier) : null
  return kept?.value ?? null
}

/** No route: only the server itself can ask. */
function challenge() {
  return {
    id: 'challenge',
    endpoints: {
      challengedUser: createAuthEndpoint.serverOnly({ method: 'GET', requireHeaders: true }, challengedIn),
    },
  } satisfies BetterAuthPlugin
}

// better-auth counts in interactive transactions, and a flood of sign-ins then waits for connections until all fail.
// This counts in one statement.

const FORGET_EVERY_MS = 60_000
/** Longer than any window. */
const KEPT_MS = 15 * 60_000

interface Rule {
  /** Seconds. */
  readonly window: number
  readonly max: number
}

function rateStorage(database: Database, attempts: Attempts) {
  let forgotAt = 0
  return {
    consume: async (key: string, { window, max }: Rule) => {
      const now = Date.now()
      if (now - forgotAt > FORGET_EVERY_MS) {
        forgotAt = now
        await forgetAttemptsBefore(database, now - KEPT_MS)
      }
      const waitMs = await attempts.count(`route|${key}`, { max, windowMs: window * 1_000, now })
      return { allowed: waitMs === null, retryAfter: waitMs === null ? null : Math.ceil(waitMs / 1_000) }
    },
  }
}
