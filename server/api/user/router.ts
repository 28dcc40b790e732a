import { z } from 'zod'
import type { Auth } from '../../auth/auth'
import { endSessions } from '../../store/user/sessions'
import {
  createUser,
  findUser,
  listUsers,
  removeUser,
  resetTwoFactor,
  setUserGrants,
  setUserPassword,
  setUserRole,
  type UserRow,
} from '../../store/user/user'
import type { Ref } from '../names/names'
import { ROLES, type Role } from '../permit/roles'
import type { Ms } from '../plain'
import { line, object, oneOf, reason, recordId } from '../procedure/inputs'
import { admin, attributionOf, type CallerContext, router, viewer } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import { type SignInKind, signInKindOf } from '../session/kind'
import { type OpenSessionView, sessionsOf } from '../session/open'
import { grants, refuseUnknownScopes, type ScopesView, scopesView } from './grants'
import { type RightView, rightsTable } from './rights'

// User accounts, for admins. There is no sign-up: an admin creates an account with an initial password.

/** For admins. Passwords are write-only. */
export interface UserView extends Ref {
  readonly username: string
  readonly email: string
  /** Everywhere. */
  readonly role: Role
  /** Higher roles in parts of the fleet, such as `operator@zone:az1`. */
  readonly grants: readonly string[]
  readonly createdAt: Ms
  readonly signsInBy: SignInKind
  /** Whether a code is required after the password. */
  readonly twoFactor: boolean
  /** The number of passkeys. */
  readonly passkeys: number
}

const PASSWORD_MIN = 12
const PASSWORD_MAX = 128

const username = z
  .string({ error: 'expected a user name' })
  .regex(/^[a-z0-9][a-z0-9_.]{2,29}$/, 'expected 3 to 30 lower-case letters, digits, dots and underscores')
const password = z
  .string({ error: 'expected a password' })
  .min(PASSWORD_MIN, `expected a password of at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `expected a password of at most ${PASSWORD_MAX} characters`)
const id = z.string({ error: 'expected the id of a user' }).min(1).max(64, 'expected the id of a user')
const userId = recordId('a user')
const email = z.email({ error: 'expected an e-mail address' }).max(200)

const newUser = object({ username, name: line('a name'), email, role: oneOf(ROLES), password })

export const userRouter = router({
  /** The table that every procedure is checked against, for users to see what their role may do. */
  rights: viewer.query((): readonly RightView[] => rightsTable()),

  list: admin.everywhere.query(async ({ ctx }): Promise<readonly UserView[]> => {
    const users = await listUsers(ctx.services.database)
    return users.map(userView)
  }),

  create: admin.everywhere.input(newUser).mutation(async ({ ctx, input }): Promise<UserView> => {
    const { database, auth } = ctx.services
    const { password: secret, email: address, ...rest } = input
    refuseWeak(auth, secret, input)
    const passwordHash = await auth.hashPassword(secret)
    const user = await createUser(database, {
      ...rest,
      email: address.toLowerCase(),
      passwordHash,
      attribution: attributionOf(ctx),
    })
    if (user) return userView(user)
    const about = { what: `Create the user ${input.username}`, where: input.username }
    const next = 'Choose another name or address.'
    const have = 'a user with this name or address'
    return refuse('wrong-state', { ...about, need: 'a free name and address', have, next })
  }),

  setRole: admin.everywhere
    .input(object({ id, role: oneOf(ROLES), reason }))
    .mutation(async ({ ctx, input }): Promise<UserView> => {
      const { database } = ctx.services
      const { role } = input
      const user = await known(ctx, input.id)
      refuseFederated(user)
      if (await setUserRole(database, { user, role, ...attributionOf(ctx, input.reason) }))
        return userView({ ...user, role })
      return refuseLastAdmin(user, { what: `Make ${user.username} a ${role}`, need: role })
    }),

  /** Parts of the fleet that a role can be granted in. */
  scopes: admin.everywhere.query(({ ctx }): Promise<ScopesView> => scopesView(ctx.services)),

  /** The complete list: omitted ones are revoked. */
  setGrants: admin.everywhere
    .input(object({ id: userId, grants, reason }))
    .mutation(async ({ ctx, input }): Promise<UserView> => {
      const user = await known(ctx, input.id)
      refuseFederated(user)
      const added = input.grants.filter((grant) => !user.grants.includes(grant))
      await refuseUnknownScopes(ctx.services, added)
      const change = { user, grants: input.grants, ...attributionOf(ctx, input.reason) }
      await setUserGrants(ctx.services.database, change)
      return userView({ ...user, grants: input.grants })
    }),

  /** Ends the user's sessions. */
  setPassword: admin.everywhere
    .input(object({ id, password }))
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const { database, auth } = ctx.services
      const user = await known(ctx, input.id)
      refuseFederated(user)
      refuseWeak(auth, input.password, user)
      await setUserPassword(database, {
        user,
        passwordHash: await auth.hashPassword(input.password),
        ...attributionOf(ctx),
      })
      return { id: user.id }
    }),

  /** For a user who lost the device with the authenticator app or the passkeys: the password alone suffices again. */
  resetTwoFactor: admin.everywhere
    .input(object({ id: userId, reason }))
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const user = await known(ctx, input.id)
      if (await resetTwoFactor(ctx.services.database, { user, ...attributionOf(ctx, input.reason) }))
        return { id: user.id }
      const about = { what: `Reset the two-factor sign-in of ${user.username}`, where: user.username }
      const [need, have] = ['two-factor sign-in or a passkey', 'sign-in with the password alone']
      return refuse('wrong-state', { ...about, need, have, next: 'Nothing to do.' })
    }),

  /** With the user's sessions, password and saved views; tokens that act for the user are revoked. The audit log keeps all entries. */
  remove: admin.everywhere
    .input(object({ id: userId, reason }))
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const user = await known(ctx, input.id)
      const what = `Remove ${user.username}`
      if (user.id === ctx.caller.id) {
        const about = { what, where: user.username, next: 'Ask another admin to remove you.' }
        refuse('not-permitted', { ...about, need: 'another admin', have: 'your own account' })
      }
      if (await removeUser(ctx.services.database, { user, ...attributionOf(ctx, input.reason) })) return { id: user.id }
      return refuseLastAdmin(user, { what, need: 'another admin' })
    }),

  sessions: admin.everywhere
    .input(object({ id: userId }))
    .query(async ({ ctx, input }): Promise<readonly OpenSessionView[]> => sessionsOf(ctx, await known(ctx, input.id))),

  /** One session, or with `session` null all but the current one. */
  endSessions: admin.everywhere
    .input(object({ id: userId, session: recordId('a session').nullable(), reason }))
    .mutation(async ({ ctx, input }): Promise<{ ended: number }> => {
      const user = await known(ctx, input.id)
      const { session } = input
      const attribution = attributionOf(ctx, input.reason)
      const ended = await endSessions(ctx.services.database, {
        user,
        session,
        except: ctx.caller.session,
        ...attribution,
      })
      return ended > 0 || session === null ? { ended } : refuseUnknown('session', session)
    }),
})

const known = async ({ services }: CallerContext, user: string): Promise<UserRow> =>
  (await findUser(services.database, user)) ?? refuseUnknown('user', user)

function refuseLastAdmin({ username: where }: UserRow, { what, need }: { what: string; need: string }): never {
  const next = 'Make somebody else an admin first.'
  return refuse('not-permitted', { what, where, need, have: 'this is the last admin', next })
}

/** A user of an identity provider has no password here, and gets the role from their groups at each sign-in. */
function refuseFederated(user: UserRow): void {
  const kind = signInKindOf(user)
  if (kind === 'password') return
  const next = 'Change the groups of this user at the provider.'
  const about = { what: 'Nothing was changed', where: user.username, next }
  refuse('wrong-state', { ...about, need: 'a user with a password here', have: `a user who signs in by ${kind}` })
}

function refuseWeak(auth: Auth, secret: string, { username: known, name, email: address }: UserIdentity): void {
  const why = auth.passwordWeakness(secret, [known, name, address.split('@', 1)[0] ?? ''])
  if (why === null) return
  const about = { what: 'The password is too easy to guess', where: known, next: 'Choose another password.' }
  refuse('bad-input', { ...about, need: `another password: ${why}`, have: 'password' })
}

type UserIdentity = Pick<UserRow, 'username' | 'name' | 'email'>

function userView({ id, username, name, email, role, grants, createdAt, ...row }: UserRow): UserView {
  // A constraint of the database allows no other role.
  const known = { id, username, name, email, role: role as Role, grants, createdAt: createdAt.getTime() }
  return { ...known, signsInBy: signInKindOf(row), twoFactor: row.twoFactorEnabled, passkeys: row.passkeys.length }
}
