import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'
import { AT } from '../testing/records'
import { addDeliveries, listDeliveries, noteFailed, noteSent, takeDeliveries } from './delivery'

const database = onFreshDatabase(connectDatabase)

test('a late failure of a server whose lease had expired does not change what the next server sent', async () => {
  await addDeliveries(
    database.pool,
    [{ id: randomUUID(), alarm: null, event: 'test', channel: 'webhook', body: {} }],
    AT,
  )
  const [late] = await takeDeliveries(database, { at: AT, until: AT + 10 })
  const [next] = await takeDeliveries(database, { at: AT + 10, until: AT + 20 })
  await noteSent(database, next!.id, AT + 11)
  await noteFailed(database, { id: late!.id, attempts: late!.attempts, error: 'no answer', at: AT + 12, nextAt: null })
  const sent = { attempts: 2, sentAt: AT + 11, givenUpAt: null, error: null }
  expect(await listDeliveries(database, 1)).toMatchObject([sent])
})
