import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import { answerCloudAction, endCloudAction, startCloudAction } from './action'
import { addCloud } from './cloud'
import { readDrainTries, startCloudDrain } from './drain'

const database = onFreshDatabase(connectDatabase)
const attribution = { actor: { who: 'olga', request: 'r1', reason: 'new memory' }, at: Date.UTC(2026, 10, 25, 12) }

test('the tries of a drain tell a failure from a call without an answer', async () => {
  const [cloud, drain] = [randomUUID(), randomUUID()]
  await addCloud(database, { id: cloud, name: 'east', settings: {}, secret: Buffer.from('s') }, attribution)
  await startCloudDrain(database, { id: drain, cloud, host: 'cmp1', cold: false, most: 1 }, attribution)
  const tried = async (subject: string, state: 'accepted' | 'unanswered' | 'refused' | null) => {
    const followed = { input: { host: 'cmp2' } }
    const action = { id: randomUUID(), cloud, verb: 'live-migrate', subject, name: subject, followed, drain }
    const id = await startCloudAction(database, { ...action, call: 'nova POST /a', body: null }, attribution)
    if (id === null) throw new Error('The drain has ended.')
    const answer = { id, says: String(state), novaRequest: null, sentAt: null }
    if (state !== null) await answerCloudAction(database, { ...answer, state }, attribution)
    return id
  }
  const end = (id: string, state: 'done' | 'failed') =>
    endCloudAction(database, { id, state, says: 'as read' }, attribution)
  await end(await tried('accepted', 'accepted'), 'failed')
  await end(await tried('lost', 'unanswered'), 'failed')
  await end(await tried('late', 'unanswered'), 'done')
  await end(await tried('killed', null), 'failed')
  await tried('refused', 'refused')
  await tried('waiting', 'unanswered')
  const tries = await readDrainTries(database, drain)
  expect(Object.fromEntries(tries.map(({ subject, did }) => [subject, did]))).toEqual({
    ...{
      accepted: 'failed',
      lost: 'unanswered',
      late: 'done',
      killed: 'unanswered',
      refused: 'failed',
      waiting: 'open',
    },
  })
  expect(tries.every(({ host }) => host === 'cmp2')).toBe(true)
})
