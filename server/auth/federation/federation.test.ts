import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../../store/database/database'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import { createUser, findByLogin } from '../../store/user/user'
import type { Auth } from '../auth'
import { startKeystone } from '../testing/keystone'
import { CLIENT, type OidcProvider, startOidcProvider } from '../testing/oidc-provider'
import { openTestAuth, QUICK_HASHING } from '../testing/open'
import { federationFrom } from './settings'

const HOST = 'berth.test'
const CALLBACK = `http://${HOST}/api/auth/callback/oidc`
const database = onFreshDatabase(connectDatabase)
const failures: unknown[] = []
const groups = new Map<string, readonly string[]>()
let provider: OidcProvider
let keystone: Awaited<ReturnType<typeof startKeystone>>
let auth: Auth

beforeAll(async () => {
  provider = await startOidcProvider({ redirectUri: CALLBACK, groupsOf: (name) => groups.get(name) ?? [] })
  keystone = await startKeystone({
    olga: { password: 'right', domain: 'Default', roles: ['reader', 'admin'] },
    nobody: { password: 'right', domain: 'Default', roles: ['other'] },
  })
  auth = await openTestAuth(database, {
    hashing: QUICK_HASHING,
    limits: { perAddress: 1000 },
    onFailure: (error) => failures.push(error),
    federation: federationFrom({
      BERTH_OIDC_ISSUER: provider.issuer,
      BERTH_OIDC_CLIENT_ID: CLIENT.id,
      BERTH_OIDC_CLIENT_SECRET: CLIENT.secret,
      BERTH_OIDC_ROLES: 'cloud-admins=admin,on-call=operator',
      BERTH_KEYSTONE_SIGN_IN_URL: keystone.url,
      BERTH_KEYSTONE_SIGN_IN_PROJECT: 'ops',
      BERTH_KEYSTONE_SIGN_IN_ROLES: 'admin=operator,reader=viewer',
    }),
  })
})
afterAll(async () => {
  await provider.close()
  await keystone.close()
})

/** A browser: keeps the cookies of each site and follows redirects. */
function browser() {
  const jars = new Map<string, Map<string, string>>()
  const visit = async (url: string, form?: Record<string, string>): Promise<{ url: string; body: string }> => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    const headers = { host, cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') }
    const init: RequestInit = form
      ? { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' }
      : { headers, redirect: 'manual' }
    if (host === HOST && !new URL(url).pathname.startsWith('/api/auth')) return { url, body: '' }
    const answer = host === HOST ? await auth.handle(new Request(url, init)) : await fetch(url, init)
    for (const each of answer.headers.getSetCookie()) {
      const [pair = ''] = each.split(';', 1)
      const at = pair.indexOf('=')
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(each)) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const next = answer.headers.get('location')
    return next === null ? { url, body: await answer.text() } : visit(new URL(next, url).href)
  }
  const cookie = () => [...(jars.get(HOST) ?? [])].map(([key, value]) => `${key}=${value}`).join('; ')
  return {
    visit,
    jars,
    person: () => auth.user(new Headers({ cookie: cookie(), host: HOST })),
  }
}

async function signInAtProvider(login: string, inGroups: readonly string[], next = '/hosts?sort=name') {
  groups.set(login, inGroups)
  const at = browser()
  const form = await at.visit(`http://${HOST}/api/auth/sign-in/oidc?next=${encodeURIComponent(next)}`)
  const action = (body: string) => /action="([^"]+)"/.exec(body)?.[1] ?? 'no form'
  const consent = await at.visit(action(form.body), { prompt: 'login', login, password: 'any' })
  const end = await at.visit(action(consent.body), { prompt: 'consent' })
  return { ...at, end: end.url }
}

const entries = async (who: string) =>
  (await database.pool.query('select action, data, origin from audit_entry where who = $1 order by id', [who])).rows

describe('OpenID Connect', () => {
  it('gives the user the highest role of their groups, and returns to the page', async () => {
    const { end, person } = await signInAtProvider('dana', ['staff', 'on-call', 'cloud-admins'])
    expect(end).toBe(`http://${HOST}/hosts?sort=name`)
    expect(await person()).toMatchObject({ username: 'dana', role: 'admin', email: 'dana@provider.test' })
    expect(await entries('dana')).toMatchObject([
      { action: 'user.created', data: { provider: 'oidc', role: 'admin' }, origin: { credential: 'oidc' } },
    ])
  })

  it('updates the role from the groups, and the audit log records the change', async () => {
    const { person } = await signInAtProvider('dana', ['on-call'])
    expect(await person()).toMatchObject({ username: 'dana', role: 'operator' })
    expect(await entries('dana')).toMatchObject([
      { action: 'user.created' },
      { action: 'user.role', data: { before: 'admin', after: 'operator' } },
    ])
  })

  it('refuses a user without a group that has a role, and creates no account', async () => {
    const { end, person } = await signInAtProvider('erik', ['staff'])
    expect(end).toBe(`http://${HOST}/sign-in?problem=no-role`)
    expect(await person()).toBeNull()
    expect(await findByLogin(database, 'erik')).toBeNull()
    expect(await entries('erik')).toMatchObject([{ action: 'session.sign-in-refused', data: { why: 'no-role' } }])
  })

  it('ends the other sessions of a user whose groups have no role any more', async () => {
    const before = await signInAtProvider('fritz', ['cloud-admins'])
    expect(await before.person()).toMatchObject({ role: 'admin' })
    const { end } = await signInAtProvider('fritz', ['staff'])
    expect(end).toBe(`http://${HOST}/sign-in?problem=no-role`)
    expect(await before.person()).toBeNull()
    expect((await entries('fritz')).map(({ action }) => action)).toEqual([
      ...['user.created', 'session.ended', 'session.sign-in-refused'],
    ])
  })

  it('never maps to the local user of the same name', async () => {
    const passwordHash = await auth.hashPassword('a password for tests')
    const local = { username: 'lena', name: 'Lena', email: 'lena@berth.test', role: 'viewer' }
    await createUser(database, { ...local, passwordHash, attribution: TEST_ATTRIBUTION })
    const { end, person } = await signInAtProvider('lena', ['cloud-admins'])
    expect(end).toBe(`http://${HOST}/sign-in?problem=name-taken`)
    expect(await person()).toBeNull()
    expect(await findByLogin(database, 'lena')).toMatchObject({ role: 'viewer' })
  })

  it('refuses a response that its browser did not request', async () => {
    const at = browser()
    const { url } = await at.visit(`${CALLBACK}?code=stolen&state=made-up`)
    expect(url).toBe(`http://${HOST}/sign-in?problem=expired`)
    await at.visit(`http://${HOST}/api/auth/sign-in/oidc`)
    const again = await at.visit(`${CALLBACK}?code=stolen&state=made-up`)
    expect(again.url).toBe(`http://${HOST}/sign-in?problem=provider`)
    expect(await at.person()).toBeNull()
  })

  it.each(['https://elsewhere.test/', '//elsewhere.test', '/\\elsewhere.test'])(
    'never redirects to %s',
    async (next) => {
      const { end } = await signInAtProvider('dana', ['on-call'], next)
      expect(new URL(end).host).toBe(HOST)
    },
  )

  it('returns 404 where it is not configured', async () => {
    const closed = await openTestAuth(database, { adminPassword: null })
    const ask = (path: string, init?: RequestInit) =>
      closed.handle(new Request(`http://${HOST}/api/auth/${path}`, { ...init, headers: { host: HOST } }))
    expect((await ask('sign-in/oidc')).status).toBe(404)
    expect((await ask('callback/oidc?code=a&state=b')).status).toBe(404)
    expect(closed.signInMethods).toEqual({ oidc: null, keystone: null, passkey: { domain: 'localhost' } })
  })
})

describe('Keystone', () => {
  const signIn = (username: string, password: string, domain?: string) =>
    auth.handle(
      new Request(`http://${HOST}/api/auth/sign-in/keystone`, {
        method: 'POST',
        headers: { host: HOST, 'content-type': 'application/json' },
        body: JSON.stringify({ username, password, domain }),
      }),
    )

  it('gives an account the role of its Keystone roles, and revokes the token', async () => {
    const answer = await signIn('olga', 'right')
    expect(answer.status).toBe(200)
    expect(await auth.userSignedInBy(answer, new Headers({ host: HOST }))).toMatchObject({
      username: 'olga',
      role: 'operator',
    })
    expect(keystone.tokens.size).toBe(0)
    expect(await answer.text()).not.toContain('token')
  })

  it.each([
    ['olga', 'wrong', undefined, 401, 'wrong'],
    ['olga', 'right', 'Other', 401, 'wrong'],
    ['nobody', 'right', undefined, 403, 'no-role'],
  ])('refuses %s with the password %s in the domain %s', async (name, password, domain, status, code) => {
    const answer = await signIn(name, password, domain)
    expect(answer.status).toBe(status)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await answer.json()).toMatchObject({ code })
    expect(keystone.tokens.size).toBe(0)
  })
})
