import { isIP } from 'node:net'
import { passkey } from '@better-auth/passkey'
import type { BetterAuthPlugin, GenericEndpointContext } from 'better-auth'
import { APIError, createAuthEndpoint, getSessionFromCtx, sessionMiddleware } from 'better-auth/api'
import { z } from 'zod'

// Passkeys: a key on the user's device instead of password and code. User verification (a finger, a face or a PIN) is
// required and checked here: the library would also accept a device that proves no more than its presence.

const ADD = '/passkey/verify-registration'
const CHECK = '/passkey/check-new'
/** Routes that require the password: CHECK, before the device creates a key in vain, and ADD, which stores the key. */
export const PASSKEY_ROUTES: readonly string[] = [CHECK, ADD]
const PASSKEYS_MAX = 20
const NAME_MAX = 60

/**
 * The domain that a browser binds a passkey to. Null if there is none: browsers accept neither an IP address nor,
 * except on localhost, plain http. Without a public URL only `localhost` is certain to be Berth's name.
 */
export function passkeyDomain(publicUrl: string | null): string | null {
  if (publicUrl === null) return 'localhost'
  const { hostname, protocol } = new URL(publicUrl)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isAddress || (protocol !== 'https:' && hostname !== 'localhost') ? null : hostname
}

export function passkeys(domain: string) {
  return [check(), makePasskey(domain)] satisfies BetterAuthPlugin[]
}

/** A route that only runs the checks of `PASSKEY_ROUTES`. */
function check() {
  const body = z.object({ name: z.string(), password: z.string() })
  const route = createAuthEndpoint(CHECK, { method: 'POST', body, use: [sessionMiddleware] }, (ctx) =>
    Promise.resolve(ctx.json({ status: true })),
  )
  return { id: 'new-passkey', endpoints: { checkNewPasskey: route } } satisfies BetterAuthPlugin
}

function makePasskey(domain: string) {
  return passkey({
    rpID: domain,
    rpName: 'Berth',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) => refuseUnverified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) => refuseUnverified(verification.authenticationInfo.userVerified),
    },
  })
}

function refuseUnverified(userVerified: boolean | undefined): void {
  if (userVerified === true) return
  const message = 'The device did not ask who you are. Use one that asks for a finger, a face or a PIN.'
  throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED', message })
}

/** An open browser must not be enough to add a passkey to its user's account. */
export async function checkNewPasskey(ctx: GenericEndpointContext): Promise<void> {
  const session = await getSessionFromCtx(ctx)
  // The route itself refuses requests without a session.
  if (!session) return
  const { name, password } = (ctx.body ?? {}) as { name?: unknown; password?: unknown }
  if (typeof name !== 'string' || name.trim() === '' || name.length > NAME_MAX) {
    const message = `A passkey needs a name of at most ${NAME_MAX} characters. It was not added.`
    throw new APIError('BAD_REQUEST', { code: 'BAD_NAME', message })
  }
  if (!(await isPasswordOf(ctx, session.user.id, password))) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD', message: 'Wrong password. No passkey was added.' })
  }
  const where = [{ field: 'userId', value: session.user.id }]
  if ((await ctx.context.adapter.count({ model: 'passkey', where })) >= PASSKEYS_MAX) {
    const message = `You have ${PASSKEYS_MAX} passkeys. Remove one first.`
    throw new APIError('BAD_REQUEST', { code: 'TOO_MANY_PASSKEYS', message })
  }
}

async function isPasswordOf({ context }: GenericEndpointContext, user: string, typed: unknown): Promise<boolean> {
  const { password: settings, internalAdapter } = context
  if (typeof typed !== 'string' || typed.length > settings.config.maxPasswordLength) return false
  const account = await internalAdapter.findCredentialAccount(user)
  // Users of an identity provider have no password in Berth, so they cannot add a passkey.
  return account?.password ? settings.verify({ hash: account.password, password: typed }) : false
}
