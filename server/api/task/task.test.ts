import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { buildFailed, built } from '../../engine/lifecycle'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import { answerCloudAction, endCloudAction, startCloudAction } from '../../store/cloud/action'
import { addCloud, noteCloudCall } from '../../store/cloud/cloud'
import { endCloudDrain, startCloudDrain } from '../../store/cloud/drain'
import { fenceHost } from '../../store/cloud/fence'
import { commit } from '../../store/commit/commit'
import { endFencing, noteOrder, startFencing } from '../../store/fencing/fencing'
import { readInstanceView } from '../../store/migration/view'
import { noteSurvey } from '../../store/survey/survey'
import { buildOf, present, putHost } from '../../store/testing/records'
import { openTestApi, type TestApi } from '../testing/api'

// Requests, who made them, and their results.

const [HERE, THERE] = [hostId(1), hostId(2)]

const api = onFreshDatabase(openTestApi)
let instance: string
beforeAll(async () => {
  for (const n of [1, 2]) await putHost(api.database, smallHost({ n }))
  await noteSurvey(
    api.database,
    [HERE, THERE].map((host) => ({ host, at: Date.now(), guests: [] })),
  )
  const change = buildOf(await present(api.database, HERE), { flavor: pinned(2), name: 'web-1' })
  await commit(api.database, change)
  instance = change.event.instance ?? ''
  const view = await readInstanceView(api.database, change.event.instance!)
  await commit(api.database, built(view!, { actor: { who: 'conductor', request: null, reason: null }, at: Date.now() }))
  await api.settle()
})

const tasks = async (input: Parameters<ReturnType<TestApi['as']>['task']['list']>[0] = {}) =>
  (await api.as('viewer').task.list(input)).rows

test('a task shows its author, subject, reason and result', async () => {
  const operator = api.as('operator')
  await operator.host.setScheduling({ id: THERE, scheduling: 'disabled', reason: 'new firmware' })
  await operator.host.setScheduling({ id: THERE, scheduling: 'enabled' })
  const { migration } = await operator.migrate.start({ instance, operation: 'cold-migrate', reason: 'make room' })
  await api.settle()
  const [moved, enabled, disabled] = await tasks()
  expect(moved).toMatchObject({
    ...{ action: 'migration.accepted', operation: 'cold-migrate', migration, reason: 'make room' },
    ...{ result: 'running', endedAt: null, instance: { name: 'web-1' }, who: expect.any(String) },
  })
  expect(enabled).toMatchObject({ action: 'host.scheduling', to: 'enabled', result: 'completed', reason: null })
  expect(disabled).toMatchObject({ to: 'disabled', reason: 'new firmware', hosts: [{ id: THERE }] })
  expect(disabled!.endedAt).toBe(disabled!.requestedAt)
})

test('a migration without an audit entry is a task too, and one with an entry is one task', async () => {
  const all = (await tasks()).filter(({ action }) => action === 'migration.accepted')
  expect(all).toHaveLength(1)
  // Deletes the event as retention would.
  await api.database.pool.query(`begin; set local berth.audit_retention = 'on';
    delete from audit_entry where action = 'migration.accepted'; commit`)
  expect((await tasks())[0]).toMatchObject({ operation: 'cold-migrate', who: all[0]!.who, reason: 'make room' })
})

test('an abort runs until the migration ends, and failed if it ended otherwise', async () => {
  const { migration } = (await tasks())[0]!
  await api.as('operator').migration.requestAction({ ids: [migration!], requestedAction: 'abort', reason: 'too late' })
  await api.settle()
  const abort = async () => (await tasks()).find(({ requestedAction }) => requestedAction === 'abort')
  expect(await abort()).toMatchObject({ action: 'migration.action-requested', result: 'running', endedAt: null })
  const waits = (waiting: object | null) =>
    api.database.pool.query('update migration set waiting = $1 where id = $2', [waiting, migration])
  const moved = async () => (await tasks()).find(({ operation }) => operation)
  await waits({ for: 'repair', law: 'claims', why: 'no claim' })
  expect(await moved()).toMatchObject({ result: 'blocked', why: 'no claim', endedAt: null })
  expect(await abort()).toMatchObject({ result: 'blocked', why: 'no claim', endedAt: null })
  expect(await tasks({ where: [{ key: 'result', any: ['blocked'] }] })).toHaveLength(2)
  await waits({ for: 'host', host: THERE, why: 'no answer' })
  expect(await moved()).toMatchObject({ result: 'waiting' })
  expect(await abort()).toMatchObject({ result: 'waiting' })
  // An abort replaces confirm and revert, so its request does not wait for them.
  await waits({ for: 'person' })
  expect(await moved()).toMatchObject({ result: 'waiting' })
  expect(await abort()).toMatchObject({ result: 'running' })
  await waits(null)
  const end = (outcome: string) =>
    api.database.pool.query("update migration set outcome = $1, step = 'ended', ended_at = now() where id = $2", [
      ...[outcome, migration],
    ])
  await end('completed')
  expect(await abort()).toMatchObject({ result: 'failed', endedAt: expect.any(Number) })
  await end('aborted')
  expect(await abort()).toMatchObject({ result: 'completed' })
  expect((await tasks()).find(({ operation }) => operation)).toMatchObject({ result: 'aborted' })
})

test('a power request ends with the event that carries it out, which is no separate task', async () => {
  const { pool } = api.database
  const at = (s: number) => new Date(Date.now() + s * 1_000)
  const entry = (action: string, when: Date) =>
    pool.query(
      `insert into audit_entry (at, who, request, action, hosts, instance_id, data)
       values ($1, 'ada', 'r-1', $2, '{}', $3, '{"action": "stop", "why": "no answer"}')`,
      [when, action, instance],
    )
  await entry('instance.power-requested', at(1))
  const stop = async () => (await tasks()).filter(({ to }) => to === 'stop')
  expect(await stop()).toMatchObject([{ result: 'unknown' }])
  await entry('instance.power-failed', at(3))
  await pool.query(
    `insert into event (sequence, kind, hosts, instance_id, data, raised, who, at)
     values (9000000, 'instance.power-failed', '{}', $1, '{"why": "no answer"}', '{}', 'ada', $2)`,
    [instance, at(3)],
  )
  const [stopped, ...others] = await stop()
  expect(stopped).toMatchObject({ result: 'failed', why: 'no answer' })
  expect(Math.round((stopped!.endedAt! - stopped!.requestedAt) / 1_000)).toBe(2)
  expect(others).toEqual([])
})

test('the list leaves out writes of Placement clients', async () => {
  const before = (await api.as('viewer').task.list({})).total
  await api.database.pool.query(
    `insert into audit_entry (at, who, action, hosts, data) select now(), 'nova', 'placement.allocated', '{}', '{}'
     from generate_series(1, 50)`,
  )
  expect((await api.as('viewer').task.list({})).total).toBe(before)
})

test('the list filters by kind, user, object and result, and sorts', async () => {
  const found = async (key: 'task' | 'who' | 'host' | 'instance' | 'result' | 'text', ...any: string[]) =>
    (await tasks({ where: [{ key, any }] })).map(({ action }) => action)
  expect(await found('task', 'cold-migrate')).toEqual(['migration.accepted'])
  expect(await found('task', 'host.*')).toEqual(['host.scheduling', 'host.scheduling'])
  expect(await found('who', 'ada')).toEqual(['instance.power-requested'])
  expect(await found('instance', 'web-*')).toEqual([
    ...['instance.power-requested', 'migration.action-requested', 'migration.accepted', 'instance.claimed'],
  ])
  expect(await found('result', 'failed')).toEqual(['instance.power-requested'])
  expect((await found('host', smallHost({ n: 2 }).name)).slice(-2)).toEqual(['host.scheduling', 'hosts.put'])
  expect(await found('text', 'nobody-of-this-name')).toEqual([])
  const sorted = await tasks({ order: [{ by: 'result', dir: 'asc' }], limit: 2 })
  expect(sorted.map(({ result }) => result)).toEqual(['aborted', 'completed'])
  const paged = await tasks({ offset: 1, limit: 1 })
  expect(paged.map(({ id }) => id)).toEqual([(await tasks())[1]!.id])
})

test('a failed build shows its reason, as a task and on its instance', async () => {
  const change = buildOf(await present(api.database, HERE), { flavor: pinned(1), name: 'web-2' })
  await commit(api.database, change)
  const view = await readInstanceView(api.database, change.event.instance!)
  const attribution = { actor: { who: 'conductor', request: null, reason: null }, at: Date.now() }
  await commit(api.database, buildFailed(view!, attribution, 'the disk is open elsewhere'))
  await api.settle()
  const [failed] = await tasks({ where: [{ key: 'instance', any: ['web-2'] }] })
  expect(failed).toMatchObject({ action: 'instance.claimed', result: 'failed', why: 'the disk is open elsewhere' })
  const caller = api.as('viewer').instance
  const { id } = (await caller.list({ q: 'web-2' })).rows[0]!
  expect((await caller.byId({ id })).buildFailure).toMatchObject({ why: 'the disk is open elsewhere' })
  expect((await caller.byId({ id: instance })).buildFailure).toBeNull()
})

test('an action of a cloud runs until a read shows its result, and a refused one failed', async () => {
  const { database } = api
  const cloud = randomUUID()
  const by = (reason: string) => ({
    actor: { who: 'olga', request: `r-${reason}`, reason },
    at: Date.now(),
  })
  const conductor = { actor: { who: 'conductor', request: null, reason: null }, at: Date.now() }
  await addCloud(database, { id: cloud, name: 'east', settings: {}, secret: Buffer.from('s') }, by('added'))
  const shown = async (reason: string) => {
    const [task, ...more] = await tasks({ where: [{ key: 'reason', any: [reason] }] })
    expect(more).toEqual([])
    return [task?.action, task?.result, task?.why, task?.endedAt === null]
  }
  const named = async (reason: string) => (await tasks({ where: [{ key: 'reason', any: [reason] }] }))[0]
  const requested = async (reason: string) => {
    const id = randomUUID()
    const action = { id, cloud, verb: 'stop', subject: 'i', name: 'web', followed: {}, drain: null }
    await startCloudAction(database, { ...action, call: 'nova POST /a', body: null }, by(reason))
    return { id, answer: { id, novaRequest: null, sentAt: null } }
  }
  const one = await requested('stop')
  expect(await shown('stop')).toEqual(['cloud.call', 'running', null, true])
  expect(await named('stop')).toMatchObject({ to: 'stop', subject: 'web in east' })
  expect(await tasks({ where: [{ key: 'instance', any: ['web'] }] })).toMatchObject([{ subject: 'web in east' }])
  await answerCloudAction(database, { ...one.answer, state: 'accepted', says: 'accepted' }, by('stop'))
  expect(await shown('stop')).toEqual(['cloud.call', 'running', 'accepted', true])
  await endCloudAction(database, { id: one.id, state: 'failed', says: 'web is active' }, conductor)
  expect(await shown('stop')).toEqual(['cloud.call', 'failed', 'web is active', false])
  const other = await requested('again')
  await answerCloudAction(database, { ...other.answer, state: 'refused', says: 'answers 409' }, by('again'))
  expect(await shown('again')).toEqual(['cloud.call', 'failed', 'answers 409', false])

  const data = { cloud, name: 'east', about: 'db', call: 'placement POST /allocations', body: null }
  await noteCloudCall(database, { kind: 'cloud.call', data }, by('repair'))
  expect(await shown('repair')).toEqual(['cloud.call', 'unknown', null, true])
  expect(await named('repair')).toMatchObject({ subject: 'db in east' })
  await noteCloudCall(database, { kind: 'cloud.called', data: { ...data, did: 'refused', says: 'no' } }, by('repair'))
  expect(await shown('repair')).toEqual(['cloud.call', 'failed', 'no', false])

  const drain = randomUUID()
  await startCloudDrain(database, { id: drain, cloud, host: 'cmp1', cold: true, most: 1 }, by('drain'))
  expect(await shown('drain')).toEqual(['cloud.drain-started', 'running', null, true])
  expect(await named('drain')).toMatchObject({ to: null, subject: 'cmp1 in east' })
  await endCloudDrain(database, { id: drain, state: 'left', says: 'web stays' }, conductor)
  expect(await shown('drain')).toEqual(['cloud.drain-started', 'failed', 'web stays', false])

  await fenceHost(database, { cloud, host: 'cmp1', since: 1 }, by('fence'))
  const { rows: entries } = await api.as('support').auditLog.list({ limit: 100 })
  const ofCloud = entries.filter(({ action }) => /^cloud\.(?!added)/.test(action))
  expect(new Set(ofCloud.map(({ subject }) => subject))).toEqual(new Set(['web in east', 'db in east', 'cmp1 in east']))
})

test('fencing runs until its end, and is completed only if the machine reported off', async () => {
  const { database } = api
  const by = (reason: string) => ({ actor: { who: 'olga', request: `r-${reason}`, reason }, at: Date.now() })
  for (const [state, result] of [
    ['verified', 'completed'],
    ['unverified', 'unknown'],
    ['failed', 'failed'],
  ] as const) {
    const id = randomUUID()
    const shown = async () => {
      const [task, ...more] = await tasks({ where: [{ key: 'reason', any: [`fence ${state}`] }] })
      expect(more).toEqual([])
      return [task?.action, task?.result, task?.why, task?.endedAt === null]
    }
    const asked = { id, host: THERE, method: 'redfish', approved: null, deadlineAt: Date.now() + 60_000 } as const
    await startFencing(database, { ...asked, ...by(`fence ${state}`) })
    await noteOrder(database, { id, says: 'power-off ordered', orders: 0, ...by(`fence ${state}`) })
    expect(await shown()).toEqual(['fencing.asked', 'running', 'power-off ordered', true])
    await endFencing(database, { id, state, says: 'the end', ...by(`fence ${state}`) })
    expect(await shown()).toEqual(['fencing.asked', result, 'the end', false])
  }
})

// Last, because the others search all tasks.
test('a history of more tasks than are searched is read to its end, page by page, in both orders', async () => {
  const earlier = await api.as('viewer').task.list({})
  const start = Date.UTC(2100, 0)
  await api.database.pool.query(
    `insert into audit_entry (at, who, action, hosts, data)
     select to_timestamp($1::float8 / 1000 + n), 'ada', 'host.status', '{}', '{}' from generate_series(1, 10005) n`,
    [start],
  )
  const all = earlier.total + 10_005
  const page = (offset: number, dir?: 'asc' | 'desc') =>
    api.as('viewer').task.list({ offset, limit: 5, ...(dir && { order: [{ by: 'at', dir }] }) })
  const { rows, total } = await page(9_995)
  expect(rows).toHaveLength(5)
  expect(total).toBeGreaterThan(10_000)
  const [end, sorted, newest] = [await page(all - 2), await page(all - 2, 'desc'), await page(all - 2, 'asc')]
  expect(end).toMatchObject({ total: all, rows: earlier.rows.slice(-2) })
  expect(sorted).toEqual(end)
  expect(newest.rows.map(({ requestedAt }) => requestedAt - start)).toEqual([10_004_000, 10_005_000])
})
