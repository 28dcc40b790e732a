import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Attribution } from '../../engine/change'
import { recordEntry } from '../audit-log/entry'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import type { UserRow } from './user'

// Users of an identity provider. The provider reports identity and role at each sign-in. These users have no password
// here, and never match a user of the same name who has one.

export interface FederatedUser extends Attribution, Pick<UserRow, 'username' | 'name' | 'role' | 'grants'> {
  readonly provider: string
  readonly subject: string
  readonly email: string | null
}

/** The id of the user, created or updated; null, and nothing is changed, where another has the name or address. */
export function saveFederatedUser(database: Database, user: FederatedUser): Promise<string | null> {
  return inTransaction(database, async (client) => {
    const { provider, subject } = user
    // Two browsers of a new user would both create it.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [`federated user ${provider} ${subject}`])
    const { rows } = await client.query<KnownUser>(
      `select u.id, u.role, u.grants from auth_account a join auth_user u on u.id = a.user_id
       where a.provider_id = $1 and a.account_id = $2 for update of u`,
      [provider, subject],
    )
    const [known] = rows
    return known ? updateUser(client, known, user) : make(client, user)
  })
}

/** Null: never signed in. */
export async function findFederatedUser(
  { pool }: Database,
  { provider, subject }: Pick<FederatedUser, 'provider' | 'subject'>,
): Promise<{ readonly id: string; readonly username: string } | null> {
  const { rows } = await pool.query<{ id: string; username: string }>(
    `select u.id, u.username from auth_account a join auth_user u on u.id = a.user_id
     where a.provider_id = $1 and a.account_id = $2`,
    [provider, subject],
  )
  return rows[0] ?? null
}

interface KnownUser {
  readonly id: string
  readonly role: string
  readonly grants: readonly string[]
}

async function updateUser(client: pg.PoolClient, known: KnownUser, user: FederatedUser) {
  const { username, name, role, grants, actor, at } = user
  const taken = await client.query('select 1 from auth_user where id <> $1 and (username = $2 or email = $3)', [
    known.id,
    username,
    emailOf(user),
  ])
  if (taken.rows.length > 0) return null
  await client.query(
    `update auth_user set username = $2, name = $3, email = $4, role = $5, grants = $6, updated_at = now()
     where id = $1`,
    [known.id, username, name, emailOf(user), role, grants],
  )
  const about = { user: known.id, username, provider: user.provider }
  if (known.role !== role) {
    const data = { ...about, before: known.role, after: role }
    await recordEntry(client, { action: 'user.role', actor, at, data })
  }
  if (known.grants.join('\n') !== grants.join('\n')) {
    const data = { ...about, before: known.grants, after: grants }
    await recordEntry(client, { action: 'user.grants', actor, at, data })
  }
  return known.id
}

async function make(client: pg.PoolClient, user: FederatedUser): Promise<string | null> {
  const { provider, subject, username, name, role, grants, actor, at } = user
  const { rows } = await client.query<{ id: string }>(
    `insert into auth_user (id, username, name, email, role, grants, updated_at) values ($1, $2, $3, $4, $5, $6, now())
     on conflict do nothing returning id`,
    [randomUUID(), username, name, emailOf(user), role, grants],
  )
  const [made] = rows
  if (!made) return null
  await client.query(
    `insert into auth_account (id, account_id, provider_id, user_id, updated_at) values ($1, $2, $3, $4, now())`,
    [randomUUID(), subject, provider, made.id],
  )
  await recordEntry(client, {
    action: 'user.created',
    actor,
    at,
    data: { user: made.id, username, role, grants, provider },
  })
  return made.id
}

/** The table requires a unique address; users without one get an undeliverable one. */
const emailOf = ({ email, provider, subject }: FederatedUser) =>
  email?.toLowerCase() ?? `${subject}@${provider}.invalid`
