import type http from 'node:http'
import type net from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../boot/test-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { putHost } from '../../store/testing/books'
import { openTestApi, type TestApi } from '../testing/api'
import { nextAttack } from '../testing/hostile/calls'
import { seeded } from '../testing/hostile/values'
import { trustedProxies } from './client-address'
import { frontServer } from './front-door'

// The small size of `npm run fuzz`: the same calls, at the doors without Next. BERTH_FUZZ_CALLS and BERTH_FUZZ_SEED make
// it larger, or another one.

const CALLS = Number(process.env.BERTH_FUZZ_CALLS || 600)
const SEED = Number(process.env.BERTH_FUZZ_SEED || 17)

let fresh: FreshDatabase
let api: TestApi
let server: http.Server
const failures: unknown[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  const log = { error: (...said: unknown[]) => void failures.push(said) }
  api = await openTestApi(fresh.url, {
    log: pino({ level: 'error' }, { write: (line) => void failures.push(line.slice(0, 1_500)) }),
  })
  await putHost(api.database, smallHost())
  await api.settle()
  const proxies = trustedProxies('')
  server = frontServer(
    { doors: api.doors, proxies, publicUrl: null, readiness: async () => ({ reason: null, checks: [] }), log },
    { isDev: false, answer: (_, response) => response.end() },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await api.close()
  await fresh.drop()
})

const bodyOf = (body: Buffer | null) => (body === null ? {} : { body: new Uint8Array(body) })

test('hostile calls are refused, and none of them fails', async () => {
  const { port } = server.address() as net.AddressInfo
  const rng = seeded(SEED)
  const broken: string[] = []
  let good = 0
  for (let n = 0; n < CALLS; n++) {
    const cookie = api.cookie((['viewer', 'support', 'operator', 'admin'] as const)[Math.floor(rng() * 4)] ?? 'viewer')
    const { method, path, headers, body } = nextAttack({ rng, cookie, token: 'nobody', ids: [hostId(1)] })
    if (['TRACE', 'CONNECT'].includes(method)) continue
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\t\x20-\x7e]+$/.test(value)))
    const told = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: sent,
      redirect: 'manual',
      ...bodyOf(body),
    })
    const text = await told.text()
    if (told.ok) good++
    if (told.status >= 500 || /"httpStatus":5\d\d/.test(text)) {
      broken.push(
        `${n}: ${method} ${path.slice(0, 200)} ${body?.toString().slice(0, 200) ?? ''} → ${text.slice(0, 300)}`,
      )
    }
  }
  expect({ broken, failures }).toEqual({ broken: [], failures: [] })
  // An attack that reaches nothing proves nothing.
  expect(good).toBeGreaterThan(CALLS / 20)
})
