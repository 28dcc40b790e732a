import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { commit } from '../../store/commit/commit'
import { acceptMigration, build, changeOf, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// The preview reads where the action writes: a lagging fleet in memory shows nothing stale.

const HOST = hostId(1)
const api = onFreshDatabase(openTestApi)
beforeAll(async () => {
  await putHost(api.database, smallHost({ n: 1 }))
  await api.settle()
})

test('the consequences of a status are read from the database, even while the fleet in memory lags', async () => {
  const ask = () => api.as('operator').host.consequences({ id: HOST, action: 'down' })
  expect(await ask()).toMatchObject({ instances: 0, permit: { ok: true } })
  const web = await build(api.database, HOST, { name: 'web-1' })
  expect(await ask()).toMatchObject({ instances: 1 })
  const migration = await acceptMigration(api.database, web)
  const requestedAction = await api
    .as('operator')
    .migration.consequences({ ids: [migration.id], requestedAction: 'abort' })
  expect(requestedAction.permitted).toMatchObject([{ id: migration.id }])
  const down = changeOf([{ do: 'set-host', id: HOST, set: { status: 'down', reason: 'cable' } }])
  await commit(api.database, { ...down, event: { ...down.event, hosts: [HOST] } })
  expect(await ask()).toMatchObject({ permit: { ok: false, why: 'The host is down already.' } })
})

test('no event shows the id of an object that has a name', async () => {
  const other = await putHost(api.database, smallHost({ n: 2 }))
  const web = await build(api.database, other.id, { name: 'web-9' })
  const change = changeOf([])
  const data = { why: `the host did not answer on ${other.id} for ${web}`, nested: { host: other.id } }
  await commit(api.database, { ...change, event: { ...change.event, hosts: [other.id], data } })
  await api.settle()
  const [event] = await api.as('support').event.list({ host: other.id, limit: 1 })
  expect(event?.data).toEqual({ why: 'the host did not answer on h2 for web-9', nested: { host: 'h2' } })
})

test('the dialog for several migrations has each verdict of the adviser once, with its count', async () => {
  const host = await putHost(api.database, smallHost({ n: 3 }))
  const ids: string[] = []
  for (const name of ['web-3', 'web-4']) {
    const web = await build(api.database, host.id, { name })
    ids.push((await acceptMigration(api.database, web)).id)
  }
  const ask = (some: string[]) =>
    api.as('operator').migration.consequences({ ids: some, requestedAction: 'force-complete' })
  const { permitted, advice } = await ask(ids)
  expect(advice.reduce((sum, { count }) => sum + count, 0)).toBe(permitted.length)
  const abort = await api.as('operator').migration.consequences({ ids, requestedAction: 'abort' })
  expect(abort.advice).toMatchObject([{ count: 2 }])
  const [one] = (await api.as('operator').advice.migration({ id: ids[0]! })).actions.filter(
    ({ action }) => action === 'abort',
  )
  expect(abort.advice[0]).toMatchObject({ verdict: one?.verdict, because: one?.because })
})

test('plan and page of an evacuation read the database, even while the fleet in memory lags', async () => {
  const host = await putHost(api.database, smallHost({ n: 4 }))
  await api.settle()
  const down = changeOf([{ do: 'set-host', id: host.id, set: { status: 'fenced', reason: 'pulled' } }])
  await commit(api.database, { ...down, event: { ...down.event, kind: 'host.status', hosts: [host.id] } })
  expect(api.services.fleet.host(host.id)?.status).toBe('up')
  expect(await api.as('operator').run.evacuation({ host: host.id })).toMatchObject({ status: 'fenced' })
  const drain = { kind: 'drain', host: host.id, fallback: 'stay', helpers: false, reason: 'new disks' } as const
  await expect(api.as('operator').run.plan(drain)).rejects.toThrow(/fenced/)
  const { actions } = await api.as('support').advice.host({ id: host.id })
  expect(actions.find(({ action }) => action === 'mark-fenced')?.permit).toMatchObject({ ok: false })
})
