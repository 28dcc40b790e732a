import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate'
import { onFreshDatabase, openClient } from './on-fresh-database'

// Databases older than the squash of the schema's steps into two migrations.

const MIGRATIONS = path.join(import.meta.dirname, '../../prisma/migrations')
const TWO = ['20261124224001_schema', '20261124224002_checks'] as const
const RECORDS = `create table _prisma_migrations (id varchar(36) primary key, checksum varchar(64) not null,
  finished_at timestamptz, migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`

const database = onFreshDatabase(openClient, { each: true })
beforeEach(async () => {
  const { client } = database
  // The schema after the last step, without later migrations.
  await client.query('drop schema public cascade; create schema public')
  for (const name of TWO) await client.query(fs.readFileSync(path.join(MIGRATIONS, name, 'migration.sql'), 'utf8'))
  await client.query(RECORDS)
})

async function recordedSteps(...steps: readonly string[]): Promise<void> {
  await database.client.query('delete from _prisma_migrations')
  for (const step of steps) {
    await database.client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values (gen_random_uuid(), 'old', $1, now())`,
      [step],
    )
  }
}

const names = async () => {
  const { rows } = await database.client.query('select migration_name as name from _prisma_migrations order by 1')
  return rows.map(({ name }) => name)
}

const LATER = fs.readdirSync(MIGRATIONS).filter((name) => /^\d+_/.test(name) && name > TWO[1])

const FIRST = '20261121050000_books'
const LAST = '20261124224000_tasks'
test('a database with every earlier migration is recorded as having the two squashed ones', async () => {
  await recordedSteps(FIRST, LAST)
  await database.client.query(`insert into trait (name) values ('CUSTOM_KEPT')`)
  expect(await migrate(database.url)).toEqual(LATER)
  expect(await names()).toEqual([...TWO, ...LATER])
  expect((await database.client.query(`select from trait where name = 'CUSTOM_KEPT'`)).rowCount).toBe(1)
  expect(await migrate(database.url)).toEqual([])
})

test('a database with only some earlier migrations is refused with a message and left unchanged', async () => {
  await recordedSteps(FIRST, '20261122018600_event_of_layout')
  await expect(migrate(database.url)).rejects.toThrow(/earlier Berth, up to migration 20261122018600.*was not changed/)
  expect(await names()).toEqual([FIRST, '20261122018600_event_of_layout'])
})

test('a last migration that failed does not count as applied', async () => {
  await recordedSteps(FIRST, LAST)
  await database.client.query('update _prisma_migrations set finished_at = null where migration_name = $1', [LAST])
  await expect(migrate(database.url)).rejects.toThrow(/was not changed/)
})

test('a custom resource class is numbered after every standard one', async () => {
  const { rows } = await database.client.query(
    `insert into resource_class (name) values ('CUSTOM_LATER') returning ordinal`,
  )
  const { rows: standard } = await database.client.query(
    `select max(ordinal) as last from resource_class where name not like 'CUSTOM%'`,
  )
  expect(rows[0].ordinal).toBeGreaterThan(standard[0].last)
})
