import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../../store/database/database'
import { createToken, revokeToken } from '../../store/placement/token'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import type { Role } from '../permit/roles'
import { openTestPlacement } from '../testing/placement'
import { type PlacementApi, placementSettings } from './opened'

const database = onFreshDatabase(connectDatabase)
let api: PlacementApi
let now = Date.now()
let monotonicMs = 0

beforeAll(async () => {
  api = openTestPlacement(database, {
    ...{ now: () => now, monotonicMs: () => monotonicMs },
    settings: placementSettings({ HOST: '0.0.0.0' }),
  })
  for (const role of ['viewer', 'operator'] as const) await token(role, role)
})

const token = (name: string, role: Role, project = '') =>
  createToken(database, { id: randomUUID(), name, role, project, token: name, expiresAt: null, ...TEST_ATTRIBUTION })

interface RequestOptions {
  readonly token?: string | null
  readonly version?: string | null
  readonly accept?: string
  readonly body?: unknown
}

async function ask(method: string, path: string, sent: RequestOptions = {}) {
  const { token: shown = 'operator', version = '1.39', accept = 'application/json', body } = sent
  const headers = new Headers({ accept })
  if (shown !== null) headers.set('x-auth-token', shown)
  if (version !== null) headers.set('openstack-api-version', `placement ${version}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await api.respond(new Request(`http://berth.test/placement${path}`, { method, headers, ...init }))
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
}

describe('access to Placement', () => {
  test('needs no token for the versions', async () => {
    const { status, json } = await ask('GET', '/', { token: null })
    expect([status, json.versions[0].max_version]).toEqual([200, '1.39'])
  })

  test.each<[string, string | null, string, number]>([
    ['is refused without a token', null, 'GET', 401],
    ['is refused with an unknown token', 'made up', 'GET', 401],
    ['lets a viewer read', 'viewer', 'GET', 200],
    ['does not let a viewer write', 'viewer', 'POST', 403],
    ['lets an operator write', 'operator', 'POST', 200],
  ])('%s', async (_, shown, method, status) => {
    const body = method === 'POST' ? { name: `made by ${shown}` } : undefined
    expect((await ask(method, '/resource_providers', { token: shown, body })).status).toBe(status)
  })

  test('ends at most five seconds after a token is revoked', async () => {
    await token('leaver', 'operator')
    expect((await ask('GET', '/traits', { token: 'leaver' })).status).toBe(200)
    expect(await revokeToken(database, { name: 'leaver', ...TEST_ATTRIBUTION })).toBe(true)
    now -= 3_600_000 // set back meanwhile
    monotonicMs += 5_001
    expect((await ask('GET', '/traits', { token: 'leaver' })).status).toBe(401)
  })

  test('by noauth2 is allowed only on the loopback address', () => {
    const env = { BERTH_PLACEMENT_AUTH: 'noauth2' }
    expect(placementSettings({ ...env, HOST: '127.0.0.1' }).auth).toBe('noauth2')
    expect(() => placementSettings({ ...env, HOST: '0.0.0.0' })).toThrow('HOST is this machine itself')
    expect(() => placementSettings({ BERTH_PLACEMENT_AUTH: 'none' })).toThrow('must be')
    expect(() => placementSettings({ BERTH_PLACEMENT_PROFILE: 'wide' })).toThrow('must be one of')
  })
})

describe('versions', () => {
  test.each<[string, string | null, number, string | null]>([
    ['default to the first one', null, 200, 'placement 1.0'],
    ['include latest', 'latest', 200, 'placement 1.39'],
    ['outside the supported range are refused', '1.40', 406, null],
    ['that are no numbers are refused', 'x.y', 400, null],
  ])('%s', async (_, version, status, echoed) => {
    const answer = await ask('GET', '/resource_providers', { version })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('openstack-api-version')).toBe(echoed)
  })

  test.each<[string, string, string, number]>([
    ['GET', '/traits', '1.5', 404],
    ['GET', '/traits', '1.6', 200],
    ['GET', '/allocation_candidates?resources=VCPU:1', '1.9', 404],
    ['POST', '/reshaper', '1.29', 404],
    ['DELETE', `/resource_providers/${randomUUID()}/inventories`, '1.4', 405],
    ['PATCH', '/traits', '1.39', 405],
    ['GET', '/cows', '1.39', 404],
  ])('%s %s at %s is %i', async (method, path, version, status) => {
    expect((await ask(method, path, { version })).status).toBe(status)
  })

  test('errors have a code from 1.23 on, and always the request id', async () => {
    const path = `/resource_providers/${randomUUID()}`
    const before = await ask('GET', path, { version: '1.22' })
    const after = await ask('GET', path, { version: '1.23' })
    expect(before.json.errors[0]).not.toHaveProperty('code')
    expect(after.json.errors[0]).toMatchObject({ status: 404, title: 'Not Found', code: 'placement.undefined_code' })
    expect(after.json.errors[0].request_id).toBe(after.headers.get('x-openstack-request-id'))
  })

  test('responses have cache headers from 1.15 on', async () => {
    expect((await ask('GET', '/traits', { version: '1.14' })).headers.get('cache-control')).toBeNull()
    const { headers } = await ask('GET', '/traits', { version: '1.15' })
    expect([headers.get('cache-control'), headers.has('last-modified')]).toEqual(['no-cache', true])
  })
})

test('a response to a creation has the absolute URL of the object', async () => {
  const { headers } = await ask('PUT', '/traits/CUSTOM_MADE')
  expect(headers.get('location')).toBe('http://berth.test/placement/traits/CUSTOM_MADE')
})

describe('an invalid body', () => {
  const CASES: readonly (readonly [string, unknown, string])[] = [
    ['that is no JSON is refused', '{', 'Malformed JSON'],
    ['that lacks a field is refused', {}, "'name' is a required property"],
    ['with an unknown field is refused', { name: 'a', colour: 1 }, "('colour' was unexpected)"],
    ['with a wrong type is refused', { name: 5 }, "5 is not of type 'string'"],
    ['with an invalid uuid is refused', { name: 'a', uuid: 'x' }, "'x' is not a 'uuid'"],
    ['with a name that is too long is refused', { name: 'a'.repeat(201) }, 'is too long'],
  ]
  test.each(CASES)('%s', async (_, body, detail) => {
    const { status, json } = await ask('POST', '/resource_providers', { body })
    expect(status).toBe(400)
    expect(json.errors[0].detail).toContain(detail)
  })

  test('gets the error nearest to the top', async () => {
    const body = { allocations: { [randomUUID()]: { resources: { VCPU: 0 } } }, project_id: 'p', user_id: 'u' }
    const { json } = await ask('PUT', `/allocations/${randomUUID()}`, { version: '1.28', body })
    expect(json.errors[0].detail).toContain("'consumer_generation' is a required property")
  })
})

test('a lost database gives 503 and does not claim that nothing was written', async () => {
  const gone = connectDatabase({ url: 'postgresql://nobody@127.0.0.1:1/none' })
  const logged: unknown[] = []
  const without = openTestPlacement(gone, { log: { error: (entry: unknown) => logged.push(entry) } })
  const { status, text } = await without.ask('GET', '/resource_providers')
  expect(status).toBe(503)
  expect(text).toContain('not known whether a change was made')
  expect(logged).toHaveLength(1)
  await gone.close()
})
