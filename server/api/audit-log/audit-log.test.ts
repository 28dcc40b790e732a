import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { AuditLogField } from '@/lists/audit-log'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { putHost } from '../../store/testing/records'
import { HOST, openTestApi, PASSWORD } from '../testing/api'
import type { AuditLogEntry } from './router'

const api = onFreshDatabase(openTestApi)
let host: string
beforeAll(async () => {
  await putHost(api.database, smallHost())
  await api.settle()
  host = (await api.as('operator').host.list({})).rows[0]!.id
})

type AuditLogFilter = { key: AuditLogField; any: string[] }[]
const entries = async (where: AuditLogFilter = []): Promise<readonly AuditLogEntry[]> =>
  (await api.as('support').auditLog.list({ where, limit: 500, offset: 0 })).rows

test('a write records its author, role, session, subject and reason', async () => {
  await api.as('operator').host.setScheduling({ id: host, scheduling: 'disabled', reason: 'new firmware' })
  const [entry] = await entries([{ key: 'action', any: ['host.scheduling'] }])
  expect(entry).toMatchObject({
    ...{ outcome: 'done', who: 'the_operator', role: 'operator', reason: 'new firmware' },
    hosts: [{ id: host }],
    credential: expect.stringMatching(/^session [0-9a-f-]{36}$/),
    request: expect.any(String),
  })
})

test('the log has forbidden and refused calls, but none that fails its schema', async () => {
  await expect(api.as('viewer').host.setScheduling({ id: host, scheduling: 'disabled', reason: 'x' })).rejects.toThrow()
  const unknown = randomUUID()
  await expect(
    api.as('operator').host.setScheduling({ id: unknown, scheduling: 'disabled', reason: 'x' }),
  ).rejects.toThrow()
  await expect(
    api.as('operator').host.setScheduling({ id: 'none', scheduling: 'disabled', reason: 'x' }),
  ).rejects.toThrow()
  await expect(api.signedOut().host.list({})).rejects.toThrow()
  const refused = await entries([
    { key: 'outcome', any: ['refused'] },
    { key: 'action', any: ['host.setScheduling'] },
  ])
  expect(refused.map(({ who, procedure, data }) => [who, procedure, data.code])).toEqual([
    ['the_operator', 'host.setScheduling', 'NOT_FOUND'],
    ['the_viewer', 'host.setScheduling', 'FORBIDDEN'],
  ])
})

const signIn = (username: string, password: string, cookie = '') =>
  api.endpoints.auth(
    new Request(`http://${HOST}/api/auth/sign-in/username`, {
      method: 'POST',
      headers: { host: HOST, cookie, 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' },
      body: JSON.stringify({ username, password }),
    }),
  )

test('the log has sign-ins with their address, and does not repeat unknown usernames', async () => {
  await signIn('the_support', PASSWORD)
  await signIn('the_support', 'guessed wrong', api.cookie('operator'))
  await signIn('hunter2-typed-in-the-wrong-field', 'guessed wrong')
  const found = await entries([{ key: 'from', any: ['192.0.2.*'] }])
  expect(found.map(({ action, who, outcome }) => [action, who, outcome])).toEqual([
    ['session.sign-in-refused', 'unknown user', 'refused'],
    ['session.sign-in-refused', 'the_support', 'refused'],
    ['session.signed-in', 'the_support', 'done'],
  ])
  const { rows } = await api.database.pool.query(
    'select count(*)::int as n from audit_entry where data::text || who ~ $1',
    ['hunter2'],
  )
  expect(rows[0].n).toBe(0)
})

test('entries on accounts and tokens have before, after and reason, and never a secret', async () => {
  const admin = api.as('admin')
  const made = await admin.user.create({
    ...{
      username: 'nadia',
      name: 'Nadia',
      email: 'nadia@berth.test',
      role: 'viewer',
      password: 'opens nothing at all',
    },
  })
  await admin.user.setRole({ id: made.id, role: 'operator', reason: 'joins the night shift' })
  await admin.user.setPassword({ id: made.id, password: 'opens something else' })
  const { token } = await admin.token.create({ name: 'nova', role: 'operator', days: 30, reason: 'the new region' })
  await admin.token.revoke({ name: 'nova', reason: 'leaked' })
  await admin.user.remove({ id: made.id, reason: 'left' })
  const found = await entries([{ key: 'who', any: ['the_admin'] }])
  expect(found.map(({ action, subject, reason }) => [action, subject, reason])).toEqual([
    ['user.removed', 'nadia', 'left'],
    ['token.revoked', 'nova', 'leaked'],
    ['token.created', 'nova', 'the new region'],
    ['user.password', 'nadia', null],
    ['user.role', 'nadia', 'joins the night shift'],
    ['user.created', 'nadia', null],
  ])
  expect(found[4]?.data).toMatchObject({ before: 'viewer', after: 'operator' })
  const { rows } = await api.database.pool.query<{ text: string }>(
    'select string_agg(e::text, $1) as text from audit_entry e',
    [''],
  )
  expect(rows[0]?.text).not.toMatch(new RegExp([token, 'opens nothing', 'opens something'].join('|')))
})

test('an admin lists and ends sessions, and an ended session is signed out at once', async () => {
  const admin = api.as('admin')
  const [support] = (await admin.user.list()).filter(({ username }) => username === 'the_support')
  const sessions = await admin.user.sessions({ id: support!.id })
  expect(sessions.map(({ address }) => address)).toContain('192.0.2.7')
  const one = sessions.find(({ address }) => address === '192.0.2.7')!
  expect(await admin.user.endSessions({ id: support!.id, session: one.id, reason: 'unknown device' })).toEqual({
    ended: 1,
  })
  await expect(admin.user.endSessions({ id: support!.id, session: one.id, reason: 'again' })).rejects.toThrow(
    /no session/,
  )
  await expect(admin.user.remove({ id: (await admin.session.me()).user.id, reason: 'x' })).rejects.toThrow(
    /your own account/,
  )
})

test('the log filters by time and refuses an invalid one', async () => {
  const all = await entries()
  const early = await entries([{ key: 'before', any: ['2001-01-01'] }])
  expect(new Set(early.map(({ who }) => who))).toEqual(new Set(['a test']))
  const late = await entries([{ key: 'after', any: ['2001-01-01T00:00'] }])
  expect(new Set([...late, ...early].map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)))
  expect(late.length + early.length).toBe(all.length)
  await expect(entries([{ key: 'after', any: ['yesterday'] }])).rejects.toThrow(/such as 2026-11-25/)
  // The second would be left out, and the page would show entries that it excludes.
  const two = ['2001-01-01', '2026-01-01'].map((time) => ({ key: 'after' as const, any: [time] }))
  await expect(entries(two)).rejects.toThrow(/one time in UTC/)
  await expect(api.as('viewer').auditLog.list({})).rejects.toThrow(/needs support/)
})
