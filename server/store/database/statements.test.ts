import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase, openClient } from '../../boot/on-fresh-database'
import { statementsIn } from '../../tidy/statements'

// PostgreSQL prepares every statement of the store and reports names that the schema lacks. No statement is executed.

const STORE = path.join(import.meta.dirname, '..')
const FUNCTIONS = path.join(import.meta.dirname, '../../../prisma/functions')

const statements = statementsIn(STORE)
const known = statements.flatMap(({ file, line, text }) => (text === null ? [] : [{ file, line, text }]))

/**
 * Files with statements built at run time: conditions of lists, tables by name. The value is the test that sends them.
 */
const PUT_TOGETHER: Readonly<Record<string, string>> = {
  'audit-log/list.ts': 'api/audit-log/audit-log.test.ts',
  'audit/records.ts': 'store/host/reads.test.ts',
  'audit/sql.ts': 'store/host/reads.test.ts',
  'catalog/write.ts': 'api/catalog/catalog.test.ts',
  'claim/ledger.ts': 'api/ledger/ledger.test.ts',
  'claim/times.ts': 'api/ledger/ledger.test.ts',
  'database/condition.ts': 'api/finding/filter.test.ts',
  'database/replica.ts': 'store/database/replica.test.ts',
  'database/backup-checks.ts': 'scenarios/backup.db.test.ts',
  'event/tasks.ts': 'api/task/task.test.ts',
  'event/trail-read.ts': 'store/event/events.test.ts',
  'host/read.ts': 'store/host/reads.test.ts',
  'migration/list.ts': 'api/host/list.test.ts',
  'migration/view.ts': 'api/migration/consequences.test.ts',
  'past/past.ts': 'store/past/past.test.ts',
  'placement/allocation-write.ts': 'fleet/allocation-queue.test.ts',
  'placement/forest-read.ts': 'api/placement/candidate/candidates.test.ts',
  'placement/refused.ts': 'api/placement/allocation/claims.test.ts',
  'placement/usage.ts': 'api/placement/allocation/claims.test.ts',
  'run/write.ts': 'scenarios/drain.db.test.ts',
  'survey/survey.ts': 'store/survey/survey.test.ts',
  'view/saved-view.ts': 'api/view/view.test.ts',
}

/** Subqueries that name tables or parameters of their statement, and PostgreSQL's error for them alone. */
const INNER: Readonly<Record<string, RegExp>> = {
  'audit-log/list.ts': /^missing FROM-clause entry for table "e"$/,
  'audit/records.ts': /^missing FROM-clause entry for table "k"$/,
  'audit/sql.ts':
    /^relation "(wanted|raised|surveyed)" does not exist$|^could not determine data type of parameter \$1$/,
  'claim/ledger.ts': /^missing FROM-clause entry for table "l"$/,
  'event/tasks.ts': /^missing FROM-clause entry for table "t"$/,
  'migration/view.ts': /^missing FROM-clause entry for table "k"$/,
  'storage/shared-storage.ts': /^missing FROM-clause entry for table "p"$/,
}

/** Tables with a row or more of each instance, migration or write. */
const LARGE =
  /^(allocation|audit_entry|claim|claim_cell|consumer|event|instance|migration|migration_step|past_\w+|run_move|unit_holding)$/

/** Files whose statements may scan one of these tables, with the reason. */
const READS_ALL: Readonly<Record<string, string>> = {
  'audit/sql.ts of migration': 'the audit, which compares every record',
  'catalog/list.ts of instance': 'a person who opens the list of images',
  'migration/pending-work.ts of migration': 'a server that stops while a row violates its checks',
  'past/migration.ts of migration_step': 'a person who looks at an earlier time',
  'search/search.ts of migration': 'a person who searches',
}

const GENERIC = 'set plan_cache_mode = force_generic_plan'

/** Functions that plan their statements at each call, and why that is cheap enough. */
const SELDOM_CALLED: Readonly<Record<string, string>> = {
  placement_lock: 'once per reshape',
  recount_used: 'once per audit, of every inventory',
  relay_events: 'a few times a second, for many events',
  write_simulator: 'the simulated hypervisors, which production does not have',
}

const GENERIC_PLAN_SINCE = 160_000 // server_version_num

const database = onFreshDatabase(openClient)

/** Tables that the planner has to scan; none for a fragment of a statement. */
async function wholeReadsOf(text: string): Promise<readonly string[]> {
  const { rows } = await database.client
    .query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`)
    .catch(() => ({ rows: [] }))
  const read = rows.flatMap((row) => /Seq Scan on (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? [])
  return [...new Set(read)].filter((table) => LARGE.test(table))
}

async function refusalOf(text: string): Promise<string | null> {
  const refused = await database.client.query(`prepare statement as ${text}`).then(
    () => null,
    (error: Error) => error.message,
  )
  await database.client.query('deallocate all')
  return refused
}

describe('statements of the store', () => {
  test('are found by the test', () => {
    expect(known.length).toBeGreaterThan(200)
  })

  test('use only names in the schema', async () => {
    const refused: string[] = []
    for (const { file, line, text } of known) {
      const why = await refusalOf(text)
      if (why !== null && !INNER[file]?.test(why)) refused.push(`${file}:${line}: ${why}`)
    }
    expect(refused).toEqual([])
  })

  test('use an index, except for full reads', async ({ skip }) => {
    const { rows } = await database.client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    )
    if ((rows[0]?.version ?? 0) < GENERIC_PLAN_SINCE)
      skip('this PostgreSQL does not plan a statement without its values')
    await database.client.query('set enable_seqscan = off')
    const whole = new Set<string>()
    for (const { file, text } of known) for (const table of await wholeReadsOf(text)) whole.add(`${file} of ${table}`)
    await database.client.query('set enable_seqscan = on')
    expect([...whole].sort()).toEqual(Object.keys(READS_ALL))
  })

  test('built at run time are covered by a test', () => {
    const files = [...new Set(statements.flatMap(({ file, text }) => (text === null ? [file] : [])))]
    expect(files).toEqual(Object.keys(PUT_TOGETHER).sort())
    for (const sent of Object.values(PUT_TOGETHER)) expect(fs.existsSync(path.join(STORE, '..', sent)), sent).toBe(true)
  })

  test.each([
    ['select id from host', null],
    ['select no_such from host', /no_such/],
    ['select migrate_all($1)', /migrate_all/],
  ])('%s is parsed by the database', async (text, refused) => {
    if (refused) expect(await refusalOf(text)).toMatch(refused)
    else expect(await refusalOf(text)).toBeNull()
  })
})

describe('functions of the database', () => {
  const texts = fs.readdirSync(FUNCTIONS).map((file) => fs.readFileSync(path.join(FUNCTIONS, file), 'utf8'))
  const code = texts.join('\n').replace(/--.*$/gm, '')
  const bodies = new Map(
    code.split(/(?=^create or replace function )/m).flatMap((text) => {
      const [, name] = /^create or replace function (\w+)/.exec(text) ?? []
      return name ? [[name, text.slice(text.indexOf('('))] as const] : []
    }),
  )
  const names = [...bodies.keys()]
  const called = (text: string) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text))

  test('are all called, by the server or by another called function', () => {
    const server = path.join(STORE, '..')
    const files = fs
      .readdirSync(server, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
    const triggers = code.match(/^do \$\$[\s\S]*?^end \$\$;/gm) ?? []
    const roots = [...files.map((file) => fs.readFileSync(path.join(server, file), 'utf8')), ...triggers].join('\n')
    const used = new Set<string>()
    const use = (name: string): void => {
      if (used.has(name)) return
      used.add(name)
      for (const each of called(bodies.get(name) ?? '')) use(each)
    }
    for (const name of called(roots)) use(name)
    expect(names.filter((name) => !used.has(name))).toEqual([])
  })

  // PostgreSQL prefers to plan a look-up by an array anew at each call, and the plan then costs more than the look-up.
  test('plan their statements once per connection, except those that are seldom called', () => {
    const store = fs
      .readdirSync(STORE, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
    const source = store.map((file) => fs.readFileSync(path.join(STORE, file), 'utf8')).join('\n')
    const entries = names.filter((name) => new RegExp(`(?:select|from) ${name}\\(|'${name}'`).test(source))
    const headOf = (name: string) => (bodies.get(name) ?? '').split(/\bas \$\$/)[0] ?? ''
    const plans = entries.filter((name) => headOf(name).includes('plpgsql') && !headOf(name).includes(GENERIC))
    expect(plans.sort()).toEqual(Object.keys(SELDOM_CALLED))
  })
})
