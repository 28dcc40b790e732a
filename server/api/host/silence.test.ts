import { beforeAll, expect, test } from 'vitest'
import { UNREAD_HOST_FILTERS } from '@/lists/host'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import { putFlavors, putSetting } from '../../store/catalog/policy'
import { noteSurvey } from '../../store/survey/survey'
import { putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// An operator sets the status. Whether the host answers is shown beside it wherever it matters, and changes no
// decision.

const [ANSWERS, SILENT, DOWN, NEVER] = [hostId(1), hostId(2), hostId(3), hostId(4)]
const AT = Date.now()

const api = onFreshDatabase(openTestApi)
beforeAll(async () => {
  for (const n of [1, 2, 4]) await putHost(api.database, smallHost({ n }))
  await putHost(api.database, smallHost({ n: 3, frame: { status: 'down' } }))
  await putFlavors(api.database, [pinned(2, {}, { name: 'small' })])
  await putSetting(api.database, 'images', [{ name: 'debian', properties: {} }])
  await noteSurvey(api.database, [{ host: SILENT, at: AT, guests: [] }])
  await noteSurvey(api.database, [
    { host: ANSWERS, at: AT + 1, guests: [] },
    { host: SILENT, at: AT + 1, guests: null, silence: 'connection refused' },
    { host: DOWN, at: AT + 1, guests: null },
  ])
  await api.settle()
})

const viewer = () => api.as('viewer')
const found = async (any: string[], not = false) => {
  const { rows } = await viewer().host.list({ sort: 'name', where: [{ key: 'state', any, not }] } as never)
  return rows.map(({ id }) => id)
}

test('list and host page show the same contact as the overview, and keep the recorded status', async () => {
  const expected = [
    { id: ANSWERS, status: 'up', contact: 'answering' },
    { id: SILENT, status: 'up', contact: 'silent' },
    { id: DOWN, status: 'down', contact: null },
    { id: NEVER, status: 'up', contact: 'never-answered' },
  ]
  expect((await viewer().host.list({ sort: 'name' })).rows).toMatchObject(expected)
  expect((await viewer().overview.get()).hosts).toMatchObject(expected)
  expect(await viewer().host.byId({ id: SILENT })).toMatchObject({
    status: 'up',
    contact: 'silent',
    silence: 'connection refused',
  })
})

test('the status filter finds silent hosts', async () => {
  expect(await found(['silent'])).toEqual([SILENT])
  expect(await found(['silent', 'down'])).toEqual([SILENT, DOWN])
  expect(await found(['silent'], true)).toEqual([ANSWERS, DOWN, NEVER])
})

test('a host that never answered is up nowhere: list, filter, search, metrics, overview', async () => {
  expect(await found(['up'])).toEqual([ANSWERS, SILENT])
  expect(await found(['never-answered'])).toEqual([NEVER])
  const { hosts } = await viewer().search.find({ q: 'h4' })
  expect(hosts).toMatchObject([{ id: NEVER, contact: 'never-answered' }])
  const { attention } = await viewer().overview.get()
  expect(attention.filter(({ kind }) => kind === 'host-never-answered')).toMatchObject([{ host: { id: NEVER } }])
  expect(await api.as('support').run.evacuation({ host: NEVER })).toMatchObject({ contact: 'never-answered' })
  await noteSurvey(api.database, [{ host: NEVER, at: AT, guests: null }])
  expect(await viewer().host.byId({ id: NEVER })).toMatchObject({ contact: 'never-answered', lastSeenAt: null })
})

test('a silent host keeps its verdict, with the time of its last answer beside it', async () => {
  const ask = { for: 'build', flavor: 'small', image: 'debian' } as const
  const { hosts } = await api.as('support').migrate.explain(ask)
  expect(hosts.find(({ host }) => host.id === SILENT)).toMatchObject({ verdict: 'ok' })
  const plan = (host: string) => api.as('support').migrate.plan({ ...ask, host } as never)
  expect(await plan(SILENT)).toMatchObject({ verdict: { verdict: 'ok' }, silence: { since: AT } })
  expect(await plan(ANSWERS)).toMatchObject({ verdict: { verdict: 'ok' }, silence: null })
  expect(await plan(NEVER)).toMatchObject({ verdict: { verdict: 'ok' }, silence: { since: null } })
  const why = await api.as('support').explain.host({ flavor: 'small', host: SILENT })
  expect(why).toMatchObject({ verdict: { verdict: 'ok' }, silence: { since: AT } })
})

test('a host recorded down that still answers says so wherever it can be declared dead, and may still be fenced', async () => {
  const evacuation = () => api.as('support').run.evacuation({ host: DOWN })
  const asked = (action: 'up' | 'down' | 'fenced', id = DOWN) => api.as('support').host.consequences({ id, action })
  expect(await evacuation()).toMatchObject({ contact: null })
  expect(await asked('fenced')).toMatchObject({ answeredAt: null })
  await noteSurvey(api.database, [{ host: DOWN, at: AT + 2, guests: [] }])
  expect(await evacuation()).toMatchObject({ status: 'down', contact: 'answering', lastSeenAt: AT + 2 })
  expect(await viewer().host.byId({ id: DOWN })).toMatchObject({ status: 'down', contact: 'answering' })
  expect(await asked('fenced')).toMatchObject({ permit: { ok: false }, answeredAt: AT + 2 })
  expect(await asked('up')).toMatchObject({ answeredAt: null })
  expect(await asked('fenced', ANSWERS)).toMatchObject({ answeredAt: AT + 1 })
  expect(await asked('fenced', SILENT)).toMatchObject({ answeredAt: null })
  expect(await found(['down'])).toEqual([DOWN])
  const { attention } = await viewer().overview.get()
  expect(attention.find(({ kind }) => kind === 'host-down')).toMatchObject({ host: { id: DOWN }, answers: true })
})

test('a past row claims no silence, because contact has no history', async () => {
  const row = (await viewer().past.hosts({ at: AT + 60_000 })).rows.find(({ id }) => id === SILENT)
  expect(row).toMatchObject({ status: 'up', contact: null, lastSeenAt: null })
})

test('the audit status counts the hosts that its links list, also those recorded down', async () => {
  const [downAnswers, downNever, gone] = [hostId(5), hostId(6), hostId(7)]
  for (const n of [5, 6]) await putHost(api.database, smallHost({ n, frame: { status: 'down' } }))
  await putHost(api.database, smallHost({ n: 7, frame: { status: 'lost' } }))
  await noteSurvey(api.database, [{ host: DOWN, at: AT + 3, guests: [] }])
  await noteSurvey(api.database, [
    { host: downAnswers, at: AT + 1, guests: [] },
    { host: DOWN, at: AT + 4, guests: null },
    { host: gone, at: AT + 1, guests: null },
  ])
  await api.settle()
  const status = await viewer().finding.status()
  for (const part of ['silent', 'neverAnswered'] as const) {
    const where = UNREAD_HOST_FILTERS[part].map(({ key, any }) => ({ key, any: [...any] }))
    const { rows } = await viewer().host.list({ sort: 'name', where })
    expect(rows.map(({ id }) => id)).toEqual(status[part].map(({ id }) => id))
  }
  expect(status.silent.map(({ id }) => id)).toEqual([SILENT, DOWN])
  expect(status.neverAnswered.map(({ id }) => id)).toEqual([NEVER, downNever])
})
