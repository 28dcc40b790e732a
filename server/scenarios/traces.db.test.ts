import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { connectDatabase } from '../store/database/database'
import { inTransaction } from '../store/database/transaction'
import { openTraces, type Traces } from '../trace/open'
import { traced, tracedQuery, tracedRequest } from '../trace/trace'

// Sends traces over HTTP to a receiver that acts as a collector.

interface OtlpSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[]
}

const bodies: string[] = []
const receiver = http.createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  bodies.push(text)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
const database = onFreshDatabase(connectDatabase)
let traces: Traces | null

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`
  traces = await openTraces(process.env)
})
afterAll(() => receiver.close())

it('tracing is off without an exporter endpoint', async () => {
  expect(await openTraces({ OTEL_SERVICE_NAME: 'berth' })).toBeNull()
})

it('a request is one trace with procedure, statements and errors, but without their values', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  await tracedRequest({ method: 'POST', path: '/api/trpc/x', headers, status: () => 503 }, () =>
    traced('host.list', { 'berth.request': 'r1' }, async () => {
      await database.pool.query({ name: 'named', text: 'select $1::text', values: ['a secret'] })
      await inTransaction(database, (client) => client.query('select 1'))
      const fail = () => Promise.reject(new TypeError('with a secret'))
      await traced('driver locate', {}, fail).catch(() => null)
    }),
  )
  await tracedQuery(
    () => 'asked by nobody',
    async () => null,
  )
  await traces?.stop()
  const sent = bodies.flatMap((text) => JSON.parse(text).resourceSpans as ResourceSpans[])
  expect(JSON.stringify(sent.map(({ resource }) => resource))).toContain('"berth"')
  const spans = sent.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  const named = new Map(spans.map((span) => [span.name, span]))
  const parents = spans.map(({ name, parentSpanId }) => {
    const parent = spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId
    return [name, parent]
  })
  expect(Object.fromEntries(parents)).toEqual({
    POST: 'b7ad6b7169203331',
    'host.list': 'POST',
    named: 'host.list',
    TRANSACTION: 'host.list',
    'driver locate': 'host.list',
  })
  expect(named.get('POST')?.status.code).toBe(2)
  expect(named.get('driver locate')?.status.code).toBe(2)
  expect(named.get('named')?.status.code ?? 0).toBe(0)
  expect(bodies.join('')).not.toContain('a secret')
})

interface ResourceSpans {
  readonly resource: unknown
  readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
}
