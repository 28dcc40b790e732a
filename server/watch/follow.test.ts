import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { DEFAULT_SETTINGS, factsOf } from '../engine/cloud/facts'
import { addMigration, addServer, capture, FLAVORS, type ModelHost, newCloud } from '../engine/cloud/testing/nova-cloud'
import { answerCloudAction, readOpenCloudActions, startCloudAction } from '../store/cloud/action'
import { addCloud } from '../store/cloud/cloud'
import { connectDatabase } from '../store/database/database'
import { endingOf, followActions } from './follow'

const database = onFreshDatabase(connectDatabase)

test('an action is judged by a poll that began after its response, whatever time the poll reports', () => {
  const cloud = newCloud({ hosts: 1, shared: false, witness: false })
  const [subject = ''] = cloud.hosts.keys()
  const input = { host: null, storage: 'auto', flavor: null, state: 'active', reason: 'a test' }
  const followed = { input, sentAt: cloud.now - 5_000, lastMigration: 0, lastWritten: null, answeredAt: 1_500 }
  const row = { verb: 'disable', subject, followed, state: 'accepted', askedAt: 1_000 } as const
  // The service was enabled when it was read, and the answer is dated after the call.
  const poll = { facts: factsOf(capture(cloud), DEFAULT_SETTINGS), deadlineMs: 60_000 }

  expect(endingOf(row, { ...poll, begunAt: 1_200, now: 9_000 })).toBeNull()
  expect(endingOf(row, { ...poll, begunAt: 1_600, now: 9_000 })).toMatchObject({ state: 'failed' })
})

test.each([
  ['sending', 0, 2_400_000],
  ['unanswered', 600_000, 720_000],
] as const)('a call that may take ten minutes is not judged before it ended: %s', (state, answeredAt, ends) => {
  const cloud = newCloud({ hosts: 1, shared: false, witness: false })
  const [subject = ''] = cloud.hosts.keys()
  const input = { host: null, storage: 'auto', flavor: null, state: 'active', reason: 'a test' }
  const followed = { input, sentAt: cloud.now - 5_000, lastMigration: 0, lastWritten: null, answeredAt }
  const row = { verb: 'disable', subject, followed, state, askedAt: 0 } as const
  const facts = factsOf(capture(cloud), DEFAULT_SETTINGS)
  const endingAt = (now: number) => endingOf(row, { facts, begunAt: now - 1, now, deadlineMs: 600_000 })

  expect(endingAt(ends - 1_000)).toBeNull()
  expect(endingAt(ends + 1_000)).toMatchObject({ state: 'failed' })
})

test('an action from before the clock was set back is judged by a later poll, and not an hour later', async () => {
  const cloud = newCloud({ hosts: 1, shared: false, witness: false })
  const [subject = ''] = cloud.hosts.keys()
  const actor = { who: 'olga', request: null, reason: null }
  const now = Date.now()
  const ahead = now + 3_600_000
  const id = randomUUID()
  await addCloud(database, { id, name: 'prod', settings: {}, secret: Buffer.from('s') }, { actor, at: now })
  const input = { host: null, storage: 'auto', flavor: null, state: 'active', reason: 'a test' }
  const open = async (state: string, answeredAt: number) => {
    const followed = { input, sentAt: cloud.now - 5_000, lastMigration: 0, lastWritten: null, answeredAt }
    const action = { id: randomUUID(), cloud: id, verb: 'disable', subject, name: subject, followed }
    await startCloudAction(database, { ...action, drain: null, call: '', body: null }, { actor, at: ahead })
    await database.pool.query('update cloud_action set state = $2 where id = $1', [action.id, state])
  }
  await open('sending', 0)
  await open('unanswered', ahead + 500)
  await open('accepted', ahead + 500)

  const openAfter = async (begunAt: number, at: number) => {
    const attribution = () => ({ actor, at })
    const follower = { database, deadlineMs: 10_000, explain: async () => null, attribution }
    await followActions(follower, id, { snapshot: capture(cloud), begunAt })
    return (await readOpenCloudActions(database)).map(({ state }) => state).sort()
  }
  // A poll that was under way when the clock was set back.
  expect(await openAfter(now - 1_000, now)).toEqual(['accepted', 'sending', 'unanswered'])
  const later = Date.now() + 1_000
  expect(await openAfter(later, later + 1_000)).toEqual(['sending', 'unanswered'])
  expect(await openAfter(later + 130_000, later + 131_000)).toEqual(['sending'])
  expect(await openAfter(later + 190_000, later + 191_000)).toEqual([])
})

test('Nova is asked why an action failed by the instance, also for one of its migrations, and never by a host', async () => {
  const cloud = newCloud({ hosts: 2, shared: false, witness: false })
  const [source, target] = [...cloud.hosts.values()] as [ModelHost, ModelHost]
  const server = addServer(cloud, source, FLAVORS[0])
  const live = { type: 'live-migration', targetHost: target.name, status: 'completed' }
  const { uuid, id: lastMigration } = addMigration(cloud, server, live)
  const at = Date.now()
  const attribution = { actor: { who: 'olga', request: null, reason: null }, at }
  const id = randomUUID()
  await addCloud(database, { id, name: 'asked', settings: {}, secret: Buffer.from('s') }, attribution)
  const input = { host: null, storage: 'auto', flavor: null, state: 'error', reason: 'a test' }
  for (const [verb, subject] of [
    ['stop', server.id],
    ['abort', uuid],
    ['disable', source.name],
  ] as const) {
    const followed = { input, sentAt: cloud.now - 600_000, lastMigration, lastWritten: null }
    const action = { id: randomUUID(), cloud: id, verb, subject, name: 'web', followed, drain: null }
    await startCloudAction(database, { ...action, call: '', body: null }, attribution)
    const answer = { id: action.id, state: 'accepted', says: '', novaRequest: `req-${verb}`, sentAt: null } as const
    await answerCloudAction(database, answer, attribution)
  }
  const asked: string[] = []
  const explain = async (instance: string, request: string | null) => {
    asked.push(`${request} of ${instance}`)
    return null
  }
  const follower = { database, deadlineMs: 10_000, explain, attribution: () => ({ ...attribution, at: at + 60_000 }) }
  await followActions(follower, id, { snapshot: capture(cloud), begunAt: at + 30_000 })
  expect((await readOpenCloudActions(database)).filter((row) => row.cloud === id)).toEqual([])
  expect(asked.sort()).toEqual([`req-abort of ${server.id}`, `req-stop of ${server.id}`])
})
