import { beforeAll, expect, it } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { connectDatabase } from '../store/database/database'
import { TEST_ATTRIBUTION } from '../store/testing/attribution'
import { resetTwoFactor } from '../store/user/user'
import type { Auth } from './auth'
import { makeUser, openTestAuth, PASSWORD, QUICK_HASHING } from './testing/open'
import { base32, codeOf } from './testing/totp'

const HOST = 'berth.test'
const database = onFreshDatabase(connectDatabase)
let auth: Auth

beforeAll(async () => {
  auth = await openTestAuth(database, { limits: { perAddress: 1000, perAccount: 1000 }, hashing: QUICK_HASHING })
})

const newUser = (username: string) => makeUser(database, auth, { username, role: 'viewer' })

async function post(path: string, body: unknown, cookie = '') {
  const headers = { host: HOST, 'content-type': 'application/json', cookie, 'x-forwarded-for': '10.0.0.1' }
  const request = new Request(`http://${HOST}/api/auth/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const answer = await auth.handle(request)
  const cookies = answer.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')
  const answerBody = (await answer.clone().json()) as Readonly<Record<string, unknown>>
  const letIn = await auth.userSignedInBy(answer, new Headers({ host: HOST }))
  return { status: answer.status, cookies, answerBody, letIn }
}

const signIn = (username: string) => post('sign-in/username', { username, password: PASSWORD })

async function withTwoFactor(username: string) {
  const user = await newUser(username)
  const { cookies } = await signIn(username)
  const begun = await post('two-factor/enable', { password: PASSWORD }, cookies)
  const enabled = await post('two-factor/verify-totp', { code: await codeOf(begun.answerBody.totpURI) }, cookies)
  expect(enabled.status).toBe(200)
  return {
    user,
    uri: begun.answerBody.totpURI,
    backupCodes: begun.answerBody.backupCodes as readonly string[],
    cookies: enabled.cookies,
  }
}

it('two-factor sign-in stays off until the first code was correct', async () => {
  await newUser('ada')
  const { cookies } = await signIn('ada')
  expect((await post('two-factor/enable', { password: 'not the password' }, cookies)).status).toBe(400)
  expect((await post('two-factor/enable', { password: PASSWORD }, cookies)).status).toBe(200)
  expect((await post('two-factor/verify-totp', { code: '000000' }, cookies)).status).toBe(401)
  expect((await signIn('ada')).letIn).toMatchObject({ username: 'ada' })
})

it('sign-in needs the code as well as the password', async () => {
  const { uri, user } = await withTwoFactor('bea')
  const { letIn, cookies, answerBody } = await signIn('bea')
  expect({ letIn, answerBody }).toMatchObject({ letIn: null, answerBody: { twoFactorRedirect: true } })
  expect(await auth.user(new Headers({ host: HOST, cookie: cookies }))).toBeNull()
  expect(await auth.challenged(new Headers({ host: HOST, cookie: cookies }))).toBe(user.id)
  const wrong = await post('two-factor/verify-totp', { code: '000000' }, cookies)
  expect({ status: wrong.status, letIn: wrong.letIn }).toEqual({ status: 401, letIn: null })
  const right = await post('two-factor/verify-totp', { code: await codeOf(uri) }, cookies)
  expect(right.letIn).toMatchObject({ username: 'bea' })
  expect(JSON.stringify(right.answerBody)).not.toContain('token')
})

it('a code is refused without the password before it', async () => {
  const { uri } = await withTwoFactor('cleo')
  const { status, letIn } = await post('two-factor/verify-totp', { code: await codeOf(uri) })
  expect({ status, letIn }).toEqual({ status: 401, letIn: null })
})

it('each code works once', async () => {
  const { uri } = await withTwoFactor('cora')
  const code = await codeOf(uri)
  expect((await post('two-factor/verify-totp', { code }, (await signIn('cora')).cookies)).letIn).not.toBeNull()
  const again = await post('two-factor/verify-totp', { code }, (await signIn('cora')).cookies)
  expect(again).toMatchObject({ status: 401, letIn: null, answerBody: { code: 'USED_CODE' } })
})

it('five wrong codes end a challenge', async () => {
  const { uri } = await withTwoFactor('dora')
  const { cookies } = await signIn('dora')
  for (let tries = 0; tries < 5; tries += 1) await post('two-factor/verify-totp', { code: `10000${tries}` }, cookies)
  const late = await post('two-factor/verify-totp', { code: await codeOf(uri) }, cookies)
  expect(late.letIn).toBeNull()
})

it('each backup code works once', async () => {
  const { backupCodes } = await withTwoFactor('elin')
  const [code] = backupCodes
  expect(backupCodes).toHaveLength(10)
  expect((await post('two-factor/verify-backup-code', { code }, (await signIn('elin')).cookies)).letIn).not.toBeNull()
  expect((await post('two-factor/verify-backup-code', { code }, (await signIn('elin')).cookies)).letIn).toBeNull()
})

it('the owner turns two-factor sign-in off with the password, or an admin does', async () => {
  const fay = await withTwoFactor('fay')
  expect((await post('two-factor/disable', { password: 'not the password' }, fay.cookies)).status).toBe(400)
  expect((await post('two-factor/disable', { password: PASSWORD }, fay.cookies)).status).toBe(200)
  expect((await signIn('fay')).letIn).toMatchObject({ username: 'fay' })

  const { user } = await withTwoFactor('gwen')
  expect(await resetTwoFactor(database, { user, ...TEST_ATTRIBUTION })).toBe(true)
  expect(await resetTwoFactor(database, { user, ...TEST_ATTRIBUTION })).toBe(false)
  expect((await signIn('gwen')).letIn).toMatchObject({ username: 'gwen' })
})

it('the secret and the backup codes are stored encrypted', async () => {
  const { uri, backupCodes, user } = await withTwoFactor('hana')
  const { rows } = await database.pool.query('select secret, backup_codes from auth_two_factor where user_id = $1', [
    user.id,
  ])
  const kept = JSON.stringify(rows)
  const secret = new URL(String(uri)).searchParams.get('secret') ?? ''
  expect(rows).toHaveLength(1)
  for (const plain of [secret, Buffer.from(base32(secret)).toString(), ...backupCodes])
    expect(kept).not.toContain(plain)
})
