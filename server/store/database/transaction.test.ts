import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from './database'
import { inTransaction } from './transaction'

const database = onFreshDatabase((options) => connectDatabase({ ...options, connections: 1 }))

const pidNow = async () => (await database.pool.query<{ pid: number }>('select pg_backend_pid() pid')).rows[0]?.pid

test('a connection to a server that only lets read is not used again', async () => {
  const before = await pidNow()
  await expect(
    inTransaction(database, async (client) => {
      await client.query('set transaction read only')
      await client.query('create table refused ()')
    }),
  ).rejects.toMatchObject({ code: '25006' })
  expect(await pidNow()).not.toBe(before)
})

test('a connection whose statement was refused for another reason is', async () => {
  const before = await pidNow()
  await expect(inTransaction(database, (client) => client.query('select 1 / 0'))).rejects.toMatchObject({
    code: '22012',
  })
  expect(await pidNow()).toBe(before)
})
