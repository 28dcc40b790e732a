import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { addStandardTraits } from './standard-traits'

const MIGRATIONS = path.join(import.meta.dirname, '../../prisma/migrations')
const FUNCTIONS = path.join(import.meta.dirname, '../../prisma/functions')
const PRISMA_LOCK = 72707369 // the advisory lock `prisma migrate` takes: several copies of Berth may start at the same time

/** The last schema step before the squash into two migrations. */
const LAST_STEP = '20261124224000_tasks'
const SQUASHED = ['20261124224001_schema', '20261124224002_checks']

interface PrismaMigration {
  readonly migration_name: string
  readonly checksum: string
  readonly finished_at: Date | null
}

/**
 * Applies prisma/migrations in order, each in a transaction, and records them as `prisma migrate deploy` does, so that
 * both work on one database. Then updates the functions. Returns the names it applied. Sends each file whole: a
 * function's body may contain semicolons.
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // the statement rejects
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [PRISMA_LOCK])
    const recorded = await readBaselined(client)
    const due = migrationNames().filter((name) => isDue(name, recorded.get(name)))
    for (const name of due) await apply(client, name)
    await applyFunctions(client, due.length > 0)
    await proveChecks(client)
    await addStandardTraits(client, process.env.BERTH_STANDARD_TRAITS)
    return due
  } finally {
    await client.end() // also releases the lock
  }
}

function migrationNames(): string[] {
  if (!fs.existsSync(MIGRATIONS)) return []
  const folders = fs.readdirSync(MIGRATIONS, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map((entry) => entry.name).sort()
}

function readSql(name: string): string {
  return fs.readFileSync(path.join(MIGRATIONS, name, 'migration.sql'), 'utf8')
}

function checksumOf(name: string): string {
  return createHash('sha256').update(readSql(name)).digest('hex')
}

function isDue(name: string, recorded: PrismaMigration | undefined): boolean {
  if (!recorded) return true
  if (!recorded.finished_at) {
    throw new Error(`Migration ${name} failed earlier. Repair the database, then use \`prisma migrate resolve\`.`)
  }
  if (recorded.checksum !== checksumOf(name)) throw new Error(`Migration ${name} was edited after it was applied.`)
  return false
}

async function readRecorded(client: pg.Client): Promise<Map<string, PrismaMigration>> {
  await client.query(`create table if not exists _prisma_migrations (
    id varchar(36) primary key,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0)`)
  const { rows } = await client.query<PrismaMigration>(
    'select migration_name, checksum, finished_at from _prisma_migrations where rolled_back_at is null',
  )
  return new Map(rows.map((row) => [row.migration_name, row]))
}

/**
 * Before the first release all steps were squashed into two migrations that create the same schema. A database that
 * applied every step is recorded as having both; one that stopped in between cannot be upgraded from here.
 */
async function readBaselined(client: pg.Client): Promise<Map<string, PrismaMigration>> {
  const recorded = await readRecorded(client)
  if (recorded.size === 0 || SQUASHED.some((name) => recorded.has(name))) return recorded
  const unknown = [...recorded.keys()].sort().at(-1)
  if (!recorded.get(LAST_STEP)?.finished_at) {
    throw new Error(
      `This database was made by an earlier Berth, up to migration ${unknown}, and was not changed. ` +
        `Start the last Berth that has migration ${LAST_STEP} on it once, then this one; or name an empty database.`,
    )
  }
  await client.query('begin')
  await client.query('delete from _prisma_migrations where migration_name <= $1', [LAST_STEP])
  for (const name of SQUASHED) await record(client, name)
  await client.query('commit')
  return readRecorded(client)
}

async function apply(client: pg.Client, name: string): Promise<void> {
  await client.query('begin')
  await client.query(readSql(name)).catch((error) => {
    throw new Error(`Migration ${name} cannot be applied: ${error.message}`, { cause: error })
  })
  await record(client, name)
  await client.query('commit')
}

async function record(client: pg.Client, name: string): Promise<void> {
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     values ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksumOf(name), name],
  )
}

const CHECK_VIOLATION = '23514'
const LOCK_LIMIT = '5s' // another copy may hold the lock; a check not validated now is validated at the next start

/**
 * Checks are added NOT VALID, so that no migration fails on an existing bad row. Those that hold for all rows are
 * validated here; the audit reports the rows that violate the rest.
 */
async function proveChecks(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint c
     where contype = 'c' and conrelid <> 0 and not convalidated
       and coalesce(to_jsonb(c) ->> 'conenforced', 'true') = 'true' -- a column since PostgreSQL 18
     order by 1, 2`,
  )
  if (rows.length > 0) await client.query(`set lock_timeout = '${LOCK_LIMIT}'`)
  for (const { table, name } of rows) {
    await client.query(`alter table ${table} validate constraint ${name}`).catch((error: { code?: string }) => {
      if (error.code !== CHECK_VIOLATION && error.code !== '55P03') throw error
    })
  }
}

/**
 * Functions are code, not history: each has one definition below prisma/functions. It is replaced when a file there or
 * a table changed, because the rules for every column of a type are there too. The digest of the installed version is
 * the comment of `commit_change`, which Prisma's diff ignores.
 */
async function applyFunctions(client: pg.Client, tablesChanged: boolean): Promise<void> {
  const files = fs.readdirSync(FUNCTIONS).filter((file) => file.endsWith('.sql'))
  const sql = files.sort().map((file) => fs.readFileSync(path.join(FUNCTIONS, file), 'utf8'))
  const digest = createHash('sha256').update(sql.join('\n')).digest('hex')
  const { rows } = await client.query<{ installed: string | null }>(
    `select obj_description(to_regprocedure('commit_change(jsonb)')) installed`,
  )
  if (rows[0]?.installed === digest && !tablesChanged) return
  await client.query('begin')
  await client.query('set local check_function_bodies = off') // they may reference each other in any order
  for (const [at, text] of sql.entries()) {
    await client.query(text).catch((error) => {
      throw new Error(`prisma/functions/${files[at]} cannot be applied: ${error.message}`, { cause: error })
    })
  }
  await client.query(`comment on function commit_change(jsonb) is '${digest}'`)
  await client.query('commit')
}
