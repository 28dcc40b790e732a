import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Attribution } from '../../engine/change'
import { recordEntry } from '../audit-log/entry'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import { endSignIns, PASSWORD_ACCOUNT } from './password'

// User accounts. better-auth reads sessions; accounts are created and changed here, because users cannot sign up on
// their own.

export interface UserRow {
  readonly id: string
  readonly username: string
  readonly name: string
  readonly email: string
  readonly role: string
  /** Higher roles in parts of the fleet, as texts. */
  readonly grants: readonly string[]
  readonly createdAt: Date
  readonly twoFactorEnabled: boolean
  readonly passkeys: readonly PasskeyRow[]
  /** `credential` is a password; others name an identity provider. */
  readonly accounts: readonly { readonly providerId: string }[]
}

export interface PasskeyRow {
  readonly id: string
  readonly name: string | null
  readonly createdAt: Date | null
}

export interface NewUser extends Pick<UserRow, 'username' | 'name' | 'email' | 'role'> {
  readonly passwordHash: string
  readonly attribution: Attribution
}

const COLUMNS = {
  ...{
    id: true,
    username: true,
    name: true,
    email: true,
    role: true,
    grants: true,
    createdAt: true,
    twoFactorEnabled: true,
  },
  accounts: { select: { providerId: true } },
  passkeys: { select: { id: true, name: true, createdAt: true }, orderBy: { createdAt: 'asc' } },
} as const

export function listUsers({ prisma }: Database): Promise<UserRow[]> {
  return prisma.user.findMany({ select: COLUMNS, orderBy: { username: 'asc' } })
}

export function countUsers({ prisma }: Database): Promise<number> {
  return prisma.user.count()
}

export function findUser({ prisma }: Database, id: string): Promise<UserRow | null> {
  return prisma.user.findUnique({ where: { id }, select: COLUMNS })
}

export function findByUsername({ prisma }: Database, username: string): Promise<UserRow | null> {
  return prisma.user.findUnique({ where: { username }, select: COLUMNS })
}

/** Both are unique, and a name has no @. */
export function findByLogin({ prisma }: Database, login: string): Promise<UserRow | null> {
  return prisma.user.findFirst({ where: { OR: [{ username: login }, { email: login }] }, select: COLUMNS })
}

/** The user who has a passkey of this id, as the device reports it. */
export function findByPasskey({ prisma }: Database, credentialID: string): Promise<UserRow | null> {
  return prisma.user.findFirst({ where: { passkeys: { some: { credentialID } } }, select: COLUMNS })
}

/** The user with a password to sign in with, in one transaction. Null when the name or the address is taken. */
export async function createUser(database: Database, user: NewUser): Promise<UserRow | null> {
  const id = randomUUID()
  const { username, name, email, role, passwordHash, attribution } = user
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<Omit<UserRow, 'accounts' | 'passkeys'>>(
      `insert into auth_user (id, username, name, email, role, updated_at) values ($1, $2, $3, $4, $5, now())
       on conflict do nothing returning id, username, name, email, role, grants, created_at as "createdAt", two_factor_enabled as "twoFactorEnabled"`,
      [id, username, name, email, role],
    )
    const made = rows[0]
    if (!made) return null
    await client.query(
      `insert into auth_account (id, account_id, provider_id, user_id, password, updated_at)
       values ($1, $2, $4, $2, $3, now())`,
      [randomUUID(), id, passwordHash, PASSWORD_ACCOUNT],
    )
    await recordEntry(client, { action: 'user.created', ...attribution, data: { user: id, username, role } })
    return { ...made, accounts: [{ providerId: PASSWORD_ACCOUNT }], passkeys: [] }
  })
}

/**
 * Returns false, and changes nothing, when this would leave no admin, which could not be undone. All admins are locked
 * first, or two of them demoting each other would both see one left.
 */
export async function setUserRole(
  database: Database,
  { user, role, ...attribution }: Attribution & { readonly user: UserIdentity; readonly role: string },
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ before: string }>(
      `with admins as materialized (select id from auth_user where role = 'admin' order by id for update),
         was as materialized (select role from auth_user where id = $1)
       update auth_user set role = $2, updated_at = now()
       where id = $1 and ($2 = 'admin' or exists (select 1 from admins where id <> $1))
       returning (select role from was) as before`,
      [user.id, role],
    )
    const changed = rows[0]
    if (!changed) return false
    const data = { user: user.id, username: user.username, before: changed.before, after: role }
    await recordEntry(client, { action: 'user.role', ...attribution, data })
    return true
  })
}

/** Replaces all higher roles in parts of the fleet. */
export async function setUserGrants(
  database: Database,
  { user, grants, ...attribution }: Attribution & { readonly user: UserIdentity; readonly grants: readonly string[] },
): Promise<void> {
  await inTransaction(database, async (client) => {
    const { rows } = await client.query<{ grants: readonly string[] }>(
      'select grants from auth_user where id = $1 for update',
      [user.id],
    )
    const [was] = rows
    if (!was) return
    await client.query('update auth_user set grants = $2, updated_at = now() where id = $1', [user.id, grants])
    const data = { user: user.id, username: user.username, before: was.grants, after: grants }
    await recordEntry(client, { action: 'user.grants', ...attribution, data })
  })
}

/** Ends every session of the user, including those of anybody who knew the old password. */
export async function setUserPassword(
  database: Database,
  { user, passwordHash, ...attribution }: Attribution & { readonly user: UserIdentity; readonly passwordHash: string },
): Promise<void> {
  await inTransaction(database, async (client) => {
    await client.query(
      'update auth_account set password = $2, updated_at = now() where user_id = $1 and provider_id = $3',
      [user.id, passwordHash, PASSWORD_ACCOUNT],
    )
    const data = { user: user.id, username: user.username, sessionsEnded: await endSignIns(client, user.id) }
    await recordEntry(client, { action: 'user.password', ...attribution, data })
  })
}

/** For a user who lost the device with the authenticator app or the passkeys. False when there is only the password. */
export async function resetTwoFactor(
  database: Database,
  { user, ...attribution }: Attribution & { readonly user: UserIdentity },
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    // As the removal of the user does.
    await client.query('select from auth_user where id = $1 for no key update', [user.id])
    await client.query('delete from auth_two_factor where user_id = $1', [user.id])
    const { rowCount: passkeys } = await client.query('delete from auth_passkey where user_id = $1', [user.id])
    const { rowCount } = await client.query(
      'update auth_user set two_factor_enabled = false, updated_at = now() where id = $1 and two_factor_enabled',
      [user.id],
    )
    if (rowCount === 0 && passkeys === 0) return false
    const data = { user: user.id, username: user.username, passkeys }
    await recordEntry(client, { action: 'user.two-factor-reset', ...attribution, data })
    return true
  })
}

/** False where that user has no such passkey. Sessions that it began stay open. */
export async function removePasskey(
  database: Database,
  { user, passkey, ...attribution }: Attribution & { readonly user: UserIdentity; readonly passkey: string },
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ name: string | null }>(
      'delete from auth_passkey where id = $1 and user_id = $2 returning name',
      [passkey, user.id],
    )
    const removed = rows[0]
    if (!removed) return false
    const data = { user: user.id, username: user.username, passkey: removed.name }
    await recordEntry(client, { action: 'user.passkey-removed', ...attribution, data })
    return true
  })
}

type UserIdentity = Pick<UserRow, 'id' | 'username'>

/**
 * With the sessions, passwords and saved views of the user, and revokes the tokens that act for the account. False, and
 * nothing is changed, for the last admin.
 */
export async function removeUser(
  database: Database,
  { user, ...attribution }: Attribution & { readonly user: UserIdentity },
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    // Changes of the password lock its row first, then sessions; the deletion alone would lock them in another order.
    await client.query('select from auth_account where user_id = $1 order by id for update', [user.id])
    // Admins first, as a change of the role does. Then no token can be created for the user any more.
    await client.query(`select from auth_user where role = 'admin' order by id for update`)
    await client.query('select from auth_user where id = $1 for update', [user.id])
    const tokens = await client.query<TokenIdentity>(
      'select id, name from api_token where account_id = $1 and revoked_at is null order by id for update',
      [user.id],
    )
    const { rows } = await client.query<{ role: string }>(
      `delete from auth_user where id = $1
       and (role <> 'admin' or exists (select 1 from auth_user where role = 'admin' and id <> $1)) returning role`,
      [user.id],
    )
    const removed = rows[0]
    if (!removed) return false
    await revokeTokens(client, tokens.rows, attribution)
    const data = { user: user.id, username: user.username, role: removed.role }
    await recordEntry(client, { action: 'user.removed', ...attribution, data })
    return true
  })
}

interface TokenIdentity {
  readonly id: string
  readonly name: string
}

async function revokeTokens(
  client: pg.PoolClient,
  tokens: readonly TokenIdentity[],
  attribution: Attribution,
): Promise<void> {
  if (tokens.length === 0) return
  const ids = tokens.map(({ id }) => id)
  await client.query('update api_token set revoked_at = now() where id = any($1::uuid[])', [ids])
  for (const { id, name } of tokens)
    await recordEntry(client, { action: 'token.revoked', ...attribution, data: { token: id, name } })
}
