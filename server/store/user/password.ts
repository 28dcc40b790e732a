import type pg from 'pg'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'

// Passwords, as hashes. Whoever signs in by an old one must be gone once the new one is stored: sessions, and sign-ins
// that only await their code. Both are deleted in the transaction of the new hash, after its row is locked.

export const PASSWORD_ACCOUNT = 'credential'
/** Of the rows that better-auth's two-factor plugin stores between password and code. */
export const CHALLENGE_PREFIX = '2fa-'

/** Waits for a change of the password that has not committed: what the caller committed before, such a change deletes. */
export async function isPasswordHash(
  { pool }: Database,
  { user, hash }: { readonly user: string; readonly hash: string },
): Promise<boolean> {
  const { rows } = await pool.query<{ password: string | null }>({
    name: 'password-of',
    text: 'select password from auth_account where user_id = $1 and provider_id = $2 for share',
    values: [user, PASSWORD_ACCOUNT],
  })
  return rows[0]?.password === hash
}

/** The hash of the user whose session or challenge this is; empty, which no hash is, when it has ended. */
export async function readPasswordHashBehind(
  { pool }: Database,
  { session, challenge }: { readonly session: string | null; readonly challenge: string | null },
): Promise<string> {
  const { rows } = await pool.query<{ password: string | null }>({
    name: 'password-behind',
    text: `select password from auth_account where provider_id = $3 and user_id = coalesce(
      (select user_id from auth_session where id = $1), (select value from auth_verification where identifier = $2))`,
    values: [session, challenge, PASSWORD_ACCOUNT],
  })
  return rows[0]?.password ?? ''
}

interface PasswordChange {
  readonly account: string
  /** The hash that the user proved to know. */
  readonly before: string
  readonly hash: string
}

/** False, and nothing is changed, when another password was stored meanwhile. */
export async function replacePassword(database: Database, { account, before, hash }: PasswordChange): Promise<boolean> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<{ user: string }>(
      `update auth_account set password = $2, updated_at = now() where id = $1 and password = $3
       returning user_id as "user"`,
      [account, hash, before],
    )
    const [changed] = rows
    if (changed) await endSignIns(client, changed.user)
    return changed !== undefined
  })
}

/** Returns the number of ended sessions. The caller has locked the row of the password. */
export async function endSignIns(client: pg.PoolClient, user: string): Promise<number> {
  await client.query('delete from auth_verification where value = $1 and starts_with(identifier, $2)', [
    user,
    CHALLENGE_PREFIX,
  ])
  const { rowCount } = await client.query('delete from auth_session where user_id = $1', [user])
  return rowCount ?? 0
}
