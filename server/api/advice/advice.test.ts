import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import type { HostId } from '../../engine/words/ids'
import { noteSurvey } from '../../store/survey/survey'
import { acceptMigration, build, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

const api = onFreshDatabase(openTestApi)
let host: HostId
let migration: string
beforeAll(async () => {
  host = (await putHost(api.database, smallHost())).id
  const web = await build(api.database, host, { name: 'web-1' })
  migration = (await acceptMigration(api.database, web)).id
  await noteSurvey(api.database, [{ host, at: Date.now(), guests: null }])
  await api.settle()
})

test('for a silent host, waiting and marking as down are safe', async () => {
  const advice = await api.as('support').advice.host({ id: host })
  const stuck = { why: 'h1 has never answered', since: null }
  expect(advice).toMatchObject({ subject: { kind: 'host', id: host }, stuck })
  const verdicts = Object.fromEntries(advice.actions.map(({ action, verdict }) => [action, verdict]))
  expect(verdicts).toMatchObject({ wait: 'safe', 'mark-down': 'safe', 'mark-up': 'impossible' })
  expect(['unsafe', 'unknown']).toContain(verdicts['mark-fenced'])
  const down = advice.actions.find(({ action }) => action === 'mark-down')
  expect(down?.proof).toContainEqual(expect.objectContaining({ source: 'hypervisor', host: { id: host, name: 'h1' } }))
  expect(down?.permit).toEqual({ ok: true })
})

test('a status that an operator set is evidence with its time', async () => {
  await api.as('operator').host.setStatus({ id: host, status: 'down', reason: 'no ping' })
  await api.settle()
  const { actions } = await api.as('support').advice.host({ id: host })
  const proof = actions.flatMap((each) => each.proof).find(({ source }) => source === 'person')
  expect(proof).toMatchObject({ says: 'marked as down', at: expect.any(Number) })
  expect(actions.find(({ action }) => action === 'mark-down')).toMatchObject({ permit: { ok: false } })
})

test('every action of a migration has a verdict, a reason and a permit', async () => {
  const advice = await api.as('support').advice.migration({ id: migration })
  expect(advice.subject).toEqual({ kind: 'migration', id: migration, name: 'web-1' })
  const actions = advice.actions.map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['abort', 'confirm', 'revert', 'force-complete', 'wait', 'heal']))
  expect(advice.actions.every(({ because }) => because.length > 0)).toBe(true)
  expect(advice.actions.find(({ action }) => action === 'abort')?.permit.ok).toBe(false)
  const operator = await api.as('operator').advice.migration({ id: migration })
  expect(operator.actions.find(({ action }) => action === 'abort')?.permit).toEqual({ ok: true })
})

test('an impossible action is permitted to no role', async () => {
  const { actions } = await api.as('admin').advice.host({ id: host })
  const impossible = actions.filter(({ verdict }) => verdict === 'impossible')
  expect(impossible.map(({ action }) => action)).toContain('evacuate')
  expect(impossible.filter(({ permit }) => permit.ok)).toEqual([])
})

test('a host is silent since its last answer, not since the last survey', async () => {
  const other = (await putHost(api.database, smallHost({ n: 2 }))).id
  await api.settle()
  const answered = Date.now() - 60_000
  await noteSurvey(api.database, [{ host: other, at: answered, guests: [] }])
  for (const at of [answered + 10_000, answered + 20_000])
    await noteSurvey(api.database, [{ host: other, at, guests: null }])
  const { stuck } = await api.as('support').advice.host({ id: other })
  expect(stuck).toEqual({ why: 'h2 does not answer', since: answered })
})

test('advice on an unknown subject is refused', async () => {
  await expect(api.as('support').advice.migration({ id: randomUUID() })).rejects.toThrow(/no migration/)
  await expect(api.as('support').advice.host({ id: randomUUID() })).rejects.toThrow(/no host/)
})
