import type { Grant } from '../../auth/grant'
import { endSessions } from '../../store/user/sessions'
import { findUser, removePasskey } from '../../store/user/user'
import type { Permits } from '../permit/permits'
import { permitFor, permitSomewhere } from '../permit/rights'
import type { Role } from '../permit/roles'
import type { Ms } from '../plain'
import { object, recordId } from '../procedure/inputs'
import { attributionOf, router, selfService, viewer } from '../procedure/procedure'
import { refuseUnknown } from '../refusal/refused'
import { type SignInKind, signInKindOf } from './kind'
import { type OpenSessionView, sessionsOf } from './open'

/** Sign-in itself: POST /api/auth/sign-in/email {email, password}; POST /api/auth/sign-out. */
export interface SessionView {
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
  /** Everywhere. */
  readonly role: Role
  /** Higher roles in parts of the fleet. */
  readonly grants: readonly Grant[]
  /** True when any host is driven by the simulator. */
  readonly simulated: boolean
  /** True when any host is real. */
  readonly real: boolean
  readonly now: Ms
  readonly version: string
  /** Whether this user may build an instance, start a migration and add a host at all. */
  readonly permitted: Permits<'build' | 'migrate' | 'addHost'>
}

/** A user's view of their own account. */
export interface AccountView {
  readonly username: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly grants: readonly Grant[]
  readonly signsInBy: SignInKind
  /** Whether a code is required after the password. */
  readonly twoFactor: boolean
  readonly passkeys: readonly PasskeyView[]
  /** The domain that a passkey can be added at; null where there can be none. */
  readonly passkeyDomain: string | null
  readonly sessions: readonly OpenSessionView[]
}

export interface PasskeyView {
  readonly id: string
  /** The name given by its owner. */
  readonly name: string
  readonly createdAt: Ms | null
}

export const sessionRouter = router({
  account: viewer.query(async ({ ctx }): Promise<AccountView> => {
    const { caller, services } = ctx
    const user = (await findUser(services.database, caller.id)) ?? refuseUnknown('user', caller.id)
    const { username, name, email } = user
    const known = { username, name, email, role: caller.role, grants: caller.grants, signsInBy: signInKindOf(user) }
    const passkeys = user.passkeys.map((each) => ({
      id: each.id,
      name: each.name ?? '',
      createdAt: each.createdAt?.getTime() ?? null,
    }))
    const passkeyDomain = services.auth.signInMethods.passkey?.domain ?? null
    const sessions = await sessionsOf(ctx, user)
    return { ...known, twoFactor: user.twoFactorEnabled, passkeys, passkeyDomain, sessions }
  }),

  /** One of the user's own, or with `session` null all but the current one. */
  end: selfService
    .input(object({ session: recordId('a session').nullable() }))
    .mutation(async ({ ctx, input }): Promise<{ ended: number }> => {
      const { caller, services } = ctx
      const { session } = input
      const attribution = attributionOf(ctx)
      const ended = await endSessions(services.database, {
        user: caller,
        session,
        except: caller.session,
        ...attribution,
      })
      return ended > 0 || session === null ? { ended } : refuseUnknown('session', session)
    }),

  /** One of their own. A user who lost the device wants its passkey gone at once, so no reason is required. */
  removePasskey: selfService
    .input(object({ passkey: recordId('a passkey') }))
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const { caller, services } = ctx
      const attribution = attributionOf(ctx)
      const isRemoved = await removePasskey(services.database, { user: caller, passkey: input.passkey, ...attribution })
      return isRemoved ? { id: input.passkey } : refuseUnknown('passkey', input.passkey)
    }),

  /** The caller's account and rights. */
  me: viewer.query(({ ctx }): SessionView => {
    const { services, caller } = ctx
    const operate = permitSomewhere(caller, 'operate')
    return {
      user: { id: caller.id, name: caller.name, email: caller.email },
      role: caller.role,
      grants: caller.grants,
      simulated: services.fleet.hosts().some((host) => host.driver === 'simulated'),
      real: services.fleet.hosts().some((host) => host.driver !== 'simulated'),
      now: services.now(),
      version: services.version,
      permitted: { build: operate, migrate: operate, addHost: permitFor(caller, 'administer') },
    }
  }),
})
