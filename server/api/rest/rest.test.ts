import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { createToken, revokeToken } from '../../store/placement/token'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import { putHost, rowCounts } from '../../store/testing/records'
import type { ProbeReport } from '../connection/connections'
import { contextFor } from '../http/endpoints'
import { ROLES, type Role } from '../permit/roles'
import { openTestApi } from '../testing/api'
import { OWN_CHECK } from '../testing/rest/answers'
import { anyRequest, type RestRequest } from '../testing/rest/requests'
import type { Problem } from './answers'
import { restHandler } from './handler'
import { openApiDocument } from './openapi'
import { matchesAt, OPERATIONS, type Schema } from './operations'

// REST on a real database: the same procedures with a token. `npm run fuzz:rest` sends a hundred thousand requests like
// those of the last test; BERTH_FUZZ_CALLS and BERTH_FUZZ_SEED set number and seed.

const CALLS = Number(process.env.BERTH_FUZZ_CALLS || 400)
const SEED = Number(process.env.BERTH_FUZZ_SEED || 5)

const api = onFreshDatabase(openTestApi)
const host = smallHost()
const tokenOf = (role: Role) => `a token of a program with the role ${role}`
beforeAll(async () => {
  for (const role of ROLES) await keep(role, tokenOf(role))
  await putHost(api.database, host)
  await api.settle()
})

const keep = (role: Role, token: string, name = `the-${role}`) =>
  createToken(api.database, { id: randomUUID(), name, role, project: '', expiresAt: null, token, ...TEST_ATTRIBUTION })

interface RequestOptions {
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function send(line: string, { token = tokenOf('admin'), body, headers = {} }: RequestOptions = {}) {
  const [method = '', path = ''] = line.split(' ')
  const response = await api.endpoints.rest(
    new Request(`http://berth.test/api/v1${path}`, {
      method,
      headers: {
        host: 'berth.test',
        ...(token === null ? {} : { 'x-auth-token': token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null
  return { status: response.status, headers: response.headers, text, json, problem: json as Problem }
}

const entriesOf = async (request: string | null) => {
  const { rows } = await api.database.pool.query('select action, who, origin from audit_entry where request = $1', [
    request,
  ])
  return rows
}

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { json } = await send('GET /openapi.json', { token: null })
    const result = await new Validator().validate(json)
    expect(result).toMatchObject({ valid: true })
  })

  test('has every operation once, and each is found by its path', () => {
    expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length)
    for (const operation of OPERATIONS) {
      const found = matchesAt(operation.path.replaceAll(/\{\w+\}/g, 'x'))
      expect(found.map((each) => each.operation)).toContain(operation)
    }
  })

  test('has a schema for every response, and defines each referenced type once', () => {
    const { paths, components } = openApiDocument('test')
    const named = new Set<string>()
    JSON.stringify({ paths, components }, (_, value: Schema | null) => {
      if (typeof value?.$ref === 'string') named.add(value.$ref)
      return value
    })
    const there = [
      ...Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(components.responses).map((name) => `#/components/responses/${name}`),
    ]
    expect([...named].sort()).toEqual(there.sort())
    for (const { path, method } of OPERATIONS) {
      const schema = paths[path]?.[method.toLowerCase()]?.responses[200].content['application/json']?.schema
      expect(schema, `${method} ${path}: run \`npm run answers\``).not.toEqual({})
      expect(schema).toBeDefined()
    }
  })

  test('rejects a response with a missing field, an extra field or a wrong type', () => {
    const row = { shared: { used: 1, total: 2 }, seq: '1' }
    const answered = (body: unknown) => OWN_CHECK.faultOf({ operation: 'event.since', status: 200, body })
    const beat = { is: 'beat', at: 1, seq: '1' }
    expect(answered([beat])).toBeNull()
    expect(answered([{ is: 'beat', at: 1 }])).toContain('seq')
    expect(answered([{ ...beat, ...row }])).toContain('shared')
    expect(answered([{ ...beat, at: new Date(0) }])).toContain('number')
    expect(OWN_CHECK.faultOf({ operation: 'event.since', status: 404, body: [] })).toContain('object')
    expect(OWN_CHECK.faultOf({ operation: 'event.since', status: 204, body: null })).toContain('204')
  })

  test('has an HTML page without scripts', async () => {
    const { status, text, headers } = await send('GET ', { token: null })
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const { path } of OPERATIONS) expect(text).toContain(`<code>${path}</code>`)
    expect(text).toContain('Answer: <code><a href="#type-HostRowPage">HostRowPage</a></code>')
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, target]) => `id="${target}"`)
    expect(targets.filter((target) => !text.includes(target))).toEqual([])
    expect(text).not.toContain('<script')
  })
})

describe('access to REST', () => {
  test.each<[string, string | null, Readonly<Record<string, string>>, number]>([
    ['is refused without a token', null, {}, 401],
    ['is refused with an unknown token', 'no token at all', {}, 401],
    ['is refused with a session cookie, which browsers send everywhere', null, { cookie: 'session' }, 401],
    ['is granted with a token', tokenOf('viewer'), {}, 200],
    ['is granted with a bearer token', null, { authorization: `Bearer ${tokenOf('viewer')}` }, 200],
    ['is refused from a page of another site', tokenOf('viewer'), { origin: 'http://evil.test' }, 403],
  ])('%s', async (_title, token, headers, status) => {
    const sent = headers.cookie ? { cookie: api.cookie('admin') } : headers
    expect((await send('GET /hosts', { token, headers: sent })).status).toBe(status)
  })

  test('a revoked token that was never used is refused', async () => {
    await keep('viewer', 'short-lived', 'short-lived')
    await revokeToken(api.database, { name: 'short-lived', ...TEST_ATTRIBUTION })
    expect((await send('GET /hosts', { token: 'short-lived' })).status).toBe(401)
  })

  test('a role without permission is refused by the procedure, and the audit log has the attempt', async () => {
    const asked = { token: tokenOf('viewer'), body: { status: 'down', reason: 'cable' } }
    const { status, problem, headers } = await send(`PUT /hosts/${host.id}/status`, asked)
    expect(status).toBe(403)
    expect(problem).toMatchObject({ code: 'auth.forbidden', status: 403, notChanged: 'Nothing was changed.' })
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(headers.get('x-request-id')).toBe(problem.requestId)
    const origin = { role: 'viewer', credential: 'token the-viewer' }
    expect(await entriesOf(problem.requestId)).toMatchObject([
      { action: 'request.refused', who: 'token the-viewer', origin },
    ])
  })
})

describe('requests', () => {
  test('a write succeeds and leaves an entry that names the token', async () => {
    const { status, headers } = await send(`PUT /hosts/${host.id}/scheduling`, {
      body: { scheduling: 'disabled', reason: 'a test' },
    })
    expect(status).toBe(200)
    const [entry] = await entriesOf(headers.get('x-request-id'))
    expect(entry).toMatchObject({ who: 'token the-admin', origin: { credential: 'token the-admin' } })
  })

  test('a list is read in pages, and each page links to the next', async () => {
    const first = await send('GET /audit-log?limit=1')
    expect(first.json.rows).toHaveLength(1)
    expect(first.headers.get('link')).toBe('</api/v1/audit-log?limit=1&offset=1>; rel="next"')
    const last = await send(`GET /audit-log?limit=1&offset=${first.json.total}`)
    expect(last.json.rows).toEqual([])
    expect(last.headers.get('link')).toBeNull()
  })

  test('query parameters are parsed to their types', async () => {
    const where = encodeURIComponent(JSON.stringify([{ key: 'host', any: [host.name] }]))
    const found = await send(`GET /hosts?status=up&status=down&where=${where}&limit=5`)
    expect(found.json.rows).toMatchObject([{ name: host.name }])
  })

  test('a streamed report returns its last state', async () => {
    const report = (ms: number): ProbeReport => ({
      address: 'qemu:///system',
      steps: [{ step: 'reach', state: 'done', ms, says: null, next: null }],
      unknown: [],
      preview: null,
    })
    async function* probe() {
      yield report(1)
      yield report(2)
    }
    const connections = { ...api.services.connections, refusalOf: async () => null, probe }
    const services = { ...api.services, connections }
    const handler = restHandler(services, (headers) => contextFor(headers, services))
    const response = await handler(
      new Request('http://berth.test/api/v1/connections/probe', {
        method: 'POST',
        headers: { host: 'berth.test', 'x-auth-token': tokenOf('admin'), 'content-type': 'application/json' },
        body: JSON.stringify({ transport: { kind: 'unix', socketPath: '/run/libvirt-sock' }, daemon: 'system' }),
      }),
    )
    expect(await response.json()).toEqual(report(2))
  })

  test.each<[string, string, RequestOptions, number, string]>([
    ['an unknown path', 'GET /nothing', {}, 404, 'input.no-route'],
    ['an unsupported method', 'DELETE /hosts', {}, 405, 'input.method'],
    ['an unknown host', `GET /hosts/${randomUUID()}`, {}, 404, 'unknown'],
    ['an unknown field', 'GET /hosts?colour=red', {}, 400, 'input.bad'],
    ['a field for an operation without any', 'GET /overview?q=1', {}, 400, 'input.bad'],
    ['a text for a number', 'GET /hosts?limit=many', {}, 400, 'input.bad'],
    ['a list for a single value', 'GET /hosts?limit=1&limit=2', {}, 400, 'input.bad'],
    ['malformed JSON', 'POST /repairs', { body: '{' }, 400, 'input.unreadable'],
    ['a list for an object', 'POST /repairs', { body: [] }, 400, 'input.bad'],
    [
      'an unsupported media type',
      'POST /repairs',
      { body: 'x=1', headers: { 'content-type': 'text/plain' } },
      415,
      'input.media-type',
    ],
    ['a repeated field', `PUT /hosts/${randomUUID()}/status`, { body: { id: 'x', status: 'up' } }, 400, 'input.bad'],
    ['a body beyond the limit', 'POST /repairs', { body: { findings: ['x'.repeat(300_000)] } }, 413, 'input.too-large'],
    ['a NUL character', 'POST /repairs', { body: { findings: ['a\u0000'] } }, 400, 'input.bad'],
  ])('%s is answered with one problem document', async (_title, line, sending, status, code) => {
    const { problem, ...answer } = await send(line, sending)
    expect(answer.status).toBe(status)
    expect(problem.code).toContain(code)
    expect(problem).toMatchObject({ status, notChanged: 'Nothing was changed.' })
    expect(problem.what && problem.next && problem.requestId && problem.type).toBeTruthy()
  })
})

// docs/rest.md: each block is a request and its answer.
const examples = [
  ...fs.readFileSync('docs/rest.md', 'utf8').matchAll(/```http\n(\S+ \S+)\n([^→]*)→ (\d+) ?(\S*)\n```/g),
]

test('the document of REST has examples', () => expect(examples.length).toBeGreaterThan(5))

test.each(
  examples.map(
    ([, line = '', body = '', status = '', code = '']) => [line, body.trim(), Number(status), code] as const,
  ),
)('%s gets the response in docs/rest.md', async (line, body, status, code) => {
  const asked = line.replace('/api/v1', '').replace('{host}', host.id)
  const answer = await send(asked, body === '' ? {} : { body })
  expect(answer.status, answer.text).toBe(status)
  if (code !== '') expect(answer.problem.code).toBe(code)
})

test('every request that the document allows gets a response, and a refused one changes nothing', async () => {
  const requests = anyRequest(openApiDocument('test'), { all: [host.id, randomUUID()] })
  let done = 0
  const one = async ({ method, path, body }: RestRequest) => {
    const before = await rowCounts(api.database)
    const { status, problem, text, headers } = await send(`${method} ${path.slice('/api/v1'.length)}`, {
      ...(body === null ? {} : { body }),
    })
    expect(status, text).toBeLessThan(500)
    if (status < 400) {
      done++
      return
    }
    expect(problem).toMatchObject({ status, requestId: headers.get('x-request-id') })
    expect(await rowCounts(api.database)).toEqual(before)
  }
  await fc.assert(fc.asyncProperty(requests, one), { numRuns: CALLS, seed: SEED, endOnFailure: true })
  expect(done).toBeGreaterThan(CALLS / 20)
  const { json } = await send('POST /audits', { body: {} })
  expect(json).toBeTruthy()
  expect((await send('GET /findings?severity=critical')).json.rows).toEqual([])
})
