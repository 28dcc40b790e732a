import { randomUUID } from 'node:crypto'
import type http from 'node:http'
import type net from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { seeded } from '../../engine/testing/seeded'
import { createToken } from '../../store/placement/token'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import { putHost } from '../../store/testing/records'
import { makeStreamCounts } from '../limits/call-slots'
import { openTestApi, PASSWORD } from '../testing/api'
import { nextAttack } from '../testing/hostile/calls'
import { floodBody, floodSignIn, openStreams } from '../testing/hostile/floods'
import { trustedProxies } from './client-address'
import { frontServer } from './front-server'

// A short run of `npm run fuzz`: the same calls and floods, on the endpoints without Next. BERTH_FUZZ_CALLS and
// BERTH_FUZZ_SEED make it larger, or another one.

const CALLS = Number(process.env.BERTH_FUZZ_CALLS || 600)
const SEED = Number(process.env.BERTH_FUZZ_SEED || 18)
const TOKEN = 'a token of a program that attacks'
const STREAMS_LIMIT = 5

const api = onFreshDatabase((fresh) =>
  openTestApi(fresh, {
    log: pino({ level: 'error' }, { write: (line) => void failures.push(line.slice(0, 1_500)) }),
    streamCounts: makeStreamCounts({ perPerson: STREAMS_LIMIT, perAddress: 1_000 }),
  }),
)
let server: http.Server
const failures: unknown[] = []

beforeAll(async () => {
  const log = { error: (...entry: unknown[]) => void failures.push(entry) }
  // A program that may do everything: what its calls reach is a handler, and not only the check of its token.
  const program = { id: randomUUID(), name: 'attacker', role: 'admin', project: '', expiresAt: null }
  await createToken(api.database, { ...program, token: TOKEN, ...TEST_ATTRIBUTION })
  await putHost(api.database, smallHost())
  await api.settle()
  const proxies = trustedProxies('')
  server = frontServer(
    { endpoints: api.endpoints, proxies, publicUrl: null, readiness: async () => ({ reason: null, checks: [] }), log },
    { isDev: false, answer: (_, response) => response.end() },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
})

const port = () => (server.address() as net.AddressInfo).port

const bodyOf = (body: Buffer | null) => (body === null ? {} : { body: new Uint8Array(body) })

test('hostile calls are refused, and none of them causes an internal error', async () => {
  const rng = seeded(SEED)
  const broken: string[] = []
  const good = { placement: 0, others: 0 }
  let judged = 0
  for (let n = 0; n < CALLS; n++) {
    const cookie = api.cookie((['viewer', 'support', 'operator', 'admin'] as const)[Math.floor(rng() * 4)] ?? 'viewer')
    const { method, path, headers, body } = nextAttack({ rng, cookie, token: TOKEN, ids: [hostId(1)] })
    if (['TRACE', 'CONNECT'].includes(method)) continue
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\t\x20-\x7e]+$/.test(value)))
    const response = await fetch(`http://127.0.0.1:${port()}${path}`, {
      method,
      headers: sent,
      redirect: 'manual',
      ...bodyOf(body),
    })
    const text = await response.text()
    const group = path.startsWith('/placement') ? 'placement' : 'others'
    if (group === 'placement' && [400, 409, 415].includes(response.status)) judged++
    if (response.ok) good[group]++
    if (response.status >= 500 || /"httpStatus":5\d\d/.test(text)) {
      broken.push(
        `${n}: ${method} ${path.slice(0, 200)} ${body?.toString().slice(0, 200) ?? ''} → ${text.slice(0, 300)}`,
      )
    }
  }
  expect({ broken, failures }).toEqual({ broken: [], failures: [] })
  // An attack that reaches nothing proves nothing.
  expect(good.others).toBeGreaterThan(CALLS / 20)
  expect(good.placement).toBeGreaterThan(CALLS / 100)
  expect(judged, 'calls that a handler of Placement looked at and refused').toBeGreaterThan(CALLS / 50)
})

test('an endless body is cut off after a few megabytes', async () => {
  const { takenMib } = await floodBody(port(), { mib: 64 })
  expect(takenMib).toBeLessThan(16) // the limit of the endpoint, and socket buffers
})

test('streams beyond the limit of a user are refused, and another user can still write', async () => {
  const input = {
    username: 'by_the_way',
    name: 'b',
    email: 'b@berth.test',
    role: 'viewer',
    password: `${PASSWORD} too`,
  }
  const write = { path: 'user.create', cookie: api.cookie('admin'), input }
  const met = await openStreams(port(), { streams: 4 * STREAMS_LIMIT, cookie: api.cookie('viewer'), write })
  expect(met).toMatchObject({ open: STREAMS_LIMIT, refused: 3 * STREAMS_LIMIT, write: { status: 200 } })
})

test('a flood of sign-in attempts blocks its own address, and the owner signs in from another', async () => {
  const met = await floodSignIn(port(), { guesses: 40, username: 'the_admin', password: PASSWORD })
  expect(met).toMatchObject({ ownerDuring: 200, ownerAfter: 200 })
  expect(met.lookedAt).toBeLessThanOrEqual(10)
  expect(met.lookedAt, 'the first ones were looked at').toBeGreaterThan(0)
})
