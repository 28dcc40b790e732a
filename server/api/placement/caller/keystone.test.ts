import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../../boot/on-fresh-database'
import { ProviderForest } from '../../../fleet/candidates-forest'
import { connectDatabase } from '../../../store/database/database'
import { openPlacement, type PlacementApi, placementSettings } from '../opened'

// Berth with the test's Keystone: a real HTTP server with a list of tokens.

const PASSWORD = 'service secret'
const SECRET = 'application secret'
const OWN = 'token of berth itself'

interface TokenInfo {
  readonly roles: readonly string[]
  readonly project?: string
  readonly expiresAtMs: number
}

const tokens = new Map<string, TokenInfo>()
let queriedTokens: string[] = []
let logged: string[] = []
let signIns = 0
let ownToken = OWN
/** Keystone's answer in place of the real one. */
let broken: Answer | null = null
/** How many of its next answers are `broken`. */
let brokenFor = Number.POSITIVE_INFINITY
let slowMs = 0
let now = Date.now()
/** How far the clock that is never set differs from the other one. */
let uptimeMs = 0
const uptime = () => now + uptimeMs

const keystone = http.createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const instead = broken !== null && brokenFor-- > 0 ? broken : null
    const answer = instead ?? keystoneResponse(request, Buffer.concat(chunks).toString())
    const headers = { 'content-type': 'application/json', ...answer.headers }
    setTimeout(() => response.writeHead(answer.status, headers).end(answer.body), slowMs)
  })
})

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: Record<string, string>
}

function keystoneResponse({ method, url, headers }: http.IncomingMessage, body: string): Answer {
  if (!url?.startsWith('/identity/v3/auth/tokens')) return { status: 404, body: '{}' }
  if (method === 'POST') {
    signIns += 1
    if (!body.includes(PASSWORD) && !body.includes(SECRET)) return { status: 401, body: '{}' }
    return {
      ...tokenBody({ roles: ['service'], expiresAtMs: now + 3_600_000 }),
      headers: { 'x-subject-token': ownToken },
    }
  }
  queriedTokens.push(String(headers['x-subject-token']))
  if (headers['x-auth-token'] !== ownToken) return { status: 401, body: '{}' }
  const found = tokens.get(String(headers['x-subject-token']))
  return found ? tokenBody(found) : { status: 404, body: '{"error": {"code": 404}}' }
}

const tokenBody = ({ roles, project, expiresAtMs }: TokenInfo) => ({
  status: 200,
  body: JSON.stringify({
    token: {
      user: { id: 'u', name: 'nova', domain: { id: 'default', name: 'Default' } },
      ...(project ? { project: { id: project, name: project } } : { system: { all: true } }),
      roles: roles.map((name) => ({ id: name, name })),
      expires_at: new Date(expiresAtMs).toISOString().replace('Z', '000Z'),
    },
  }),
})

const database = onFreshDatabase(connectDatabase)
let env: Record<string, string>

beforeAll(async () => {
  await new Promise<void>((resolve) => keystone.listen(0, '127.0.0.1', resolve))
  env = {
    BERTH_PLACEMENT_AUTH: 'keystone',
    OS_AUTH_URL: `http://127.0.0.1:${(keystone.address() as AddressInfo).port}/identity`,
    OS_USERNAME: 'berth',
    OS_PASSWORD: PASSWORD,
  }
})
afterEach(() => {
  tokens.clear()
  queriedTokens = []
  logged = []
  signIns = 0
  broken = null
  brokenFor = Number.POSITIVE_INFINITY
  slowMs = 0
  ownToken = OWN
})
afterAll(async () => {
  keystone.closeAllConnections()
  await new Promise((resolve) => keystone.close(resolve))
})

const opened = (more: Record<string, string> = {}) =>
  openPlacement({
    ...{ database, now: () => now, monotonicMs: () => uptime() },
    ...{ newId: () => randomUUID(), forest: new ProviderForest(database), chance: () => 0 },
    log: { error: (entry: unknown) => logged.push(JSON.stringify(entry)) },
    settings: placementSettings({ ...env, ...more }),
  })

const token = (more: Partial<TokenInfo> = {}) => {
  const name = randomUUID()
  tokens.set(name, { roles: ['admin'], project: 'p', expiresAtMs: now + 3_600_000, ...more })
  return name
}

async function ask(api: PlacementApi, shown: string | null, what = 'GET /resource_providers') {
  const [method = '', path = ''] = what.split(' ')
  const headers = new Headers({ 'openstack-api-version': 'placement 1.39' })
  if (shown !== null) headers.set('x-auth-token', shown)
  if (method !== 'GET') headers.set('content-type', 'application/json')
  const body = method === 'GET' ? {} : { body: '{}' }
  const response = await api.respond(new Request(`http://berth.test/placement${path}`, { method, headers, ...body }))
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const statusOf = async (...of: Parameters<typeof ask>) => (await ask(...of)).status

describe('access to Placement with Keystone', () => {
  const USAGES = '/usages?project_id=p'
  test.each<[string, Partial<TokenInfo>, string, string, number]>([
    ['default', { roles: ['admin'] }, '/traits', 'GET', 200],
    ['default', { roles: ['Admin'] }, '/traits', 'GET', 200],
    ['default', { roles: ['service', 'member', 'reader'] }, '/traits', 'GET', 403],
    ['default', { roles: ['admin'], project: '' }, '/traits', 'GET', 403],
    ['secure', { roles: ['service'] }, '/traits', 'GET', 200],
    ['secure', { roles: ['admin'] }, '/traits', 'GET', 200],
    ['secure', { roles: ['admin'] }, '/reshaper', 'POST', 403],
    ['secure', { roles: ['service'] }, '/reshaper', 'POST', 400],
    ['secure', { roles: ['member', 'reader'] }, '/traits', 'GET', 403],
    ['secure', { roles: ['member', 'reader'] }, USAGES, 'GET', 200],
    ['secure', { roles: ['reader'], project: 'other' }, USAGES, 'GET', 403],
    ['secure', { roles: ['admin'], project: '' }, '/traits', 'GET', 403],
    ['open', { roles: [] }, '/traits', 'GET', 200],
  ])('%s profile, %j: %s %s', async (profile, more, path, method, status) => {
    expect(await statusOf(opened({ BERTH_PLACEMENT_PROFILE: profile }), token(more), `${method} ${path}`)).toBe(status)
  })

  test('is refused without a token and with one that Keystone does not know', async () => {
    const api = opened()
    expect([await statusOf(api, null), await statusOf(api, 'made up')]).toEqual([401, 401])
    expect(queriedTokens).toEqual(['made up'])
  })

  test('needs no token for the versions, and does not call Keystone', async () => {
    expect(await statusOf(opened(), 'made up', 'GET /')).toBe(200)
    expect(queriedTokens).toEqual([])
  })

  test('works with an application credential as well', async () => {
    const by = { OS_APPLICATION_CREDENTIAL_ID: 'id', OS_APPLICATION_CREDENTIAL_SECRET: SECRET, OS_PASSWORD: '' }
    expect(await statusOf(opened(by), token())).toBe(200)
  })
})

describe('a cached token', () => {
  test('is validated once a minute, however many requests arrive', async () => {
    const [api, shown] = [opened(), token()]
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(api, shown)))
    expect([statuses.every((status) => status === 200), queriedTokens.length, signIns]).toEqual([true, 1, 1])
    tokens.delete(shown)
    now += 59_000
    expect(await statusOf(api, shown)).toBe(200)
    now += 1_001
    expect(await statusOf(api, shown)).toBe(401)
  })

  test('stays unknown for ten seconds', async () => {
    const [api, shown] = [opened(), 'comes later']
    expect(await statusOf(api, shown)).toBe(401)
    tokens.set(shown, { roles: ['admin'], project: 'p', expiresAtMs: now + 3_600_000 })
    expect(await statusOf(api, shown)).toBe(401)
    now += 10_001
    expect([await statusOf(api, shown), queriedTokens.length]).toEqual([200, 2])
  })

  test('is refreshed before its minute is over, without delaying a request', async () => {
    const [api, shown] = [opened(), token()]
    expect(await statusOf(api, shown)).toBe(200)
    now += 45_000
    slowMs = 100
    const statuses = await Promise.all([statusOf(api, shown), statusOf(api, shown)])
    await expect.poll(() => queriedTokens.length).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 2 * slowMs))
    now += 20_000
    expect([...statuses, await statusOf(api, shown), queriedTokens.length]).toEqual([200, 200, 200, 2])
  })

  test('is valid to the end of its minute while Keystone does not answer, and no longer', async () => {
    const [api, shown] = [opened(), token()]
    expect(await statusOf(api, shown)).toBe(200)
    broken = { status: 503, body: '' }
    now += 59_000
    expect([await statusOf(api, shown), logged]).toEqual([200, []])
    now += 1_000
    expect([await statusOf(api, shown), logged.length]).toEqual([503, 1])
  })

  test('is validated again in time after the clock was set back an hour', async () => {
    const [api, shown] = [opened(), token()]
    expect(await statusOf(api, shown)).toBe(200)
    tokens.delete(shown)
    now -= 3_600_000
    uptimeMs += 3_600_000 + 60_001
    expect(await statusOf(api, shown)).toBe(401)
  })

  test('never outlives the token itself', async () => {
    const [api, shown] = [opened(), token({ expiresAtMs: now + 20_000 })]
    expect(await statusOf(api, shown)).toBe(200)
    now += 20_000
    expect(await statusOf(api, shown)).toBe(401)
  })
})

describe('a failing Keystone', () => {
  const UNCHECKED = 'Keystone could not validate this token, so the request is refused. Nothing was changed.'

  test.each<[string, { status: number; body: string }]>([
    ['fails', { status: 500, body: 'oops' }],
    ['is another service', { status: 200, body: '<html>welcome</html>' }],
    ['redirects', { status: 302, body: '' }],
    ['limits the request rate', { status: 429, body: '' }],
  ])('admits no request when it %s', async (_, instead) => {
    const [api, shown] = [opened(), token()]
    broken = instead
    const { status, text, headers } = await ask(api, shown)
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(JSON.parse(text).errors[0].detail).toContain(UNCHECKED)
    broken = null
    expect(await statusOf(api, shown)).toBe(200)
  })

  test('is retried while it or its gateway restarts', async () => {
    for (const instead of [503, 502, 429, 200].map((status) => ({ status, body: '<html>wait</html>' }))) {
      const [api, shown] = [opened(), token()]
      broken = instead
      brokenFor = 3
      expect([await statusOf(api, shown), logged]).toEqual([200, []])
    }
  })

  test('is awaited while it is slow', { timeout: 30_000 }, async () => {
    const [api, shown] = [opened(), token()]
    slowMs = 5_500
    expect([await statusOf(api, shown), queriedTokens.length, signIns]).toEqual([200, 1, 1])
  })

  test('is not retried with a password that it refused', async () => {
    expect(await statusOf(opened({ OS_PASSWORD: 'wrong' }), token())).toBe(503)
    expect(signIns).toBe(1)
  })

  test('that does not exist causes 503 and a log line', async () => {
    const gone = opened({ OS_AUTH_URL: 'http://127.0.0.1:1/v3' })
    expect(await statusOf(gone, token())).toBe(503)
    expect(logged.join()).toContain('Keystone did not answer')
  })

  test('that refuses the account of Berth causes 503 and a log line', async () => {
    expect(await statusOf(opened({ OS_PASSWORD: 'wrong' }), token())).toBe(503)
    expect(logged.join()).toContain("Keystone answered 401 to Berth's own sign-in")
  })

  test('that forgot the token of Berth gets one new sign-in', async () => {
    const api = opened()
    expect(await statusOf(api, token())).toBe(200)
    ownToken = 'the next one'
    expect([await statusOf(api, token()), signIns]).toEqual([200, 2])
  })

  test('leaves no secret in the log', async () => {
    const shown = token()
    await statusOf(opened({ OS_PASSWORD: 'wrong secret' }), shown)
    broken = { status: 500, body: shown }
    await statusOf(opened(), shown)
    expect(logged).toHaveLength(2)
    for (const secret of [shown, PASSWORD, 'wrong secret', OWN]) expect(logged.join()).not.toContain(secret)
  })
})

describe('invalid settings', () => {
  test.each<[string, Record<string, string>, string]>([
    ['no Keystone URL', { OS_AUTH_URL: '' }, 'needs OS_AUTH_URL'],
    ['an invalid Keystone URL', { OS_AUTH_URL: 'keystone:5000' }, 'must be an http or https address'],
    ['no user', { OS_USERNAME: '' }, 'needs OS_USERNAME'],
    ['no password', { OS_PASSWORD: '' }, 'needs OS_PASSWORD'],
    ['half a credential', { OS_APPLICATION_CREDENTIAL_ID: 'id' }, 'needs OS_APPLICATION_CREDENTIAL_SECRET'],
  ])('%s: startup fails', (_, more, why) => {
    expect(() => placementSettings({ ...env, ...more })).toThrow(why)
  })
})
