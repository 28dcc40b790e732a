import fc from 'fast-check'
import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase, openClient } from '../../boot/on-fresh-database'
import { readServerMajor } from './backup-checks'

// The checks of columns that a claim does not change are enforced by triggers (prisma/functions/column.sql). PostgreSQL's own
// enforcement of the same checks, on copies of the tables, is the model.

const database = onFreshDatabase(openClient)

const TABLES = ['inventory', 'resource_provider'] as const
const PROVIDER = 'aaaaaaaa-0000-4000-8000-000000000001'

interface UnenforcedCheck {
  readonly table: string
  readonly name: string
  readonly test: string
  readonly triggers: number
}

async function unenforced(): Promise<readonly UnenforcedCheck[]> {
  const { rows } = await database.client.query<UnenforcedCheck>(
    `select c.conrelid::regclass::text as table, c.conname as name, pg_get_expr(c.conbin, c.conrelid) as test,
      (select count(*)::int from pg_trigger t where t.tgrelid = c.conrelid and t.tgname = c.conname and t.tgenabled = 'O') as triggers
    from pg_constraint c where c.contype = 'c' and to_jsonb(c) ->> 'conenforced' = 'false' order by 1, 2`,
  )
  return rows
}

const UNENFORCED_SINCE = 18 // PostgreSQL's major version

const version = () => readServerMajor({ pool: database.client })

beforeAll(async () => {
  await database.client.query(
    `insert into resource_provider (id, name, root_id) values ('${PROVIDER}', 'p', '${PROVIDER}')`,
  )
  await database.client.query('create schema model')
  for (const table of TABLES) {
    await database.client.query(`create table model.${table} (like ${table} including defaults including indexes)`)
    await database.client.query(`insert into model.${table} select * from ${table}`)
  }
  for (const { table, name, test: check } of await unenforced()) {
    await database.client.query(`alter table model.${table} add constraint ${name} check (${check})`)
  }
})

const whole = fc.constantFrom('null', '-1', '0', '1', '7', '9007199254740991', '9007199254740992')
const COLUMNS: Readonly<Record<(typeof TABLES)[number], Readonly<Record<string, fc.Arbitrary<string>>>>> = {
  inventory: {
    ...{ total: whole, reserved: whole, min_unit: whole, max_unit: whole, step_size: whole },
    allocation_ratio_milli: fc.constantFrom('-1', '0', '1000'),
    allocation_ratio: fc.constantFrom('null', '0.5', '-1', "'NaN'", "'Infinity'"),
  },
  resource_provider: {
    name: fc.constantFrom("''", "'a'", "'b'"),
    parent_id: fc.constantFrom('null', `'${PROVIDER}'`),
    root_id: fc.constantFrom('null', `'${PROVIDER}'`),
    created_at: fc.constantFrom('null', "'infinity'", 'now()'),
  },
}
const KEYS = {
  inventory: `provider_id = '${PROVIDER}' and resource_class = 'VCPU'`,
  resource_provider: `id = '${PROVIDER}'`,
}

/** Of the insert of a new row, or of an update of one that exists; `table` with its schema in front. */
type Statement = (schema: string) => string

const statement: fc.Arbitrary<Statement> = fc.constantFrom(...TABLES).chain((table) =>
  fc.tuple(fc.record(COLUMNS[table], { requiredKeys: [] }), fc.boolean()).map(([values, isInsert]) => {
    if (isInsert && table === 'inventory') {
      const row = { total: '1', max_unit: '1', ...values, provider_id: `'${PROVIDER}'`, resource_class: "'MEMORY_MB'" }
      return (at) => `insert into ${at}.inventory (${Object.keys(row)}) values (${Object.values(row)})`
    }
    const set = Object.entries(values).map(([name, value]) => `${name} = ${value}`)
    if (set.length === 0) set.push(table === 'inventory' ? 'used = used + 1' : 'generation = generation + 1')
    return (at) => `update ${at}.${table} set ${set} where ${KEYS[table]}`
  }),
)

async function refusalOf(text: string): Promise<string | null> {
  await database.client.query('savepoint before')
  try {
    await database.client.query(text)
    return null
  } catch (error) {
    await database.client.query('rollback to savepoint before')
    const { code, constraint, column } = error as pg.DatabaseError
    return `${code} ${constraint ?? column}`
  }
}

const DUPLICATE = '23505'

describe('checks that are not enforced', () => {
  test('each have a trigger of the same name', async ({ skip }) => {
    const checks = await unenforced()
    if ((await version()) < UNENFORCED_SINCE) skip('this PostgreSQL enforces every check itself')
    expect(new Set(checks.map(({ table }) => table))).toEqual(new Set(TABLES))
    expect(checks.filter(({ triggers }) => triggers !== 1)).toEqual([])
  })

  test('refuse what PostgreSQL would refuse', async ({ skip }) => {
    if ((await version()) < UNENFORCED_SINCE) skip('this PostgreSQL enforces every check itself')
    const refused = new Set<string>()
    const run = async (statements: readonly Statement[]) => {
      await database.client.query('begin')
      for (const at of ['public', 'model']) {
        await database.client.query(
          `insert into ${at}.inventory (provider_id, resource_class, total, max_unit) values ('${PROVIDER}', 'VCPU', 1, 1)`,
        )
      }
      for (const each of statements) {
        const expected = await refusalOf(each('model'))
        const ours = await refusalOf(each('public'))
        // PostgreSQL looks for duplicates after checks, but before triggers.
        if (expected === null || !ours?.startsWith(DUPLICATE)) expect(ours, each('public')).toBe(expected)
        if (expected?.startsWith('23514')) refused.add(expected)
      }
      await database.client.query('rollback')
    }
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 5, maxLength: 20, size: 'max' }), (statements) =>
        run(statements).finally(() => database.client.query('rollback')),
      ),
      { numRuns: 60 },
    )
    expect(refused.size).toBeGreaterThan(7)
  }, 60_000)
})
