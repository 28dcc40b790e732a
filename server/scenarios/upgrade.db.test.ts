import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi } from '../api/testing/api'
import { migrate } from '../boot/migrate'
import { type FreshDatabase, freshDatabase } from '../boot/test-database'

// Migrates the schema of a database that an earlier Berth created and used, with migrations of instances in progress:
// expand, never contract. `previous-schema.sql.gz` is pg_dump's text of the demo fleet with 6 hosts and 59 instances,
// without passwords, as Berth of 2026-11-25 left it when it was stopped.

const DUMP = path.join(import.meta.dirname, 'previous-schema.sql.gz')
const LAST_OF_DUMP = '20261125140000_audit_log'
const DUMPED_AT = Date.parse('2026-11-25T21:57:26Z') // its migrations have not advanced since

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
  await within(async (client) => {
    await client.query('drop schema public cascade; create schema public')
    await client.query(gunzipSync(fs.readFileSync(DUMP)).toString())
  })
})
afterAll(() => database?.drop())

async function within<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

interface Table {
  readonly name: string
  /** Quoted and comma-separated. */
  readonly columns: string
}

const tablesNow = (client: pg.Client): Promise<readonly Table[]> =>
  client
    .query<Table>(
      `select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> '_prisma_migrations'
       group by 1 order by 1`,
    )
    .then(({ rows }) => rows)

/** Digests of each table's rows, in the columns that it had before. */
async function rowsOf(client: pg.Client, tables: readonly Table[]): Promise<Readonly<Record<string, string>>> {
  const rows: Record<string, string> = {}
  for (const { name, columns } of tables) {
    const asked = `select count(*) || ' ' || coalesce(md5(string_agg(line, e'\\n' order by line)), '') as digest
      from (select row(${columns})::text as line from ${pg.escapeIdentifier(name)}) lines`
    rows[name] = (await client.query<{ digest: string }>(asked)).rows[0]?.digest ?? ''
  }
  return rows
}

test('a database of an earlier Berth keeps every row, and its audit has no findings', async () => {
  const tables = await within(tablesNow)
  const before = await within((client) => rowsOf(client, tables))
  expect(before.migration).toMatch(/^[1-9]/)
  const applied = await migrate(database.url)
  expect(applied.length).toBeGreaterThan(0)
  expect(applied.every((name) => name > LAST_OF_DUMP)).toBe(true)
  expect(await within((client) => rowsOf(client, tables))).toEqual(before)

  const api = await openTestApi({ url: database.url }, { now: () => DUMPED_AT })
  const { hosts, instances, byKind } = await api.as('admin').finding.audit({})
  await api.close()
  expect({ hosts, instances, byKind }).toEqual({ hosts: 6, instances: 59, byKind: [] })
})
