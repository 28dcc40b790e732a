import { beforeAll, beforeEach, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { connectDatabase } from '../store/database/database'
import { TEST_ATTRIBUTION } from '../store/testing/attribution'
import { untilItBlocks } from '../store/testing/blocking'
import { setUserPassword, type UserRow } from '../store/user/user'
import type { Auth } from './auth'
import type { PasswordHashing } from './sign-in'
import { makeUser, openTestAuth, PASSWORD, QUICK_HASHING } from './testing/open'
import { codeOf } from './testing/totp'

// Every request that proves the old password, or relies on a sign-in that did, may be under way while the password
// changes. None of them leaves a session or a password behind.

const HOST = 'berth.test'
const NEW = 'nobody guesses this one'
const OTHER = 'nor does anybody guess this'
const database = onFreshDatabase(connectDatabase)

/** Called after each right password, before the request goes on. */
let afterVerify = async (_password: string) => {}
const hashing: PasswordHashing = {
  ...QUICK_HASHING,
  verify: async (of) => {
    const isRight = await QUICK_HASHING.verify(of)
    if (isRight) await afterVerify(of.password)
    return isRight
  },
}

let auth: Auth
beforeAll(async () => {
  auth = await openTestAuth(database, { limits: { perAddress: 1000, perAccount: 1000 }, hashing })
})
let user: UserRow
let count = 0
beforeEach(async () => {
  afterVerify = async () => {}
  user = await makeUser(database, auth, { username: `user_${++count}`, role: 'viewer' })
})

async function post(path: string, body: unknown, cookie = '') {
  const headers = { host: HOST, 'content-type': 'application/json', cookie }
  const request = new Request(`http://${HOST}/api/auth/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const answer = await auth.handle(request)
  const cookies = answer.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  return { status: answer.status, cookies: cookies.join('; '), body: await answer.json() }
}

const signIn = (password = PASSWORD) => post('sign-in/username', { username: user.username, password })
const change = (newPassword: string, cookie: string) =>
  post('change-password', { currentPassword: PASSWORD, newPassword }, cookie)
const sessions = () => database.prisma.session.count({ where: { userId: user.id } })

const byAdmin = async () =>
  setUserPassword(database, { user, passwordHash: await auth.hashPassword(NEW), ...TEST_ATTRIBUTION })
const byUser = async () => {
  const { cookies } = await signIn()
  expect((await change(NEW, cookies)).status).toBe(200)
  await database.prisma.session.deleteMany({ where: { userId: user.id } })
}
const CHANGES = { 'an admin': byAdmin, 'the user': byUser }

/** Runs this once, while the next request that gave the right password is under way. */
function during(work: () => Promise<unknown>): void {
  afterVerify = async () => {
    afterVerify = async () => {}
    await work()
  }
}

test.each(Object.entries(CHANGES))(
  'a sign-in under way while %s changes the password is refused',
  async (_, changes) => {
    const ways = [signIn, () => post('sign-in/email', { email: user.email, password: PASSWORD })]
    for (const way of ways) {
      user = await makeUser(database, auth, { username: `user_${++count}`, role: 'viewer' })
      during(changes)
      const { status, cookies, body } = await way()
      expect({ status, cookies, code: body.code }).toEqual({ status: 401, cookies: '', code: 'PASSWORD_CHANGED' })
      expect(await sessions()).toBe(0)
      expect((await signIn(NEW)).status).toBe(200)
    }
  },
)

test('a session that is created while the change has not committed ends with the others', async () => {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(`update auth_account set password = 'x' where user_id = $1`, [user.id])
  await client.query('delete from auth_session where user_id = $1', [user.id])
  const under = signIn()
  while ((await sessions()) === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await client.query('commit')
  client.release()
  expect((await under).status).toBe(401)
  expect(await sessions()).toBe(0)
})

test('of two changes that gave the same old password, the second changes nothing', async () => {
  const [one, other] = [(await signIn()).cookies, (await signIn()).cookies]
  during(() => change(OTHER, other))
  const { status, body } = await change(NEW, one)
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'PASSWORD_CHANGED' })
  expect((await signIn(NEW)).status).toBe(401)
  expect((await signIn(OTHER)).status).toBe(200)
})

async function enableTwoFactor() {
  const { cookies } = await signIn()
  const { body } = await post('two-factor/enable', { password: PASSWORD }, cookies)
  const code = () => codeOf(body.totpURI)
  const enabled = await post('two-factor/verify-totp', { code: await code() }, cookies)
  expect(enabled.status).toBe(200)
  await database.prisma.rateLimit.deleteMany() // each code counts once
  return { code, cookies: enabled.cookies }
}

test.each(['an admin', 'the user'])(
  'a sign-in that awaits its code while %s changes the password ends',
  async (who) => {
    const { code, cookies } = await enableTwoFactor()
    const challenged = await signIn()
    expect(challenged.body).toMatchObject({ twoFactorRedirect: true })
    if (who === 'an admin') await byAdmin()
    else expect((await change(NEW, cookies)).status).toBe(200)
    const before = await sessions()
    expect((await post('two-factor/verify-totp', { code: await code() }, challenged.cookies)).status).toBe(401)
    expect(await sessions()).toBe(before)
  },
)

test('a password that changes before the challenge is stored leaves no challenge', async () => {
  const { code } = await enableTwoFactor()
  during(byAdmin)
  const { status, cookies } = await signIn()
  expect(status).toBe(401)
  expect((await post('two-factor/verify-totp', { code: await code() }, cookies)).status).toBe(401)
  expect(await sessions()).toBe(0)
})

test('a session that two-factor sign-in replaces while the password changes leaves none behind', async () => {
  const { cookies } = await signIn()
  const { body } = await post('two-factor/enable', { password: PASSWORD }, cookies)
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select from auth_user where id = $1 for update', [user.id])
  const enabled = post('two-factor/verify-totp', { code: await codeOf(body.totpURI) }, cookies)
  await untilItBlocks(database, client)
  await byAdmin()
  await client.query('commit')
  client.release()
  expect((await enabled).status).toBe(401)
  expect(await sessions()).toBe(0)
})
