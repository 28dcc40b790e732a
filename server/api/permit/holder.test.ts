import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { createToken } from '../../store/placement/token'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import { build, putHost } from '../../store/testing/records'
import { HOST, openTestApi } from '../testing/api'

// An operator in one zone, by a session, by a token and as the scheduler sees it.

const api = onFreshDatabase(openTestApi)
const hosts: Record<string, HostId> = {}
let instance: InstanceId

beforeAll(async () => {
  for (const [n, zone] of [
    [1, 'az1'],
    [2, 'az1'],
    [3, 'az2'],
    [4, 'az2'],
  ] as const) {
    const { id, name } = await putHost(api.database, { ...smallHost({ n, cells: 2, cores: 8 }), zone })
    hosts[name] = id
  }
  instance = await build(api.database, hosts.h1!, { name: 'web-1' })
  await api.database.pool.query("update instance set vm_state = 'active' where id = $1", [instance])
  await api.settle()
})

const admin = () => api.as('admin')
const holder = () => api.holder('viewer', 'operator@zone:az1')
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => 'DONE',
    (error: { code?: string; message: string }) => `${error.code} ${error.message}`,
  )

test('a grant takes effect with the next request of a session, and the audit log has the old one', async () => {
  const users = await admin().user.list()
  const { id } = users.find(({ username }) => username === 'the_viewer')!
  const status = { id: hosts.h1!, status: 'down', reason: 'cable' } as const
  expect(await failure(api.as('viewer').host.setStatus(status))).toBe(
    'FORBIDDEN Your role is viewer; this needs operator.',
  )
  await admin().user.setGrants({ id, grants: ['operator@zone:az1'], reason: 'night shift' })
  expect((await api.as('viewer').session.me()).grants).toEqual([
    { role: 'operator', scope: { kind: 'zone', name: 'az1' } },
  ])
  expect(await failure(api.as('viewer').host.setStatus(status))).toBe('DONE')
  expect(await failure(api.as('viewer').host.setStatus({ ...status, status: 'up' }))).toBe('DONE')
  expect(await failure(api.as('viewer').host.setStatus({ ...status, id: hosts.h3! }))).toBe(
    'FORBIDDEN Your role operator applies to zone az1; h3 is in zone az2.',
  )
  await admin().user.setGrants({ id, grants: [], reason: 'day shift' })
  expect(await failure(api.as('viewer').host.setStatus(status))).toMatch(/^FORBIDDEN/)
  const { rows } = await api.database.pool.query(
    `select data->'before' as before, data->'after' as after, reason from audit_entry
     where action = 'user.grants' order by id`,
  )
  expect(rows).toEqual([
    { before: [], after: ['operator@zone:az1'], reason: 'night shift' },
    { before: ['operator@zone:az1'], after: [], reason: 'day shift' },
  ])
})

test.each([
  [['operator@zone:nowhere'], /there is no zone nowhere/],
  [['operator@cloud:west'], /there is no cloud west/],
  [['viewer@zone:az1'], /expected a role and a part of the fleet/],
  [['operator@zone:az1', 'support@zone:az1'], /at most one role in each part/],
])('%j cannot be granted', async (grants, says) => {
  const [user] = await admin().user.list()
  expect(await failure(admin().user.setGrants({ id: user!.id, grants, reason: 'r' }))).toMatch(says)
})

test('a token with a grant writes in its scope by REST, reads everything, and writes nowhere else', async () => {
  const token = randomBytes(32).toString('base64url')
  const made = { id: randomUUID(), name: 'az1-bot', role: 'viewer', project: '', token, expiresAt: null }
  await createToken(api.database, { ...made, grants: ['operator@zone:az1'], ...TEST_ATTRIBUTION })
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'x-auth-token': token, 'content-type': 'application/json', host: HOST }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await api.endpoints.rest(new Request(`http://${HOST}/api/v1${path}`, init))
    return { status: answer.status, body: await answer.json() }
  }
  const off = { scheduling: 'disabled', reason: 'r' }
  expect(await ask('PUT', `/hosts/${hosts.h4}/scheduling`, off)).toMatchObject({
    status: 403,
    body: { code: 'auth.forbidden', what: 'Your role operator applies to zone az1; h4 is in zone az2.' },
  })
  expect((await ask('PUT', `/hosts/${hosts.h2}/scheduling`, off)).status).toBe(200)
  expect((await ask('PUT', `/hosts/${hosts.h2}/scheduling`, { ...off, scheduling: 'enabled' })).status).toBe(200)
  expect((await ask('GET', '/hosts')).body.total).toBe(4)
  expect((await ask('GET', '/users')).status).toBe(403)
  await api.settle()
})

test('hosts outside the scope refuse in the matrix as in the claim, with the reason', async () => {
  const { hosts: rows } = await holder().migrate.explain({ for: 'migrate', instance, operation: 'live-migrate' })
  const verdicts = Object.fromEntries(
    rows.map(({ host, verdict, reasons }) => [host.name, { verdict, have: reasons[0]?.have }]),
  )
  const outside = (name: string) => ({
    verdict: 'refused',
    have: `your role operator applies to zone az1; ${name} is in zone az2`,
  })
  expect(verdicts).toMatchObject({ h2: { verdict: 'ok' }, h3: outside('h3'), h4: outside('h4') })
  const everywhere = await api.as('operator').migrate.explain({ for: 'migrate', instance, operation: 'live-migrate' })
  expect(everywhere.hosts.filter(({ verdict }) => verdict === 'ok')).toHaveLength(3)
})

test('the scheduler chooses hosts inside the scope, and names those outside when none inside fits', async () => {
  await admin().host.setScheduling({ id: hosts.h2!, scheduling: 'disabled', reason: 'r' })
  await api.settle()
  const request = { instance, operation: 'live-migrate' } as const
  expect(await failure(holder().migrate.start(request))).toMatch(/^CONFLICT .*h3, h4 outside of your scope/)
  await admin().host.setScheduling({ id: hosts.h2!, scheduling: 'enabled', reason: 'r' })
  await api.settle()
  const { migration } = await holder().migrate.start(request)
  const { rows } = await api.database.pool.query('select requested_target as target from migration where id = $1', [
    migration,
  ])
  expect(rows).toEqual([{ target: hosts.h2 }])
})

test('a run keeps the scope of its author when replanned, and its author cannot start one over all hosts', async () => {
  const drain = { kind: 'drain', host: hosts.h1!, fallback: 'cold', helpers: true, reason: 'r' } as const
  const { run } = await holder().run.plan(drain)
  const targets = async (id: string) => (await admin().run.byId({ id })).migrations.map(({ to }) => to?.name ?? null)
  const detail = await holder().run.byId({ id: run })
  expect(detail).toMatchObject({ within: ['zone:az1'], permitted: { start: { ok: true } } })
  await admin().run.control({ id: run, do: 'replan' })
  expect((await targets(run)).every((name) => name === null || name === 'h2')).toBe(true)

  const whole = await api.as('operator').run.plan(drain)
  expect(await failure(holder().run.start({ id: whole.run, reason: 'r' }))).toBe(
    'FORBIDDEN Your role operator applies to zone az1; a plan over all hosts needs it everywhere.',
  )
  expect((await holder().run.byId({ id: whole.run })).permitted).toMatchObject({
    start: { ok: false, why: expect.stringMatching(/a plan over all hosts/) },
  })
})

test('a role in one part of the fleet approves nothing in another', async () => {
  const { proposal } = await api.as('support').proposal.create({ host: hosts.h3!, status: 'down', reason: 'r' })
  const decide = { id: proposal, approve: true, reason: 'r' }
  expect(await failure(holder().proposal.decide(decide))).toMatch(/^FORBIDDEN .*h3 is in zone az2/)
  const seen = await holder().proposal.list()
  expect(seen.find(({ id }) => id === proposal)?.permit).toMatchObject({ ok: false })
  const supporter = api.holder('viewer', 'support@zone:az2')
  expect(await failure(supporter.proposal.decide(decide))).toMatch(/^CONFLICT/)
  const there = api.holder('viewer', 'operator@zone:az2')
  expect(await there.proposal.decide(decide)).toMatchObject({ state: 'approved' })
})
