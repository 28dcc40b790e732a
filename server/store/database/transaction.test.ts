import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from './database'
import { inTransaction } from './transaction'

const database = onFreshDatabase((options) => connectDatabase({ ...options, connections: 1 }))

const pidNow = async () => (await database.pool.query<{ pid: number }>('select pg_backend_pid() pid')).rows[0]?.pid

const raised = (code: string) => `do $$ begin raise exception 'no' using errcode = '${code}'; end $$`
const FAILURES: readonly [what: string, sql: string, code: string, keeps: boolean][] = [
  ['syntax', 'selekt 1', '42601', true],
  ['a division by zero', 'select 1 / 0', '22012', true],
  [
    'a duplicate row',
    'do $$ begin create temp table t (id int unique); insert into t values (1), (1); end $$',
    '23505',
    true,
  ],
  ['a serialization failure', raised('40001'), '40001', true],
  ['a timeout', raised('57014'), '57014', true],
  ['a read-only server', 'do $$ begin set transaction read only; create table refused (); end $$', '25006', false],
  ['a full disk', raised('53100'), '53100', false],
  ['an unknown prepared statement', raised('26000'), '26000', false],
  ['a terminated connection', 'select pg_terminate_backend(pg_backend_pid())', '57P01', false],
]

// The pool's own discards the connection after every failure, and a new one costs more than most statements.
describe.each<[string, (sql: string) => Promise<unknown>]>([
  ['alone', (sql) => database.pool.query(sql)],
  ['in a transaction', (sql) => inTransaction(database, (client) => client.query(sql))],
  ['of Prisma', (sql) => database.prisma.$executeRawUnsafe(sql)],
])('a statement %s', (_, run) => {
  test.each(FAILURES)(
    'that fails with %s discards its connection only if that is broken',
    async (_what, sql, code, keeps) => {
      const before = await pidNow()
      const failure = await run(sql).catch((error: unknown) => error)
      expect(JSON.stringify(failure)).toContain(code)
      expect((await pidNow()) === before).toBe(keeps)
    },
  )
})

test('a prepared statement on an altered table fails at most once', async () => {
  const { pool } = database
  const ask = () => pool.query({ name: 'of a table', text: 'select * from changed' })
  await pool.query('create table changed (a int)')
  await ask()
  await pool.query('alter table changed add b int')
  await ask().catch(({ code }: { code: string }) => expect(code).toBe('0A000'))
  expect((await ask()).fields).toHaveLength(2)
  await pool.query('drop table changed')
})

test('cutting a connection at any time fails only the work that uses it', async () => {
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
