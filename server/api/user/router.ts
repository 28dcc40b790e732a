import { z } from 'zod'
import type { Auth } from '../../auth/auth'
import { createUser, findUser, listUsers, setUserPassword, setUserRole, type UserRow } from '../../store/user/user'
import type { Ref } from '../names/names'
import { ROLES, type Role } from '../permit/roles'
import type { Ms } from '../plain'
import { line, object, oneOf } from '../procedure/inputs'
import { admin, router } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'

// People, for admins. Nobody signs up; a person is made here, with a first password to change.

/** For admins. Passwords go in and never come out. */
export interface UserView extends Ref {
  readonly username: string
  readonly email: string
  readonly role: Role
  readonly createdAt: Ms
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
const email = z.email({ error: 'expected an e-mail address' }).max(200)

const newUser = object({ username, name: line('a name'), email, role: oneOf(ROLES), password })

export const userRouter = router({
  list: admin.query(async ({ ctx }): Promise<readonly UserView[]> => {
    const users = await listUsers(ctx.services.database)
    return users.map(userView)
  }),

  create: admin.input(newUser).mutation(async ({ ctx, input }): Promise<UserView> => {
    const { database, auth } = ctx.services
    const { password: secret, email: address, ...rest } = input
    refuseWeak(auth, secret, input)
    const passwordHash = await auth.hashPassword(secret)
    const user = await createUser(database, { ...rest, email: address.toLowerCase(), passwordHash })
    if (user) return userView(user)
    const have = 'a user with this name or address'
    return refuse(
      { kind: 'wrong-state', where: {}, need: 'a free name and address', have },
      {
        what: `Make the user ${input.username}`,
        where: input.username,
        next: 'Choose another name or address.',
      },
    )
  }),

  setRole: admin.input(object({ id, role: oneOf(ROLES) })).mutation(async ({ ctx, input }): Promise<UserView> => {
    const { database } = ctx.services
    const user = (await findUser(database, input.id)) ?? refuseUnknown('user', input.id)
    if (await setUserRole(database, user.id, input.role)) return userView({ ...user, role: input.role })
    return refuse(
      { kind: 'not-permitted', where: {}, need: input.role, have: 'this is the last admin' },
      {
        what: `Make ${user.username} a ${input.role}`,
        where: user.username,
        next: 'Make somebody else an admin first.',
      },
    )
  }),

  /** Ends the sessions of that person. */
  setPassword: admin.input(object({ id, password })).mutation(async ({ ctx, input }): Promise<{ id: string }> => {
    const { database, auth } = ctx.services
    const user = (await findUser(database, input.id)) ?? refuseUnknown('user', input.id)
    refuseWeak(auth, input.password, user)
    await setUserPassword(database, user.id, await auth.hashPassword(input.password))
    return { id: user.id }
  }),
})

function refuseWeak(auth: Auth, secret: string, { username: known, name, email: address }: Known): void {
  const why = auth.whyWeak(secret, [known, name, address.split('@', 1)[0] ?? ''])
  if (why === null) return
  const refusal = { kind: 'bad-input', where: {}, need: `another password: ${why}`, have: 'password' } as const
  refuse(refusal, { what: 'The password is too easy to guess', where: known, next: 'Choose another password.' })
}

type Known = Pick<UserRow, 'username' | 'name' | 'email'>

function userView({ id, username, name, email, role, createdAt }: UserRow): UserView {
  // The database lets no other role in.
  return { id, username, name, email, role: role as Role, createdAt: createdAt.getTime() }
}
