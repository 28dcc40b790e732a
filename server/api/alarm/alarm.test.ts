import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { RaisedAlarm } from '../../engine/alarm/alarms'
import { smallHost } from '../../engine/testing/hosts'
import { noteAlarms } from '../../store/alarm/alarm'
import { listDeliveries } from '../../store/alarm/delivery'
import { noteSurvey } from '../../store/survey/survey'
import { putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'
import { alarmFacts } from './facts'

const api = onFreshDatabase(openTestApi)
const raised = (name: string): RaisedAlarm => ({
  ...{ kind: 'host-silent', severity: 'critical', id: name, name, says: `Host ${name} does not answer.` },
})
const note = (...names: readonly string[]) =>
  noteAlarms(api.database, names.map(raised), {
    ...{ at: api.services.now(), newId: randomUUID },
    deliveries: () => [{ channel: 'webhook', body: {} }],
  })
beforeEach(() => api.database.pool.query('delete from alarm_delivery; delete from alarm; delete from alarm_mute'))

test('an open alarm is listed with its title, and counted until it is acknowledged', async () => {
  await note('h-07', 'h-08')
  const { rows, channels } = await api.as('viewer').alarm.list()
  expect(rows.map(({ name, title, isMuted }) => [name, title, isMuted])).toEqual(
    expect.arrayContaining([['h-07', 'Host unreachable', false]]),
  )
  expect(channels).toEqual(['webhook'])
  expect(await api.as('viewer').alarm.counts()).toEqual({ critical: 2, warning: 0 })
  const [first] = rows
  const asked = { ids: [first?.id ?? ''], reason: 'I look' }
  expect(await api.as('support').alarm.acknowledge(asked)).toEqual({ ids: asked.ids })
  expect(await api.as('viewer').alarm.counts()).toEqual({ critical: 1, warning: 0 })
  await expect(api.as('support').alarm.acknowledge(asked)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a muted alarm says so, is not sent, and is unmuted once', async () => {
  const { id } = await api.as('support').alarm.mute({ kind: 'host-silent', subject: null, hours: 1, reason: 'a test' })
  await note('h-07')
  const { rows, mutes } = await api.as('viewer').alarm.list()
  expect(rows).toMatchObject([{ name: 'h-07', isMuted: true }])
  expect(mutes).toMatchObject([{ id, title: 'Host unreachable', by: 'the_support', reason: 'a test' }])
  expect(await listDeliveries(api.database, 10)).toEqual([])
  await api.as('support').alarm.unmute({ id, reason: 'over' })
  await expect(api.as('support').alarm.unmute({ id, reason: 'over' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

describe('a test alarm', () => {
  test('is queued only by an admin and only for a configured channel', async () => {
    const { id } = await api.as('admin').alarm.test({ channel: 'webhook', reason: 'new receiver' })
    expect(await api.as('viewer').alarm.deliveries()).toMatchObject([
      { id, event: 'test', channel: 'webhook', name: null },
    ])
    const refused = api.as('admin').alarm.test({ channel: 'mail', reason: 'new receiver' })
    await expect(refused).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

test('alarms use the facts of the console: a host that answered before and is silent now', async () => {
  const host = smallHost()
  await putHost(api.database, host)
  await api.settle()
  const at = Date.now()
  await noteSurvey(api.database, [{ host: host.id, at: at - 1_000, guests: [] }])
  expect((await alarmFacts(api.services)).silent).toEqual([])
  await noteSurvey(api.database, [{ host: host.id, at, guests: null }])
  expect((await alarmFacts(api.services)).silent).toEqual([{ id: host.id, name: host.name }])
  await api.as('operator').host.setStatus({ id: host.id, status: 'down', reason: 'no answer' })
  await api.settle()
  expect(await alarmFacts(api.services)).toMatchObject({ silent: [], down: [{ id: host.id, name: host.name }] })
})
