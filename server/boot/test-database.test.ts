import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { migrate } from './migrate'
import { type FreshDatabase, freshDatabase } from './test-database'

const opened: FreshDatabase[] = []
const open = async () => {
  const database = await freshDatabase()
  opened.push(database)
  return database
}
const ask = async (url: string, sql: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

afterAll(() => Promise.all(opened.map((database) => database.drop())))

test('a fresh database has every migration', async () => {
  const { url } = await open()
  expect(await migrate(url)).toEqual([])
})

test('two fresh databases are isolated from each other', async () => {
  const [one, two] = await Promise.all([open(), open()])
  await ask(one.url, 'create table mine (id int)')
  expect(await ask(one.url, "select to_regclass('mine') is not null as there")).toEqual([{ there: true }])
  expect(await ask(two.url, "select to_regclass('mine') is not null as there")).toEqual([{ there: false }])
})

test('dropping a database disconnects its clients', async () => {
  const { url, drop } = await freshDatabase()
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // the test expects the connection to be terminated
  await client.connect()
  await drop()
  await expect(ask(url, 'select 1')).rejects.toMatchObject({ code: '3D000' })
  await client.end().catch(() => {})
})
