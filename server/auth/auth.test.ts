import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { freshDatabase } from '../boot/test-database'
import { connectDatabase } from '../store/database/database'
import { TEST_ATTRIBUTION } from '../store/testing/attribution'
import { setUserPassword, setUserRole } from '../store/user/user'
import type { Auth, AuthOptions } from './auth'
import { hashOfToken } from './hashed-tokens'
import { makeUser, openTestAuth, PASSWORD } from './testing/open'

const HOST = 'berth.test'
const database = onFreshDatabase(connectDatabase)
let auth: Auth
const messages: string[] = []

beforeAll(async () => {
  auth = await open()
})

function open(options: Partial<AuthOptions> = {}): Promise<Auth> {
  const tell = (message: string) => void messages.push(message)
  return openTestAuth(database, { print: tell, limits: { perAddress: 1000 }, ...options })
}

interface AuthRequest {
  readonly body?: unknown
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly at?: Auth
}

function ask(path: string, { body, method = 'POST', headers = {}, at = auth }: AuthRequest = {}): Promise<Response> {
  const all = { host: HOST, origin: `http://${HOST}`, 'content-type': 'application/json', ...headers }
  return at.handle(
    new Request(`http://${HOST}/api/auth/${path}`, {
      method,
      headers: all,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
}

const signIn = (username: string, password: string, more: AuthRequest = {}) =>
  ask('sign-in/username', { body: { username, password }, ...more })
const cookieOf = (response: Response) => response.headers.getSetCookie().map((c) => c.split(';')[0])
const personWith = (cookie: string, headers = {}) => auth.user(new Headers({ cookie, ...headers }))

const newUser = (username: string, role = 'viewer') => makeUser(database, auth, { username, role })

test('only the first start creates an admin', async () => {
  await open()
  expect(messages).toEqual(['Sign in as admin with the password from BERTH_ADMIN_PASSWORD.'])
})

test('a random password is printed once and stored nowhere', async () => {
  const other = await freshDatabase()
  const client = connectDatabase({ url: other.url })
  const printed: string[] = []
  const options = { database: client, adminPassword: null, print: (message: string) => void printed.push(message) }
  const [opened] = await Promise.all([open(options), open(options), open(options)])
  expect(printed).toHaveLength(1)
  const password = /password (\S+)/.exec(printed[0]!)![1]!
  expect((await signIn('admin', password, { at: opened })).status).toBe(200)
  const rows = await client.prisma.account.findMany()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(password)
  await client.close()
  await other.drop()
})

test('signing in gives a cookie that scripts cannot read and other sites cannot send', async () => {
  const response = await signIn('admin', PASSWORD)
  expect(response.status).toBe(200)
  const cookie = response.headers.getSetCookie().find((c) => c.includes('session_token'))!
  expect(cookie).toMatch(/^berth\.session_token=/)
  expect(cookie).toMatch(/HttpOnly/i)
  expect(cookie).toMatch(/SameSite=Lax/i)
  expect(cookie).not.toMatch(/Secure/i)
  expect(await personWith(cookieOf(response).join('; '))).toMatchObject({ username: 'admin', role: 'admin' })
})

test('the cookie is secure over https, and the same process still serves http', async () => {
  const headers = { 'x-forwarded-proto': 'https', origin: `https://${HOST}` }
  const response = await signIn('admin', PASSWORD, { headers })
  const cookie = response.headers.getSetCookie().find((c) => c.includes('session_token'))!
  expect(cookie).toMatch(/^__Secure-berth\.session_token=.*Secure/i)
  expect(await personWith(cookieOf(response).join('; '), headers)).toMatchObject({ username: 'admin' })
})

test('sign-in accepts an email address as well as a username', async () => {
  const user = await newUser('by_address')
  const response = await ask('sign-in/email', { body: { email: user.email, password: PASSWORD } })
  expect(response.status).toBe(200)
})

test.each([
  ['a wrong password', { username: 'admin', password: 'no such password' }, 401],
  ['an unknown username', { username: 'nobody_here', password: PASSWORD }, 401],
  ['no password', { username: 'admin' }, 400],
  ['a number as username', { username: 7, password: PASSWORD }, 400],
  ['a huge password', { username: 'admin', password: 'x'.repeat(100_000) }, 400],
  ['a huge username', { username: 'x'.repeat(100_000), password: PASSWORD }, 422],
  ['a body that is no object', 'admin', 400],
])('sign-in refuses %s', async (_title, body, status) => {
  const response = await ask('sign-in/username', { body })
  expect(response.status).toBe(status)
  expect(response.headers.getSetCookie()).toEqual([])
})

test('a request from another site is refused, with and without a session', async () => {
  const headers = { origin: 'https://evil.test' }
  expect((await signIn('admin', PASSWORD, { headers })).status).toBe(403)
  const cookie = cookieOf(await signIn('admin', PASSWORD)).join('; ')
  expect((await ask('sign-out', { headers: { ...headers, cookie } })).status).toBe(403)
  expect(await personWith(cookie)).not.toBeNull()
})

test.each([
  ['POST', 'sign-up/email'],
  ['POST', 'update-user'],
  ['POST', 'delete-user'],
  ['POST', 'request-password-reset'],
  ['POST', 'is-username-available'],
  ['GET', 'sign-in/username'],
  ['GET', 'ok'],
])('the endpoint %s %s is disabled', async (method, path) => {
  expect((await ask(path, { method })).status).toBe(404)
})

test('signing out ends the session', async () => {
  const cookie = cookieOf(await signIn('admin', PASSWORD)).join('; ')
  expect((await ask('sign-out', { headers: { cookie } })).status).toBe(200)
  expect(await personWith(cookie)).toBeNull()
})

test.each(['berth.session_token=forged.signature', 'berth.session_token=', 'x'.repeat(5000), 'other=1'])(
  'the invalid cookie %# has no user',
  async (cookie) => expect(await personWith(cookie)).toBeNull(),
)

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('ten wrong passwords lock an account for that address, and the right one resets the count', async () => {
  await newUser('often_wrong')
  for (let i = 0; i < 9; i++) expect((await signIn('often_wrong', 'wrong password')).status).toBe(401)
  expect((await signIn('often_wrong', PASSWORD)).status).toBe(200)
  for (let i = 0; i < 10; i++) expect((await signIn('often_wrong', 'wrong password')).status).toBe(401)
  const shut = await signIn('OFTEN_wrong', PASSWORD)
  expect(shut.status).toBe(429)
  expect(Number(shut.headers.get('x-retry-after'))).toBeGreaterThan(290)
  expect(await shut.json()).toMatchObject({ message: expect.stringMatching(/from this address. Try again in \d+ s/) })
})

test('a flood from one address locks only that address', async () => {
  const strict = await open({ limits: { perAddress: 30 } })
  const flood = { at: strict, ...from('192.0.2.66') }
  const statuses = await Promise.all(Array.from({ length: 60 }, () => signIn('admin', 'wrong password', flood)))
  expect(statuses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10)
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([401, 429]))
  expect((await signIn('admin', PASSWORD, flood)).status).toBe(429)
  expect((await signIn('admin', PASSWORD, { at: strict, ...from('192.0.2.67') })).status).toBe(200)
})

test('a flood from many addresses delays each attempt, and the owner can still sign in', async () => {
  const slow = await open({ limits: { unhurried: 5, slowMs: 300 } })
  await newUser('wanted_by_many')
  const guess = (n: number) => signIn('wanted_by_many', 'wrong password', { at: slow, ...from(`198.51.100.${n}`) })
  for (let n = 1; n <= 5; n++) expect((await guess(n)).status).toBe(401)
  const began = performance.now()
  const owner = await signIn('wanted_by_many', PASSWORD, { at: slow, ...from('203.0.113.5') })
  expect(owner.status).toBe(200)
  expect(performance.now() - began).toBeGreaterThanOrEqual(290)
})

describe('a change of password', () => {
  const NEW = 'nobody guesses this one'
  const change = (cookie: string, body: object) => ask('change-password', { body, headers: { cookie } })
  const enter = async (username: string) => cookieOf(await signIn(username, PASSWORD)).join('; ')

  test('ends all other sessions, whatever the request says', async () => {
    await newUser('changer')
    const [here, there] = [await enter('changer'), await enter('changer')]
    const body = { currentPassword: PASSWORD, newPassword: NEW, revokeOtherSessions: false }
    const answer = await change(here, body)
    expect(answer.status).toBe(200)
    expect(await personWith(there)).toBeNull()
    expect(await personWith(here)).toBeNull()
    expect(await personWith(cookieOf(answer).join('; '))).toMatchObject({ username: 'changer' })
  })

  test.each(['password1234', 'aaaaaaaaaaaaaa', 'abcabcabcabc', 'Administrator1!', 'picky_one2026'])(
    'to %s is refused',
    async (newPassword) => {
      if ((await database.prisma.user.count({ where: { username: 'picky_one' } })) === 0) await newUser('picky_one')
      const answer = await change(await enter('picky_one'), { currentPassword: PASSWORD, newPassword })
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'WEAK_PASSWORD'])
      expect((await signIn('picky_one', PASSWORD)).status).toBe(200)
    },
  )

  test('allows ten wrong attempts', async () => {
    await newUser('guesser')
    const cookie = await enter('guesser')
    const body = { currentPassword: 'not my password', newPassword: NEW }
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await change(cookie, body)).status)
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
  })
})

test('the session token is only in the cookie', async () => {
  await newUser('watched')
  const answer = await signIn('watched', PASSWORD)
  const cookie = cookieOf(answer).join('; ')
  const token = decodeURIComponent(/session_token=([^;]+)/.exec(cookie)?.[1] ?? '').split('.')[0] ?? ''
  expect(token.length).toBeGreaterThan(20)
  const session = await ask('get-session', { method: 'GET', headers: { cookie } })
  for (const text of [await answer.text(), await session.text()]) {
    expect(text).toContain('watched')
    expect(text).not.toContain(token)
    expect(text).not.toContain('"token"')
  }
  const rows = await database.prisma.session.findMany()
  expect(JSON.stringify(rows)).not.toContain(token)
  // A copy of the database lets nobody in: a stored hash is not accepted as a token.
  const stolen = rows.find((row) => row.token === hashOfToken(token))?.token ?? ''
  expect(stolen).toMatch(/^sha256:/)
  expect(await personWith(cookie.replace(encodeURIComponent(token), encodeURIComponent(stolen)))).toBeNull()
})

test('an address has a limited number of attempts a minute', async () => {
  const strict = await open({ limits: { perAddress: 3 } })
  const headers = { 'x-forwarded-for': '192.0.2.77' }
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await signIn(`guess_${i}`, PASSWORD, { at: strict, headers })).status)
  expect(statuses).toEqual([401, 401, 401, 429, 429])
})

test('a changed role takes effect at once, and a new password ends all sessions', async () => {
  const user = await newUser('demoted', 'operator')
  const cookie = cookieOf(await signIn('demoted', PASSWORD)).join('; ')
  await setUserRole(database, { user, role: 'viewer', ...TEST_ATTRIBUTION })
  expect(await personWith(cookie)).toMatchObject({ role: 'viewer' })
  const passwordHash = await auth.hashPassword('another password')
  await setUserPassword(database, { user, passwordHash, ...TEST_ATTRIBUTION })
  expect(await personWith(cookie)).toBeNull()
  expect((await signIn('demoted', 'another password')).status).toBe(200)
})

test('the last admin cannot be demoted, even if two admins demote each other at once', async () => {
  const [one] = await database.prisma.user.findMany({ where: { role: 'admin' } })
  const become = (user: { id: string; username: string }, role: string) =>
    setUserRole(database, { user, role, ...TEST_ATTRIBUTION })
  expect(await become(one!, 'viewer')).toBe(false)
  for (let round = 0; round < 10; round++) {
    const two = await newUser(`second_${round}`, 'admin')
    const done = await Promise.all([become(one!, 'viewer'), become(two, 'viewer')])
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(await become(one!, 'admin')).toBe(true)
    await become(two, 'viewer')
  }
})

test('startup fails with a secret or a password that is too short', async () => {
  await expect(open({ secret: 'short' })).rejects.toThrow(/BERTH_SECRET must have at least 32/)
  await expect(open({ adminPassword: 'short' })).rejects.toThrow(/BERTH_ADMIN_PASSWORD must have at least 12/)
})
