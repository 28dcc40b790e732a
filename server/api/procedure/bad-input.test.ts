import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { putHost, rowCounts } from '../../store/testing/records'
import type { ErrorView } from '../refusal/view'
import { appRouter } from '../router'
import { openTestApi } from '../testing/api'

// For any invalid input, a procedure reports the errors and changes nothing. Every procedure gets the same invalid
// inputs, and then its own specific ones.

const api = onFreshDatabase(openTestApi)
beforeAll(async () => {
  await putHost(api.database, smallHost())
  await api.settle()
})

interface ErrorAnswer {
  readonly code: string
  readonly message: string
  readonly berth: ErrorView
}

/** As an admin over HTTP, where the error is what a client sees. */
async function send(path: string, input: unknown, type = typeOf(path)): Promise<ErrorAnswer | null> {
  const url = new URL(`http://berth.test/api/trpc/${path}`)
  const body = JSON.stringify(input)
  if (type === 'query' && body !== undefined) url.searchParams.set('input', body)
  const headers = { host: 'berth.test', cookie: api.cookie('admin'), 'content-type': 'application/json' }
  const init = type === 'query' ? { headers } : { method: 'POST', headers, body: body ?? null }
  const response = await api.endpoints.trpc(new Request(url, init))
  const answer = await response.json()
  if (!answer.error) return null
  const { message, data } = answer.error
  return { code: data.code, message, berth: data.berth }
}

const RULES = {
  ...{
    policy: 'pack',
    limits: { perSource: 1, perTarget: 1, fleet: 1 },
    confirmWindowMs: null,
    secondPerson: [],
    foreignInstances: 'refuse',
  },
  ...{ readAt: null, reason: 'x' },
}

const definitions = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: string; inputs: unknown[] } }
>
const typeOf = (path: string) => definitions[path]!._def.type
const withInput = Object.keys(definitions).filter(
  (path) => definitions[path]!._def.inputs.length > 0 && typeOf(path) !== 'subscription',
)

const HUGE = 'x'.repeat(20_000)
const RUBBISH: readonly (readonly [title: string, input: unknown])[] = [
  ['a number', 7],
  ['a text', 'hello'],
  ['a list', [1, 2, 3]],
  ['null', null],
  ['an unknown key', { nonsense: true }],
  ['a number for an id', { id: 7 }],
  ['an invalid id', { id: 'not-a-uuid' }],
  ['an id in upper case', { id: randomUUID().toUpperCase() }],
  ['a huge text', { id: HUGE, q: HUGE, reason: HUGE, name: HUGE }],
  ['text with a NUL', { id: 'a\u0000b', q: 'a\u0000b', name: 'a\u0000b' }],
  ['a prototype', JSON.parse('{"__proto__": {"id": "x"}, "constructor": "y"}')],
  ['deep nesting', JSON.parse(`${'{"id":'.repeat(500)}1${'}'.repeat(500)}`)],
]

describe.each(withInput)('%s', (path) => {
  test.each(RUBBISH)('refuses %s and changes nothing', async (_title, input) => {
    const before = await rowCounts(api.database)
    const error = await send(path, input)
    expect(error?.code).toBe('BAD_REQUEST')
    expect(error?.berth).toMatchObject({ code: 'input.bad', notChanged: 'Nothing was changed.' })
    expect(error?.berth.requestId).toBeTruthy()
    expect(error?.berth.next).toBeTruthy()
    expect(error?.berth.refusals.length).toBeGreaterThan(0)
    expect(error?.message.length).toBeLessThan(500)
    expect(await rowCounts(api.database)).toEqual(before)
  })
})

const id = randomUUID()
const build = { name: 'web-1', project: 'shop', flavor: 'm1', image: 'debian' }

test.each<[path: string, input: unknown, code: string, says: RegExp]>([
  // unknown things
  ['host.byId', { id }, 'NOT_FOUND', /no host/],
  ['host.map', { id }, 'NOT_FOUND', /no host/],
  ['cloud.byId', { id }, 'NOT_FOUND', /no cloud/],
  ['cloud.hosts', { id }, 'NOT_FOUND', /no cloud/],
  ['cloud.change', { id, mayAct: true, reason: 'x' }, 'NOT_FOUND', /no cloud/],
  ['cloud.remove', { id, reason: 'x' }, 'NOT_FOUND', /no cloud/],
  ['cloudAction.offers', { id, kind: 'image', subject: 'x' }, 'BAD_REQUEST', /expected a kind/],
  ['cloudAction.explain', { id, verb: 'delete', subject: 'x' }, 'BAD_REQUEST', /expected an action/],
  ['cloudAction.explain', { id, verb: 'stop', subject: 'x' }, 'NOT_FOUND', /no cloud/],
  ['cloudAction.request', { id, verb: 'stop', subject: 'x', print: 'p', reason: 'x' }, 'NOT_FOUND', /no cloud/],
  ['cloudAction.fence', { id, host: 'x', fenced: true, reason: 'x' }, 'NOT_FOUND', /no cloud/],
  ['cloudDrain.plan', { id, host: 'x', cold: true, most: 0 }, 'BAD_REQUEST', /at least one/],
  ['cloudDrain.plan', { id, host: 'x', cold: true, most: 1 }, 'NOT_FOUND', /no cloud/],
  ['cloudDrain.start', { id, host: 'x', cold: true, most: 1, reason: 'x' }, 'NOT_FOUND', /no cloud/],
  ['cloudDrain.stop', { id, host: 'x', reason: 'x' }, 'NOT_FOUND', /no cloud/],
  ['host.claims', { id }, 'NOT_FOUND', /no host/],
  ['host.consequences', { id, action: 'down' }, 'NOT_FOUND', /no host/],
  ['host.fence', { id, reason: 'x' }, 'NOT_FOUND', /no host/],
  ['host.setStatus', { id, status: 'down', reason: 'cable' }, 'NOT_FOUND', /no host/],
  ['host.setScheduling', { id, scheduling: 'disabled', reason: 'x' }, 'NOT_FOUND', /no host/],
  ['instance.byId', { id }, 'NOT_FOUND', /no instance/],
  ['instance.delete', { id }, 'NOT_FOUND', /no instance/],
  ['instance.build', build, 'NOT_FOUND', /no flavor m1/],
  ['migration.byId', { id }, 'NOT_FOUND', /no migration/],
  ['migrate.explain', { for: 'migrate', instance: id, operation: 'resize' }, 'NOT_FOUND', /no instance/],
  ['migrate.explain', { for: 'build', flavor: 'm1', image: 'debian' }, 'NOT_FOUND', /no flavor/],
  ['migrate.plan', { for: 'migrate', instance: id, operation: 'resize', host: id }, 'NOT_FOUND', /no host/],
  ['explain.get', { flavor: 'm1' }, 'NOT_FOUND', /no flavor m1/],
  ['explain.get', {}, 'BAD_REQUEST', /expected a flavor, a shape/],
  ['explain.get', { shape: { vcpus: 0, memoryMib: 1, diskGib: 0, extraSpecs: {} } }, 'BAD_REQUEST', /from 1 to/],
  ['explain.nearest', { flavor: 'm1' }, 'NOT_FOUND', /no flavor m1/],
  ['explain.trees', { flavor: 'm1' }, 'NOT_FOUND', /no flavor m1/],
  ['explain.host', { flavor: 'm1', host: id }, 'NOT_FOUND', /no host/],
  ['device.byUnit', { host: id, unit: 'cpu:1' }, 'NOT_FOUND', /no host/],
  ['device.byUnit', { host: id, unit: 'the first one' }, 'BAD_REQUEST', /such as cpu:12/],
  ['capacity.fitCount', { flavor: 'm1' }, 'NOT_FOUND', /no flavor m1/],
  ['capacity.fitCount', {}, 'BAD_REQUEST', /a flavor, or a shape in its place/],
  ['capacity.fitCount', { shape: { vcpus: 0, memoryMib: 1, diskGib: 0, extraSpecs: {} } }, 'BAD_REQUEST', /vCPUs/],
  ['ledger.list', { at: -1 }, 'BAD_REQUEST', /a time after 1970/],
  ['past.map', { id, at: 1 }, 'NOT_FOUND', /no host/],
  ['past.hosts', { at: 1 }, 'BAD_REQUEST', /a time after/],
  ['migrate.start', { instance: id, operation: 'live-migrate' }, 'NOT_FOUND', /no instance/],
  ['migrate.start', { instance: id, operation: 'resize', flavor: 'none' }, 'NOT_FOUND', /no flavor/],
  ['migrate.start', { instance: id, operation: 'rebuild', image: 'none' }, 'NOT_FOUND', /no image/],
  ['finding.byId', { id }, 'NOT_FOUND', /no finding/],
  ['finding.audit', { host: id }, 'NOT_FOUND', /no host/],
  ['heal.byId', { id }, 'NOT_FOUND', /no repair/],
  ['heal.applyParts', { id, parts: [1], reason: 'x' }, 'NOT_FOUND', /no repair/],
  ['heal.undo', { id }, 'NOT_FOUND', /no repair/],
  ['heal.plan', { findings: [id] }, 'CONFLICT', /no longer exists/],
  ['proposal.create', { host: id, status: 'lost', reason: 'x' }, 'NOT_FOUND', /no host/],
  ['proposal.decide', { id, approve: true, reason: 'x' }, 'NOT_FOUND', /no approval request/],
  ['simulator.fault', { do: 'kill', host: id }, 'NOT_FOUND', /no host/],
  ['simulator.fault', { do: 'dirty-rate', instance: id, bytesPerS: 1 }, 'NOT_FOUND', /no instance/],
  ['user.setRole', { id: 'nobody', role: 'viewer', reason: 'x' }, 'NOT_FOUND', /no user/],
  ['user.remove', { id, reason: 'x' }, 'NOT_FOUND', /no user/],
  ['user.sessions', { id }, 'NOT_FOUND', /no user/],
  ['user.endSessions', { id, session: null, reason: 'x' }, 'NOT_FOUND', /no user/],
  ['token.revoke', { name: 'nobody', reason: 'x' }, 'NOT_FOUND', /no valid token/],
  ['user.setPassword', { id: 'nobody', password: 'long enough for it' }, 'NOT_FOUND', /no user/],
  // words that do not exist
  ['host.list', { sort: 'colour' }, 'BAD_REQUEST', /expected one of name/],
  ['host.list', { status: ['lost', 'asleep'] }, 'BAD_REQUEST', /expected one of up/],
  ['host.setStatus', { id, status: 'asleep' }, 'BAD_REQUEST', /expected one of up/],
  ['host.setScheduling', { id, scheduling: 'quarantined' }, 'BAD_REQUEST', /enabled, disabled/],
  ['instance.list', { vmState: 'active' }, 'BAD_REQUEST', /expected a list/],
  ['migration.list', { view: 'lost' }, 'BAD_REQUEST', /expected one of flight/],
  ['migration.requestAction', { ids: [id], requestedAction: 'hurry' }, 'BAD_REQUEST', /expected one of abort/],
  ['migrate.start', { instance: id, operation: 'teleport' }, 'BAD_REQUEST', /expected one of live-migrate/],
  ['migrate.explain', { for: 'fun' }, 'BAD_REQUEST', /migrate or build/],
  ['finding.list', { kind: ['gremlin'] }, 'BAD_REQUEST', /expected one of over-capacity/],
  ['finding.drift', {}, 'BAD_REQUEST', /a host or an instance/],
  ['finding.deviceDrift', {}, 'BAD_REQUEST', /a host or an instance/],
  ['simulator.fault', { do: 'take-device', host: id, unit: 'pci:0000:3b:02.1' }, 'NOT_FOUND', /no host/],
  ['simulator.fault', { do: 'keep-attached', host: id, unit: 'the first' }, 'BAD_REQUEST', /such as cpu:12/],
  [
    'finding.setRule',
    { kind: 'orphan-claim', on: true, dailyCap: -1, reason: 'x' },
    'BAD_REQUEST',
    /repairs a day, a whole number from 0 to/,
  ],
  ['finding.setRule', { kind: 'orphan-claim', on: true, dailyCap: 1 }, 'BAD_REQUEST', /expected a reason/],
  ['setting.setRules', { ...RULES, policy: 'tallest' }, 'BAD_REQUEST', /expected one of spread/],
  [
    'setting.setRules',
    { ...RULES, limits: { ...RULES.limits, fleet: 0 } },
    'BAD_REQUEST',
    /of the fleet, a whole number from 1 to/,
  ],
  ['setting.setRules', { ...RULES, confirmWindowMs: 1 }, 'BAD_REQUEST', /one minute or more/],
  ['setting.setRules', { ...RULES, secondPerson: ['reboot'] }, 'BAD_REQUEST', /expected one of lost/],
  ['setting.setRules', { ...RULES, reason: '' }, 'BAD_REQUEST', /expected a reason/],
  ['heal.plan', { findings: [] }, 'BAD_REQUEST', /at least one/],
  ['heal.plan', { findings: Array(201).fill(id) }, 'BAD_REQUEST', /at most 200/],
  ['heal.applyParts', { id, parts: [0], reason: 'x' }, 'BAD_REQUEST', /number of a part/],
  ['heal.applyParts', { id, parts: [1] }, 'BAD_REQUEST', /expected a reason/],
  ['proposal.list', { state: 'lost' }, 'BAD_REQUEST', /expected one of open/],
  ['simulator.fault', { do: 'explode', host: id }, 'BAD_REQUEST', /one of the faults/],
  ['user.create', { username: 'a', role: 'root' }, 'BAD_REQUEST', /3 to 30/],
  // numbers out of bounds
  ['host.list', { limit: 2001 }, 'BAD_REQUEST', /from 0 to 2000/],
  ['host.list', { offset: -1 }, 'BAD_REQUEST', /from 0/],
  ['instance.list', { limit: 1.5 }, 'BAD_REQUEST', /whole number/],
  ['instance.list', { limit: '10' }, 'BAD_REQUEST', /whole number/],
  ['event.list', { before: '-1' }, 'BAD_REQUEST', /event sequence/],
  ['event.list', { before: '9'.repeat(40) }, 'BAD_REQUEST', /event sequence/],
  ['event.since', { after: 'now' }, 'BAD_REQUEST', /event sequence/],
  ['simulator.fault', { do: 'bandwidth', host: id, bytesPerS: -5 }, 'BAD_REQUEST', /bytes per second/],
  // lists and texts
  ['migration.requestAction', { ids: [], requestedAction: 'abort' }, 'BAD_REQUEST', /at least one/],
  ['migration.requestAction', { ids: Array(201).fill(id), requestedAction: 'abort' }, 'BAD_REQUEST', /at most 200/],
  ['migration.requestAction', { ids: [id], requestedAction: 'force-complete' }, 'BAD_REQUEST', /expected a reason/],
  ['migration.requestAction', { ids: [id], requestedAction: 'abort', reason: '' }, 'BAD_REQUEST', /expected a reason/],
  [
    'migration.requestAction',
    { ids: [id], requestedAction: 'abort', reason: 'two\nlines' },
    'BAD_REQUEST',
    /on one line/,
  ],
  ['instance.build', { ...build, name: '-web' }, 'BAD_REQUEST', /letter or digit at both ends/],
  ['instance.build', { ...build, name: 'web; rm' }, 'BAD_REQUEST', /letters, digits/],
  ['instance.build', { ...build, project: ' ' }, 'BAD_REQUEST', /expected a project/],
  [
    'user.create',
    { username: 'root2', name: 'R', email: 'nowhere', role: 'viewer', password: 'x'.repeat(12) },
    'BAD_REQUEST',
    /e-mail/,
  ],
  ['user.setPassword', { id: 'x', password: 'short' }, 'BAD_REQUEST', /at least 12/],
])('%s with %j is refused', async (path, input, code, says) => {
  const before = await rowCounts(api.database)
  const error = await send(path, input)
  expect({ code: error?.code, message: error?.message }).toEqual({ code, message: expect.stringMatching(says) })
  expect(error?.berth.what).toBe(error?.message)
  expect(await rowCounts(api.database)).toEqual(before)
})

test('a requested action for an unknown migration gets a refusal of its own', async () => {
  const [result] = await api.as('operator').migration.requestAction({ ids: [id], requestedAction: 'abort' })
  expect(result).toMatchObject({ id, acceptedAt: null, refusal: { kind: 'unknown' } })
})

test('a list without filters needs no input', async () => {
  expect(await send('host.list', undefined)).toBeNull()
  expect(await send('instance.list', undefined)).toBeNull()
})

test.each<[title: string, request: () => Request, status: number, code: string]>([
  ['malformed JSON', () => post('user.setRole', '{"id":'), 400, 'input.unreadable'],
  [
    'a form',
    () => post('user.setRole', 'id=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    415,
    'input.media-type',
  ],
  ['a query for a mutation', () => get('user.setRole'), 405, 'input.method'],
  ['an unknown procedure', () => get('host.explode'), 404, 'input.no-procedure'],
  [
    'a write from another site',
    () => post('user.setRole', '{}', { origin: 'https://evil.test' }),
    403,
    'auth.forbidden',
  ],
  ['a read from another site', () => get('session.me', { 'sec-fetch-site': 'cross-site' }), 403, 'auth.forbidden'],
])('%s is refused before any procedure runs', async (_title, request, status, code) => {
  const response = await api.endpoints.trpc(request())
  const { error } = await response.json()
  expect({ status: response.status, code: error.data.berth.code }).toEqual({ status, code })
  expect(JSON.stringify(error)).not.toMatch(/node_modules|\.ts:\d/)
})

test('a body beyond the limit is refused before it is read', async () => {
  const body = JSON.stringify({ id: 'x'.repeat(300_000) })
  const response = await api.endpoints.trpc(post('user.setRole', body, { 'content-length': String(body.length) }))
  expect(response.status).toBe(413)
})

const base = () => ({ host: 'berth.test', cookie: api.cookie('admin'), 'content-type': 'application/json' })
const get = (path: string, headers = {}) =>
  new Request(`http://berth.test/api/trpc/${path}`, { headers: { ...base(), ...headers } })
const post = (path: string, body: string, headers = {}) =>
  new Request(`http://berth.test/api/trpc/${path}`, { method: 'POST', body, headers: { ...base(), ...headers } })
