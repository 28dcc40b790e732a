import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'
import { recordEntry } from '../../store/audit-log/entry'
import { SIGN_IN_REFUSED } from '../../store/audit-log/list'
import type { Database } from '../../store/database/database'
import { readDatabaseTime } from '../../store/time/database-clock'
import { findFederatedUser, saveFederatedUser } from '../../store/user/federated'
import { endSessions } from '../../store/user/sessions'
import { isHttps } from '../origin'
import { type Identity, type Refusal, SignInRefused } from './identity'
import { keystoneIdentity } from './keystone'
import { type Attempt, openOidc } from './oidc'
import { type FederationSettings, grantsOf, type RoleMap, roleOf } from './settings'

// The routes for signing in with an identity provider. Their sessions last a day and are not extended: a user who lost
// the group at the provider is out by then, or with the next sign-in.

export interface FederationOptions {
  readonly database: Database
  readonly settings: FederationSettings
  readonly publicUrl: string | null
  readonly onFailure: (error: unknown) => void
}

const OIDC_BEGIN = '/sign-in/oidc'
const OIDC_CALLBACK = '/callback/oidc'
const KEYSTONE_SIGN_IN = '/sign-in/keystone'
const ATTEMPT_COOKIE = 'oidc_attempt'
const ATTEMPT_S = 600

const credentials = z.object({
  username: z.string().trim().min(1).max(255),
  password: z.string().min(1).max(1024),
  domain: z.string().trim().max(64).optional(),
})
const attemptSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), next: z.string() })

export function federation(options: FederationOptions) {
  const { settings, publicUrl } = options
  const oidc = settings.oidc && openOidc(settings.oidc)
  const beginOidc = createAuthEndpoint(
    OIDC_BEGIN,
    { method: 'GET', query: z.object({ next: z.string().max(2000).optional() }), requireHeaders: true },
    async (ctx) => {
      if (!oidc) throw notSetUp()
      const begun = await oidc
        .begin(callbackOf(ctx.headers, publicUrl))
        .catch((error: unknown) => refusalIn(error, options))
      if (typeof begun === 'string') throw ctx.redirect(signInPage(begun))
      const kept = JSON.stringify({ ...begun.attempt, next: ctx.query.next ?? '/' })
      const cookie = ctx.context.createAuthCookie(ATTEMPT_COOKIE, { maxAge: ATTEMPT_S })
      await ctx.setSignedCookie(cookie.name, kept, ctx.context.secret, cookie.attributes)
      throw ctx.redirect(begun.url.href)
    },
  )
  const finishOidc = createAuthEndpoint(
    OIDC_CALLBACK,
    { method: 'GET', requireHeaders: true, requireRequest: true },
    async (ctx) => {
      if (!oidc || !settings.oidc) throw notSetUp()
      const cookie = ctx.context.createAuthCookie(ATTEMPT_COOKIE, { maxAge: ATTEMPT_S })
      const kept = attemptFrom(await ctx.getSignedCookie(cookie.name, ctx.context.secret))
      ctx.setCookie(cookie.name, '', { ...cookie.attributes, maxAge: 0 })
      if (kept === null) throw ctx.redirect(signInPage('expired'))
      const own = callbackOf(ctx.headers, publicUrl)
      try {
        const identity = await oidc.finish(own, new URL(ctx.request.url).searchParams, kept)
        await createUserSession(ctx, { identity, roles: settings.oidc.roles, options })
      } catch (error) {
        throw ctx.redirect(signInPage(refusalIn(error, options)))
      }
      throw ctx.redirect(ownPath(kept.next, own))
    },
  )
  const signInKeystone = createAuthEndpoint(
    KEYSTONE_SIGN_IN,
    { method: 'POST', body: credentials, requireHeaders: true },
    async (ctx) => {
      if (!settings.keystone) throw notSetUp()
      const { username, password, domain } = ctx.body
      try {
        const identity = await keystoneIdentity(settings.keystone, { username, password, domain: domain || null })
        await createUserSession(ctx, { identity, roles: settings.keystone.roles, options })
      } catch (error) {
        const why = refusalIn(error, options)
        throw new APIError(STATUS[why], { code: why, message: why })
      }
      return ctx.json({ ok: true })
    },
  )
  return { id: 'federation', endpoints: { beginOidc, finishOidc, signInKeystone } } satisfies BetterAuthPlugin
}

/** The reason for the browser. If an admin could fix the cause, it goes to the log. */
function refusalIn(error: unknown, { onFailure }: FederationOptions): Refusal {
  const why = error instanceof SignInRefused ? error.why : 'provider'
  if (why === 'provider') onFailure(error)
  return why
}

/** A user who gets 403 is known to the provider, and the refusal is in the audit log already. */
const STATUS = {
  wrong: 'UNAUTHORIZED',
  expired: 'UNAUTHORIZED',
  'no-role': 'FORBIDDEN',
  'name-taken': 'FORBIDDEN',
  provider: 'SERVICE_UNAVAILABLE',
} as const

type Ctx = Parameters<typeof setSessionCookie>[0] & { readonly headers: Headers }

interface FederatedSignIn {
  readonly identity: Identity
  readonly roles: RoleMap
  readonly options: FederationOptions
}

async function createUserSession(ctx: Ctx, signIn: FederatedSignIn): Promise<void> {
  const userId = await savedUser(signIn, ctx.headers)
  const user = await ctx.context.internalAdapter.findUserById(userId)
  const session = await ctx.context.internalAdapter.createSession(userId, true)
  if (!user || !session) throw new Error(`no session was created for the user ${userId}`)
  await setSessionCookie(ctx, { session, user }, true)
}

const notSetUp = () => new APIError('NOT_FOUND', { code: 'NOT_FOUND', message: 'There is no such route.' })

const signInPage = (problem: string) => `/sign-in?problem=${problem}`

async function savedUser({ identity, roles, options }: FederatedSignIn, headers: Headers): Promise<string> {
  const { database } = options
  const { provider, subject, name, email } = identity
  const username = identity.username.toLowerCase()
  const role = roleOf(roles, identity.groups)
  const grants = grantsOf(roles, identity.groups)
  const origin = { role: role ?? 'none', credential: provider, address: headers.get('x-forwarded-for') }
  const actor = { who: username, request: null, reason: null, origin }
  const attribution = { actor, at: await readDatabaseTime(database) }
  // Only for users whom the provider knows: others must not be able to fill the audit log.
  const refuse = async (why: Refusal, detail: string): Promise<never> => {
    await recordEntry(database.pool, { action: SIGN_IN_REFUSED, ...attribution, data: { provider, why } })
    throw new SignInRefused(why, detail)
  }
  if (role === null) {
    // A lower role applies to the user's other sessions at once, and so does the loss of every role.
    const known = await findFederatedUser(database, { provider, subject })
    if (known) await endSessions(database, { user: known, session: null, ...attribution })
    return refuse('no-role', `No group of ${username} has a role.`)
  }
  const user = await saveFederatedUser(database, {
    provider,
    subject,
    username,
    name,
    email,
    role,
    grants,
    ...attribution,
  })
  return user ?? refuse('name-taken', `Another user has the name or address of ${username}.`)
}

function attemptFrom(text: string | false | null | undefined): (Attempt & { readonly next: string }) | null {
  if (!text) return null
  try {
    return attemptSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The address that the provider redirects back to; it must be registered there. */
function callbackOf(headers: Headers, publicUrl: string | null): string {
  const own = publicUrl ?? `${isHttps(headers, publicUrl) ? 'https' : 'http'}://${headers.get('host')}`
  return new URL(`/api/auth${OIDC_CALLBACK}`, own).href
}

/** A link must not redirect to another site after the sign-in. */
function ownPath(next: string, base: string): string {
  if (!next.startsWith('/') || !URL.canParse(next, base)) return '/'
  const url = new URL(next, base)
  return url.origin === new URL(base).origin ? `${url.pathname}${url.search}${url.hash}` : '/'
}
