import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
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

test('a connection that is cut at any moment costs the work that had it, and nothing more', async () => {
  const { database: name } = new pg.Client({ connectionString: database.url })
  const several = connectDatabase({ url: database.url, connections: 5 })
  const ended = { done: 0, failed: 0 }
  let isOver = false
  const busy = async (work: () => Promise<unknown>) => {
    while (!isOver)
      await work().then(
        () => ended.done++,
        () => ended.failed++,
      )
  }
  const slowly = () =>
    inTransaction(several, async (client) => {
      await client.query('select 1')
      await pause(5) // it is idle now, without a query
      await client.query('select 1')
    })
  const workers = [
    ...Array.from({ length: 4 }, () => busy(slowly)),
    ...Array.from({ length: 2 }, () => busy(() => several.pool.query('select pg_sleep(0.005)'))),
    ...Array.from({ length: 2 }, () => busy(() => several.prisma.$transaction([several.prisma.$queryRaw`select 1`]))),
  ]
  for (let cut = 0; cut < 100; cut++) {
    await database.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    )
    await pause(10)
  }
  isOver = true
  await Promise.all(workers)
  expect(ended.done).toBeGreaterThan(0)
  expect(ended.failed).toBeGreaterThan(0)
  expect((await several.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await several.close()
})
