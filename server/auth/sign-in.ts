import { randomUUID } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { username } from 'better-auth/plugins'
import { countAttempt, forgetAttempts } from '../store/attempts'
import type { Database } from '../store/database'
import { ownOrigins } from './origin'

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
}

export interface SignInLimits {
  /** Attempts from one address in a minute. */
  readonly perAddress: number
  /** Wrong passwords for one account in five minutes, from wherever they come: an address is easily forged. */
  readonly perAccount: number
}

export const PASSWORD_MIN = 12
export const PASSWORD_MAX = 128
export const COOKIE_PREFIX = 'berth'
const SESSION_S = 7 * 24 * 3600
const ACCOUNT_WINDOW_MS = 5 * 60_000

export function signInEngine({ database, secret, publicUrl, secure, limits }: SignInOptions) {
  return betterAuth({
    appName: 'Berth',
    ...(publicUrl === null ? {} : { baseURL: publicUrl }),
    basePath: '/api/auth',
    secret,
    database: prismaAdapter(database.prisma, { provider: 'postgresql' }),
    trustedOrigins: (request) => (request ? ownOrigins(request.headers, publicUrl) : []),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
    },
    plugins: [username({ displayUsername: false })],
    user: { additionalFields: { role: { type: 'string', required: true, input: false } } },
    session: { expiresIn: SESSION_S, updateAge: SESSION_S / 7 },
    rateLimit: {
      enabled: true,
      storage: 'database',
      window: 60,
      max: 300,
      customRules: { '/sign-in/*': { window: 60, max: limits.perAddress } },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: secure,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure },
      database: { generateId: () => randomUUID() },
    },
    hooks: { before: countAccount(database, limits.perAccount), after: forgiveAccount(database) },
    telemetry: { enabled: false },
    logger: { level: 'error' },
  })
}

function countAccount(database: Database, max: number) {
  return createAuthMiddleware(async ({ path, body }) => {
    const key = accountKey(path, body)
    if (key === null) return
    const waitMs = await countAttempt(database, key, { max, windowMs: ACCOUNT_WINDOW_MS, now: Date.now() })
    if (waitMs === null) return
    const waitS = Math.ceil(waitMs / 1000)
    const message = `Too many wrong passwords for this account. Try again in ${waitS} s.`
    throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_ATTEMPTS', message }, { 'X-Retry-After': `${waitS}` })
  })
}

/** Counts failures only: a sign-in that worked starts the count anew. */
function forgiveAccount(database: Database) {
  return createAuthMiddleware(async ({ path, body, context }) => {
    const key = accountKey(path, body)
    if (key !== null && context.newSession) await forgetAttempts(database, key)
  })
}

function accountKey(path: string | undefined, body: unknown): string | null {
  if (!path?.startsWith('/sign-in/')) return null
  const { username: name, email } = (body ?? {}) as { username?: unknown; email?: unknown }
  const who = typeof name === 'string' ? name : typeof email === 'string' ? email : null
  return who === null ? null : `account|${who.toLowerCase().slice(0, 256)}`
}
