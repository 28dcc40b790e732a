import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import { createToken, findToken, listTokens } from '../placement/token'
import { replacePassword } from './password'
import { createUser, removeUser, resetTwoFactor, setUserPassword } from './user'

const database = onFreshDatabase(connectDatabase)
const attribution = { actor: { who: 'olga', request: null, reason: null }, at: Date.UTC(2026, 10, 28) }

/** With a password, a session, an authenticator app and a passkey. */
async function signedIn(username: string) {
  const { pool } = database
  const about = { username, name: username, email: `${username}@example.org`, role: 'viewer' }
  const made = await createUser(database, { ...about, passwordHash: 'old', attribution })
  if (made === null) throw new Error('the name is taken')
  const { id } = made
  await pool.query(
    `insert into auth_session (id, token, user_id, expires_at, updated_at) values ($1, 'sha256:' || encode(sha256(convert_to($1, 'UTF8')), 'hex'), $1, now() + interval '1 h', now())`,
    [id],
  )
  await pool.query(`insert into auth_two_factor (id, user_id, secret, backup_codes) values ($1, $1, 'x', 'x')`, [id])
  await pool.query(
    `insert into auth_passkey (id, public_key, user_id, credential_id, counter, device_type, backed_up)
     values ($1, 'x', $1, $1, 0, 'singleDevice', false)`,
    [id],
  )
  await pool.query('update auth_user set two_factor_enabled = true where id = $1', [id])
  const account = await pool.query<{ id: string }>('select id from auth_account where user_id = $1', [id])
  return { id, username, account: account.rows[0]?.id ?? '' }
}

async function untilBlocked(count: number): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
  while ((await database.pool.query(text)).rowCount !== count) await new Promise((resolve) => setTimeout(resolve, 10))
}

type SignedInUser = Awaited<ReturnType<typeof signedIn>>
const remove = (user: SignedInUser) => removeUser(database, { user, ...attribution })
const reset = (user: SignedInUser) => resetTwoFactor(database, { user, ...attribution })
const replace = ({ account }: SignedInUser) => replacePassword(database, { account, before: 'old', hash: 'new' })
const setPassword = (user: SignedInUser) => setUserPassword(database, { user, passwordHash: 'new', ...attribution })

test.each([
  ['changes the password', 'auth_session', remove, replace],
  ['is given a password', 'auth_session', remove, setPassword],
  ['loses the second factor', 'auth_passkey', reset, remove],
] as const)('a user can be removed at the moment that the user %s', async (name, table, first, second) => {
  const user = await signedIn(name.replaceAll(' ', '-'))
  const other = await database.pool.connect()
  await other.query('begin')
  await other.query(`select from ${table} where user_id = $1 for update`, [user.id])
  const begun = first(user)
  await untilBlocked(1)
  const both = Promise.all([begun, second(user)])
  await untilBlocked(2)
  await other.query('commit')
  other.release()
  await expect(both).resolves.toBeDefined()
  expect((await database.pool.query('select from auth_user where id = $1', [user.id])).rowCount).toBe(0)
})

async function tokenFor(account: string): Promise<string> {
  const id = randomUUID()
  const made = { id, name: `t-${id}`, token: `secret ${id}`, role: 'admin', project: '', expiresAt: null, account }
  await createToken(database, { ...made, ...attribution })
  return made.token
}

test('tokens that act for a removed user are revoked, and those of others are not', async () => {
  const [leaver, other] = [await signedIn('leaver'), await signedIn('other')]
  const [gone, kept] = [await tokenFor(leaver.id), await tokenFor(other.id)]
  expect(await remove(leaver)).toBe(true)
  expect(await findToken(database, gone)).toBeNull()
  expect(await findToken(database, kept)).toMatchObject({ account: other.id })
  expect((await listTokens(database)).map(({ state }) => state).sort()).toEqual(['in-force', 'revoked'])
  const text = `select data ->> 'name' as name from audit_entry where action = 'token.revoked'`
  expect((await database.pool.query(text)).rows).toEqual([{ name: gone.replace('secret ', 't-') }])
})

test('the tokens of the last admin stay valid, because this account is not removed', async () => {
  const admin = await signedIn('root')
  await database.pool.query(`update auth_user set role = 'admin' where id = $1`, [admin.id])
  const token = await tokenFor(admin.id)
  expect(await remove(admin)).toBe(false)
  expect(await findToken(database, token)).toMatchObject({ account: admin.id })
})

test('a token that is created at the moment that its user is removed does not outlive the user', async () => {
  const user = await signedIn('racing')
  const other = await database.pool.connect()
  await other.query('begin')
  const id = randomUUID()
  await other.query(
    `insert into api_token (id, name, hash, role, project, account_id) values ($1, 'racing', 'h', 'admin', '', $2)`,
    [id, user.id],
  )
  const removal = remove(user)
  await untilBlocked(1)
  await other.query('commit')
  other.release()
  expect(await removal).toBe(true)
  expect((await listTokens(database)).find((each) => each.id === id)).toMatchObject({ state: 'revoked' })
})
