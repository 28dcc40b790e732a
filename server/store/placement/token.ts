import { createHash } from 'node:crypto'
import type { Attribution } from '../../engine/change'
import { recordEntry } from '../audit-log/entry'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'
import type { UserRow } from '../user/user'

/** The token of a program, as checked on each request. */
export interface ApiTokenRow extends Pick<UserRow, 'id' | 'name' | 'role' | 'grants'> {
  readonly project: string
  /** The id of the account that the token acts for; null: none. */
  readonly account: string | null
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Null when there is no such token, or it has ended. */
export async function findToken(database: Database, token: string): Promise<ApiTokenRow | null> {
  const { rows } = await database.pool.query<ApiTokenRow>({
    name: 'placement-token',
    text: `select id, name, role, grants, project, account_id as account from api_token
      where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    values: [hashOf(token)],
  })
  return rows[0] ?? null
}

export interface NewToken extends Omit<ApiTokenRow, 'grants' | 'account'>, Attribution {
  /** Left out: none. */
  readonly grants?: readonly string[]
  /** Left out: none. */
  readonly account?: string | null
  readonly token: string
  /** Null never expires. */
  readonly expiresAt: Date | null
}

/** False when the name is taken. Only a hash of the token is kept. */
export async function createToken(database: Database, made: NewToken): Promise<boolean> {
  const { id, name, token, role, grants = [], project, account = null, expiresAt, actor, at } = made
  return inTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      `insert into api_token (id, name, hash, role, grants, project, expires_at, account_id) values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict (name) do nothing`,
      [id, name, hashOf(token), role, grants, project, expiresAt, account],
    )
    if (rowCount !== 1) return false
    await recordEntry(client, {
      action: 'token.created',
      actor,
      at,
      data: { token: id, name, role, grants, project, expiresAt, account },
    })
    return true
  })
}

/** False when there is no such valid token. */
export async function revokeToken(
  database: Database,
  { name, ...attribution }: Attribution & { readonly name: string },
): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'update api_token set revoked_at = now() where name = $1 and revoked_at is null returning id',
      [name],
    )
    const revoked = rows[0]
    if (!revoked) return false
    await recordEntry(client, { action: 'token.revoked', ...attribution, data: { token: revoked.id, name } })
    return true
  })
}

/** `account` is its username. Times in ms since the epoch. Null if there is none, or the row has an infinite one. */
export interface TokenLine extends ApiTokenRow {
  readonly createdAt: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly state: 'in-force' | 'expired' | 'revoked'
}

export async function listTokens({ pool }: Database): Promise<TokenLine[]> {
  const { rows } = await pool.query<TokenLine>(
    `select id, name, role, grants, project,
        (select username from auth_user where id = account_id) as account, ms(created_at)::float8 as "createdAt", ms(expires_at)::float8 as "expiresAt",
        ms(revoked_at)::float8 as "revokedAt",
        case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'in-force' end as state
      from api_token order by name`,
  )
  return rows
}
