import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database'

// People who may sign in. Reading a session is better-auth's; making and changing people is ours, because nobody
// may sign up by themselves.

export interface UserRow {
  readonly id: string
  readonly username: string
  readonly name: string
  readonly email: string
  readonly role: string
  readonly createdAt: Date
}

export interface NewUser {
  readonly username: string
  readonly name: string
  readonly email: string
  readonly role: string
  readonly passwordHash: string
}

const COLUMNS = { id: true, username: true, name: true, email: true, role: true, createdAt: true } as const

export function listUsers({ prisma }: Database): Promise<UserRow[]> {
  return prisma.user.findMany({ select: COLUMNS, orderBy: { username: 'asc' } })
}

export function countUsers({ prisma }: Database): Promise<number> {
  return prisma.user.count()
}

export function findUser({ prisma }: Database, id: string): Promise<UserRow | null> {
  return prisma.user.findUnique({ where: { id }, select: COLUMNS })
}

/** The user with a password to sign in with, in one transaction. Null when the name or the address is taken. */
export async function createUser({ prisma }: Database, user: NewUser): Promise<UserRow | null> {
  const id = randomUUID()
  const { passwordHash, ...row } = user
  const account = { id: randomUUID(), accountId: id, providerId: 'credential', password: passwordHash }
  try {
    return await prisma.user.create({ data: { id, ...row, accounts: { create: account } }, select: COLUMNS })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'P2002') return null // unique constraint
    throw error
  }
}

/**
 * Answers false, and changes nothing, when this would leave no admin: nobody could ever make another one. All admins
 * are locked first, or two of them taking the role from each other would both see one left.
 */
export async function setUserRole({ prisma }: Database, id: string, role: string): Promise<boolean> {
  const changed = await prisma.$queryRaw<unknown[]>`
    with admins as materialized (select id from auth_user where role = 'admin' order by id for update)
    update auth_user set role = ${role}, updated_at = now()
    where id = ${id} and (${role} = 'admin' or exists (select 1 from admins where id <> ${id}))
    returning id`
  return changed.length > 0
}

/** Ends every session of the user: who knew the old password is out. */
export async function setUserPassword({ prisma }: Database, id: string, passwordHash: string): Promise<void> {
  await prisma.$transaction([
    prisma.account.updateMany({
      where: { userId: id, providerId: 'credential' },
      data: { password: passwordHash },
    }),
    prisma.session.deleteMany({ where: { userId: id } }),
  ])
}
