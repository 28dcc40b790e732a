import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { connectDatabase } from '../store/database/database'
import { TEST_ATTRIBUTION } from '../store/testing/attribution'
import { findUser, removePasskey, resetTwoFactor } from '../store/user/user'
import type { Auth } from './auth'
import { passkeyDomain } from './passkey'
import { makeDevice } from './testing/device'
import { makeUser, openTestAuth, PASSWORD, QUICK_HASHING } from './testing/open'

const DOMAIN = 'berth.test'
const ORIGIN = `https://${DOMAIN}`
const database = onFreshDatabase(connectDatabase)
let auth: Auth

beforeAll(async () => {
  const limits = { perAddress: 1000, perAccount: 1000, changes: 1000 }
  auth = await openTestAuth(database, { publicUrl: ORIGIN, limits, hashing: QUICK_HASHING })
})

async function send(path: string, { body, cookies = '' }: { body?: unknown; cookies?: string }) {
  const headers = { host: DOMAIN, origin: ORIGIN, 'content-type': 'application/json', cookie: cookies }
  const call = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  const answer = await auth.handle(new Request(`${ORIGIN}/api/auth/${path}`, call))
  const set = answer.headers.getSetCookie().map((each) => each.split(';', 1)[0])
  const answerBody = (await answer.clone().json()) as { readonly challenge?: string; readonly code?: string }
  const signedIn = await auth.userSignedInBy(answer, new Headers({ host: DOMAIN }))
  return { status: answer.status, answerBody, signedIn, cookies: [cookies, ...set].filter(Boolean).join('; ') }
}

let made = 0

/** A new user, signed in with the password. */
async function newUser() {
  const username = `user${made++}`
  const user = await makeUser(database, auth, { username, role: 'viewer' })
  const { cookies } = await send('sign-in/username', { body: { username, password: PASSWORD } })
  return { user, cookies }
}

const device = (
  options: { readonly verifiesUser?: boolean; readonly origin?: string; readonly domain?: string } = {},
) => makeDevice({ origin: ORIGIN, domain: DOMAIN, ...options })

interface RegistrationInput {
  readonly cookies: string
  readonly password?: unknown
  readonly name?: unknown
}

async function add(
  by: ReturnType<typeof device>,
  { cookies, password = PASSWORD, name = 'laptop' }: RegistrationInput,
) {
  const begun = await send('passkey/generate-register-options', { cookies })
  const response = by.register(begun.answerBody.challenge ?? '')
  return send('passkey/verify-registration', { body: { response, password, name }, cookies: begun.cookies })
}

async function enter(by: ReturnType<typeof device>, cookies = '') {
  const begun = await send('passkey/generate-authenticate-options', { cookies })
  const body = { response: by.authenticate(begun.answerBody.challenge ?? '') }
  return { ...(await send('passkey/verify-authentication', { body, cookies: begun.cookies })), body, begun }
}

const passkeysOf = async (id: string) => (await findUser(database, id))?.passkeys.map(({ name }) => name)

it('a passkey signs its user in without password and code', async () => {
  const { user, cookies } = await newUser()
  const laptop = device()
  const body = { password: PASSWORD, name: 'laptop' }
  expect((await send('passkey/check-new', { body })).status).toBe(401)
  expect((await send('passkey/check-new', { body, cookies })).status).toBe(200)
  expect((await add(laptop, { cookies })).status).toBe(200)
  expect(await passkeysOf(user.id)).toEqual(['laptop'])
  const { status, signedIn } = await enter(laptop)
  expect([status, signedIn?.username]).toEqual([200, user.username])
})

it.each([
  ['the wrong password', { password: 'not the password' }],
  ['no password', { password: null }],
  ['no name', { name: ' ' }],
  ['a name that is too long', { name: 'x'.repeat(61) }],
])('%s adds no passkey', async (_, wrong) => {
  const { user, cookies } = await newUser()
  const laptop = device()
  const body = { password: PASSWORD, name: 'laptop', ...wrong }
  expect((await send('passkey/check-new', { body, cookies })).status).toBe(400)
  expect((await add(laptop, { cookies, ...wrong })).status).toBe(400)
  expect(await passkeysOf(user.id)).toEqual([])
  expect((await enter(laptop)).signedIn).toBeNull()
})

describe('passkey sign-in is refused', () => {
  it('without user verification, and such a passkey is not stored', async () => {
    const { user, cookies } = await newUser()
    const added = await add(device({ verifiesUser: false }), { cookies })
    expect([added.status, added.answerBody.code]).toEqual([401, 'USER_NOT_VERIFIED'])
    expect(await passkeysOf(user.id)).toEqual([])
  })

  it('with an unknown passkey', async () => {
    expect((await enter(device())).status).toBe(401)
  })

  it.each([
    ['from another site', { origin: 'https://evil.test' }],
    ['for another domain', { domain: 'evil.test' }],
  ])('by a response %s', async (_, foreign) => {
    const { cookies } = await newUser()
    expect((await add(device(foreign), { cookies })).status).toBeGreaterThanOrEqual(400)
  })

  it('by a replayed response, or one to another challenge', async () => {
    const { cookies } = await newUser()
    const laptop = device()
    await add(laptop, { cookies })
    const first = await enter(laptop)
    expect(first.signedIn).not.toBeNull()
    const again = await send('passkey/verify-authentication', { body: first.body, cookies: first.begun.cookies })
    expect([again.status, again.signedIn]).toEqual([400, null])
    const other = await send('passkey/generate-authenticate-options', {})
    expect(
      (await send('passkey/verify-authentication', { body: first.body, cookies: other.cookies })).signedIn,
    ).toBeNull()
  })

  it('after its owner or an admin removed the passkey', async () => {
    const { user, cookies } = await newUser()
    const [laptop, phone] = [device(), device()]
    await add(laptop, { cookies })
    await add(phone, { cookies, name: 'phone' })
    const [first] = (await findUser(database, user.id))?.passkeys ?? []
    const other = await newUser()
    const passkey = first?.id ?? ''
    expect(await removePasskey(database, { user: other.user, passkey, ...TEST_ATTRIBUTION })).toBe(false)
    expect(await removePasskey(database, { user, passkey, ...TEST_ATTRIBUTION })).toBe(true)
    expect([(await enter(laptop)).signedIn, (await enter(phone)).signedIn?.username]).toEqual([null, user.username])
    expect(await resetTwoFactor(database, { user, ...TEST_ATTRIBUTION })).toBe(true)
    expect((await enter(phone)).signedIn).toBeNull()
  })
})

it('a user has at most twenty passkeys', async () => {
  const { user, cookies } = await newUser()
  const row = { name: null, userId: user.id, publicKey: '', counter: 0, deviceType: 'singleDevice', backedUp: false }
  const keys = Array.from({ length: 20 }, () => ({ ...row, id: randomUUID(), credentialID: device().id }))
  await database.prisma.passkey.createMany({ data: keys })
  expect((await add(device(), { cookies })).answerBody.code).toBe('TOO_MANY_PASSKEYS')
  expect(await passkeysOf(user.id)).toHaveLength(20)
})

it.each([
  [null, 'localhost'],
  ['https://berth.example', 'berth.example'],
  ['http://localhost:3000', 'localhost'],
  ['http://berth.example', null],
  ['https://192.0.2.7', null],
  ['https://[2001:db8::7]:8443', null],
])('passkeys for the URL %s belong to the domain %s', (publicUrl, domain) => {
  expect(passkeyDomain(publicUrl)).toBe(domain)
})
