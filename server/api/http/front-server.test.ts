import http from 'node:http'
import net from 'node:net'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../boot/test-database'
import { openTestApi, PASSWORD, type TestApi } from '../testing/api'
import { trustedProxies } from './client-address'
import { frontServer, type Listener, refuseUnparsed } from './front-server'
import { limitedServer } from './server-limits'

// Attacks on the console's port over real sockets, with bytes that no HTTP client would send. Pages are a stub that
// echoes the request; e2e/pages.spec.ts checks in a browser that Next's own answers carry the same headers.

let fresh: FreshDatabase
let api: TestApi
let server: http.Server
let port: number
const failures: unknown[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  api = await openTestApi(fresh)
  server = frontServer(
    {
      ...{
        endpoints: api.endpoints,
        proxies: trustedProxies('127.0.0.2'),
        publicUrl: null,
        readiness: async () => ({ reason: null, checks: [] }),
      },
      log: { error: (entry: unknown) => void failures.push(entry) },
    },
    { isDev: false, answer: (request, response) => response.end(request.headers['content-security-policy']) },
  )
  port = await listening(server)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await api.close()
  await fresh.drop()
  expect(failures).toEqual([])
})

async function listening(started: http.Server): Promise<number> {
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  return (started.address() as net.AddressInfo).port
}

interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

interface RequestOptions {
  readonly method?: string
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: string | Buffer | AsyncIterable<Buffer>
  readonly from?: string
}

function ask(path: string, { method = 'GET', headers = {}, body, from }: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port, path, method, headers, agent: false, localAddress: from }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    if (typeof body === 'object' && Symbol.asyncIterator in body) void writeAll(body, request)
    else request.end(body)
  })
}

async function writeAll(chunks: AsyncIterable<Buffer>, request: http.ClientRequest): Promise<void> {
  for await (const chunk of chunks) {
    if (request.destroyed) return
    if (!request.write(chunk))
      await new Promise<void>((resolve) => request.once('drain', resolve).once('close', resolve))
  }
  request.end()
}

/** Sends raw bytes; returns the response until the server closes. */
function send(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.end(bytes))
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

const json = { 'content-type': 'application/json' }
const signIn = (body: string | Buffer | AsyncIterable<Buffer>, headers: http.OutgoingHttpHeaders = json) =>
  ask('/api/auth/sign-in/username', { method: 'POST', headers, body })

describe('a body', () => {
  const MIB = 1024 * 1024
  const SIZE_MIB = 64

  test.each([
    ['sign-in', '/api/auth/sign-in/username', 413],
    ['a procedure', '/api/trpc/user.setRole', 413],
    ['Placement', '/placement/resource_providers', 401],
    ['a page', '/overview', 405],
    ['the metrics', '/metrics', 405],
  ])('without end is cut off by %s long before it is complete', async (_, path, status) => {
    let sent = 0
    async function* endless() {
      for (; sent < SIZE_MIB; sent++) yield Buffer.alloc(MIB, 'x')
    }
    const answer = await ask(path, { method: 'POST', headers: json, body: endless() }).catch((error) => error as Error)
    // A client that is still writing when the connection ends may see only that it ended.
    if (!(answer instanceof Error)) expect(answer.status).toBe(status)
    expect(sent, 'MiB that were taken in').toBeLessThan(SIZE_MIB / 2)
  })

  test('is refused by its announced length before it is sent', async () => {
    const head = 'POST /api/auth/sign-in/username HTTP/1.1\r\nHost: berth.test\r\nContent-Type: application/json\r\n'
    expect(await send(`${head}Content-Length: 400000000\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('has a lower limit without a session than with one', async () => {
    const body = JSON.stringify({ id: 'x'.repeat(60_000) })
    const post = (headers: http.OutgoingHttpHeaders) =>
      ask('/api/trpc/user.setRole', { method: 'POST', headers: { ...json, ...headers }, body })
    expect((await post({})).status).toBe(413)
    expect((await post({ host: 'berth.test', cookie: api.cookie('admin') })).status).toBe(400)
  })

  test('is refused for a method that takes none', async () => {
    expect((await ask('/overview', { headers: { 'content-length': '3' }, body: 'abc' })).status).toBe(413)
  })
})

describe('every response', () => {
  const POLICY = /default-src 'none'.*frame-ancestors 'none'/
  test.each<[path: string, sent: RequestOptions, status: number]>([
    ['/overview', {}, 200],
    ['/overview', { method: 'DELETE' }, 405],
    ['/a%00b', {}, 400],
    ['/api/trpc/session.me', {}, 401],
    ['/api/trpc/no.such', {}, 404],
    ['/api/auth/get-session', {}, 200],
    ['/api/auth/no-such', {}, 404],
    ['/api/no-such', {}, 404],
    ['/.well-known/change-password', {}, 404],
    ['/placement/', {}, 200],
    ['/placement/no-such', {}, 401],
    ['/metrics', {}, 401],
    ['/healthz', {}, 200],
    ['/readyz', {}, 200],
    ['/readyz', { headers: { expect: 'wonders' } }, 417],
    ['/placement/traits', { method: 'TRACE' }, 405],
    ['/api/auth/x', { method: 'PROPFIND' }, 405],
  ])('to %s %j has headers against framing, sniffing and injection', async (path, sent, status) => {
    const answer = await ask(path, sent)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(POLICY),
    })
    expect(answer.headers['strict-transport-security']).toBeUndefined()
    expect(answer.headers['x-powered-by']).toBeUndefined()
  })

  test('to bytes that are not HTTP has them too', async () => {
    for (const bytes of ['GET', 'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', '\x00\x01\x02\r\n\r\n']) {
      const text = await send(bytes)
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text).toMatch(/x-content-type-options: nosniff/)
    }
  })

  test.each(['GET', 'HEAD'])('to a %s with a URL that is too long has headers only', async (method) => {
    const text = await send(`${method} /${'é'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(text).toMatch(/\r\n\r\n$/)
  })

  test('behind a trusted proxy that used TLS sets strict transport security', async () => {
    const headers = { 'x-forwarded-proto': 'https' }
    expect((await ask('/healthz', { headers, from: '127.0.0.2' })).headers['strict-transport-security']).toMatch(
      /max-age/,
    )
    expect((await ask('/healthz', { headers })).headers['strict-transport-security']).toBeUndefined()
  })

  test('a page has a fresh nonce, and the client cannot choose it', async () => {
    const headers = { 'content-security-policy': "script-src 'nonce-mine'" }
    const [one, two] = await Promise.all([ask('/overview', { headers }), ask('/overview', { headers })])
    const nonces = [one, two].map((answer) => /'nonce-([^']+)'/.exec(answer.text)?.[1])
    expect(new Set(nonces).size).toBe(2)
    expect(nonces).not.toContain('mine')
    expect(one.headers['content-security-policy']).toBe(one.text)
    expect(one.text).toMatch(/script-src 'self' 'nonce-[^']+';/)
  })
})

describe('an unreadable request', () => {
  test.each<[title: string, path: string]>([
    ['NUL in the path', '/hosts/%00'],
    ['NUL in the query', '/hosts?q=%00'],
    ['%ff in the path', '/hosts/%ff'],
    ['%ff in the query', '/hosts?q=%ff'],
    ['%ff before a procedure', '/api/trpc/%ff'],
    ['%ff in an input', '/api/trpc/host.list?input=%ff'],
    ['NUL for Placement', '/placement/resource_providers?name=%00'],
    ['%ff for Placement', '/placement/resource_providers?name=%ff'],
    ['a truncated escape', '/hosts/%'],
  ])('%s is refused with 400', async (_, path) => {
    expect((await ask(path)).status).toBe(400)
  })

  test('a percent sign without an escape is a plain character of a search', async () => {
    expect((await ask('/hosts?q=100%')).status).toBe(200)
  })

  test.each<[title: string, body: string | Buffer, status: number]>([
    ['nothing', '', 400],
    ['half an object', '{"username":', 400],
    ['a body that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ['a NUL character', JSON.stringify({ username: 'ad\0min', password: PASSWORD }), 400],
    ['half of a surrogate pair', '{"username": "admin", "password": "\\ud800aaaaaaaaaaaa"}', 400],
    ['a list', '[]', 400],
    ['null', 'null', 400],
    ['a number', '7', 400],
  ])('%s does not sign in and causes no error', async (_, body, status) => {
    expect((await signIn(body)).status).toBe(status)
  })

  test('an unsupported media type is refused with 415', async () => {
    expect((await signIn('username=admin', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(400)
    expect((await signIn('{}', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('no procedure receives a text that the database cannot store', async () => {
    const headers = { host: 'berth.test', cookie: api.cookie('admin') }
    for (const q of ['a\0b', '\ud800', { deep: ['\0'] }, { '\0': 1 }]) {
      const input = encodeURIComponent(JSON.stringify(q).replaceAll('\0', '\\u0000'))
      const answer = await ask(`/api/trpc/search.find?input=${input}`, { headers })
      expect(answer.status).not.toBe(500)
      expect([400, 404]).toContain(answer.status)
    }
  })

  test('no URL whatever causes an error', async () => {
    const piece = fc.oneof(
      fc.constantFrom('/', '//', '?', '&', '=', '%', '%00', '%ff', '%C3%28', '%2e%2e', '..', '\\', '#', ';', '[', ','),
      fc.constantFrom('api/trpc', 'api/auth', 'placement', 'metrics', 'host.list', 'batch=1', 'input={', 'sign-in'),
      fc.string({ minLength: 1, maxLength: 5 }).map((text) => text.replaceAll(/[^\x21-\x7e]/g, '~')),
    )
    const address = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`)
    await fc.assert(
      fc.asyncProperty(address, fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS'), async (path, method) => {
        const { status } = await ask(path, { method })
        expect(status).toBeGreaterThanOrEqual(200)
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a page that throws', () => {
  const FAILURES: readonly (readonly [how: string, answer: Listener])[] = [
    ['before it waited', () => raise()],
    ['after it waited', async () => raise(await setImmediate())],
    ['with headers sent', (_, response) => raise(response.writeHead(200).write('half'))],
  ]
  const raise = (_?: unknown): never => {
    throw new Error('a page made a mistake')
  }

  test.each(FAILURES)('%s fails only its own request and is logged', async (how, answer) => {
    const errors: unknown[] = []
    const options = { endpoints: api.endpoints, proxies: trustedProxies(''), publicUrl: null }
    const log = { error: (entry: unknown) => void errors.push(entry) }
    const failing = frontServer(
      { ...options, log, readiness: async () => ({ reason: null, checks: [] }) },
      { isDev: false, answer },
    )
    const at = await listening(failing)
    const response = await fetch(`http://127.0.0.1:${at}/overview`)
    expect(response.status).toBe(how === 'with headers sent' ? 200 : 500)
    if (how === 'with headers sent') await expect(response.text()).rejects.toThrow()
    else expect(await response.text()).toContain('Internal error')
    expect(errors).toMatchObject([{ err: { message: 'a page made a mistake' }, path: '/overview' }])
    expect((await fetch(`http://127.0.0.1:${at}/healthz`)).status).toBe(200)
    failing.closeAllConnections()
    failing.close()
  })
})

describe('a batch of calls', () => {
  const headers = () => ({ host: 'berth.test', cookie: api.cookie('viewer') })
  const batch = (calls: readonly string[]) =>
    ask(`/api/trpc/${calls.join(',')}?batch=1&input=${encodeURIComponent('{}')}`, { headers: headers() })

  test('of a normal page is accepted', async () => {
    expect((await batch(Array<string>(12).fill('session.me'))).status).toBe(200)
  })

  test.each([
    ['of too many calls', Array<string>(51).fill('session.me')],
    ['of too much work', Array<string>(13).fill('explain.get')],
  ])('%s is refused', async (_, calls) => {
    const { status, text } = await batch(calls)
    expect([status, JSON.parse(text).error.data.berth.code]).toEqual([413, 'input.too-large'])
  })
})

test('a client that sends its headers slowly is disconnected', async () => {
  const patience = { headersTimeout: 100, connectionsCheckingInterval: 20 }
  const short = limitedServer((_, response) => response.end(), patience).on('clientError', refuseUnparsed)
  const socket = net.connect(await listening(short), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: berth.test\r\n')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  await new Promise((resolve) => socket.on('close', resolve))
  expect(text).toMatch(/^HTTP\/1\.1 408 /)
  short.close()
})
