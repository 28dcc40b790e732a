import fc from 'fast-check'
import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase, openClient } from '../../boot/on-fresh-database'
import { readServerMajor } from './backup-checks'

// The checks of the tables that a claim writes are enforced by triggers (prisma/functions/column.sql). PostgreSQL's own
// enforcement of the same checks, on copies of the tables, is the model.

const database = onFreshDatabase(openClient)

const PROVIDER = 'aaaaaaaa-0000-4000-8000-000000000001'
const CONSUMER = 'cccccccc-0000-4000-8000-000000000001'
const OTHER_CONSUMER = 'cccccccc-0000-4000-8000-000000000002'

interface UnenforcedCheck {
  readonly table: string
  readonly name: string
  readonly test: string
  /** Whether the trigger of its table has it. */
  readonly isEnforced: boolean
}

async function unenforced(): Promise<readonly UnenforcedCheck[]> {
  const { rows } = await database.client.query<UnenforcedCheck>(
    `select c.conrelid::regclass::text as table, c.conname as name, pg_get_expr(c.conbin, c.conrelid) as test,
      exists (
        select from pg_trigger t join pg_proc f on f.oid = t.tgfoid
        where t.tgrelid = c.conrelid and t.tgname = 'checks_enforced' and t.tgenabled = 'O'
          and f.prosrc like '%then ' || quote_literal(c.conname) || '%' and c.conkey <@ t.tgattr::int2[]) as "isEnforced"
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
  for (const table of Object.keys(TABLES)) {
    await database.client.query(`create table model.${table} (like ${table} including defaults including indexes)`)
    await database.client.query(`insert into model.${table} select * from ${table}`)
  }
  for (const { table, name, test: check } of await unenforced()) {
    await database.client.query(`alter table model.${table} add constraint ${name} check (${check})`)
  }
})

type Columns = Readonly<Record<string, fc.Arbitrary<string>>>

interface WrittenTable {
  readonly columns: Columns
  /** What an insert says beside them. */
  readonly row: Readonly<Record<string, string>>
  /** Of an update; null if rows are only added. */
  readonly update: { readonly where: string; readonly without: string } | null
}

const whole = fc.constantFrom('null', '-1', '0', '1', '7', '9007199254740991', '9007199254740992')
const time = fc.constantFrom('null', "'infinity'", 'now()')
const list = fc.constantFrom('null', "'{}'")
const json = fc.constantFrom('null', "'{}'", "'[]'", "'1'")
const generations = fc.constantFrom(
  'null',
  "'{}'",
  "'[]'",
  `'{"${PROVIDER}": 7}'`,
  `'{"a": 7}'`,
  `'{"${PROVIDER}": -1}'`,
)

const TABLES: Readonly<Record<string, WrittenTable>> = {
  inventory: {
    columns: {
      ...{ total: whole, reserved: whole, min_unit: whole, max_unit: whole, step_size: whole },
      allocation_ratio_milli: fc.constantFrom('-1', '0', '1000'),
      allocation_ratio: fc.constantFrom('null', '0.5', '-1', "'NaN'", "'Infinity'"),
    },
    row: { total: '1', max_unit: '1', provider_id: `'${PROVIDER}'`, resource_class: "'MEMORY_MB'" },
    update: { where: `provider_id = '${PROVIDER}' and resource_class = 'VCPU'`, without: 'used = used + 1' },
  },
  resource_provider: {
    columns: {
      name: fc.constantFrom("''", "'a'", "'b'"),
      parent_id: fc.constantFrom('null', `'${PROVIDER}'`),
      root_id: fc.constantFrom('null', `'${PROVIDER}'`),
      created_at: time,
    },
    row: {},
    update: { where: `id = '${PROVIDER}'`, without: 'generation = generation + 1' },
  },
  consumer: {
    columns: {
      ...{ generation: whole, written_at: time, swapped_at: time },
      swapped_from: fc.constantFrom('null', `'${CONSUMER}'`, `'${OTHER_CONSUMER}'`),
      owner_kind: fc.constantFrom("'berth'", "'noauth'", "'nobody'"),
    },
    row: { id: `'${OTHER_CONSUMER}'`, type: "'INSTANCE'" },
    update: { where: `id = '${CONSUMER}'`, without: "project = 'p'" },
  },
  allocation: {
    columns: { amount: whole, since: time },
    row: { consumer_id: `'${CONSUMER}'`, provider_id: `'${PROVIDER}'`, resource_class: "'VCPU'", amount: '1' },
    update: { where: `consumer_id = '${CONSUMER}'`, without: 'amount = 2' },
  },
  outbox: {
    columns: {
      id: fc.constantFrom('-1', '0', '1', '9007199254740992'),
      hosts: list,
      data: json,
      raised: generations,
      at: time,
    },
    row: { kind: "'a'", hosts: "'{}'", data: "'{}'", raised: "'{}'", who: "'a'", at: 'now()' },
    update: { where: 'true', without: "kind = 'b'" },
  },
  audit_entry: {
    columns: {
      id: fc.constantFrom('-1', '0', '1', '9007199254740992'),
      hosts: list,
      data: json,
      origin: json,
      at: time,
    },
    row: { action: "'a'", hosts: "'{}'", data: "'{}'", who: "'a'", at: 'now()' },
    update: null,
  },
}

/** Of the insert of a new row, or of an update of one that exists; `table` with its schema in front. */
type Statement = (schema: string) => string

const statement: fc.Arbitrary<Statement> = fc
  .constantFrom(...Object.entries(TABLES))
  .chain(([table, { columns, row, update }]) =>
    fc.tuple(fc.record(columns, { requiredKeys: [] }), fc.boolean()).map(([values, isInsert]) => {
      if (update === null || (isInsert && table !== 'resource_provider')) {
        const given = { ...row, ...values }
        return (at) => `insert into ${at}.${table} (${Object.keys(given)}) values (${Object.values(given)})`
      }
      const set = Object.entries(values).map(([name, value]) => `${name} = ${value}`)
      return (at) => `update ${at}.${table} set ${set.length > 0 ? set : update.without} where ${update.where}`
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
  test('are each enforced by the trigger of their table', async ({ skip }) => {
    const checks = await unenforced()
    if ((await version()) < UNENFORCED_SINCE) skip('this PostgreSQL enforces every check itself')
    expect(new Set(checks.map(({ table }) => table))).toEqual(new Set(Object.keys(TABLES)))
    expect(checks.filter(({ isEnforced }) => !isEnforced)).toEqual([])
  })

  test('refuse what PostgreSQL would refuse', async ({ skip }) => {
    if ((await version()) < UNENFORCED_SINCE) skip('this PostgreSQL enforces every check itself')
    const refused = new Set<string>()
    const run = async (statements: readonly Statement[]) => {
      await database.client.query('begin')
      for (const at of ['public', 'model']) {
        await database.client.query(`
          insert into ${at}.inventory (provider_id, resource_class, total, max_unit) values ('${PROVIDER}', 'VCPU', 1, 1);
          insert into ${at}.consumer (id, type) values ('${CONSUMER}', 'INSTANCE')`)
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
    expect(refused.size).toBeGreaterThan(20)
  }, 60_000)
})

/** Of a claim that PostgreSQL would refuse, because of any of these. */
const claim = fc.record({
  amount: fc.constantFrom('1', '7', '9007199254740991', '0', '-1', '9007199254740992'),
  swapped: fc.constantFrom('null', CONSUMER, OTHER_CONSUMER),
  hosts: list,
  event: json,
  ownerKind: fc.constantFrom('berth', 'noauth', 'nobody'),
  trailHosts: fc.constantFrom('"{}"', 'null'),
  trail: json,
})
type ClaimParameters = typeof claim extends fc.Arbitrary<infer Value> ? Value : never

const FINE: ClaimParameters = {
  ...{ amount: '1', swapped: 'null', hosts: "'{}'", event: "'{}'" },
  ...{ ownerKind: 'noauth', trailHosts: '"{}"', trail: "'{}'" },
}

const claimText = ({ amount, swapped, hosts, event, ownerKind, trailHosts, trail }: ClaimParameters) =>
  `select apply_allocations('{${PROVIDER}}', '{1}', ${hosts}, false,
    '{${PROVIDER}}', '{VCPU}', '{1}', '{1}', '{1}', '{1}',
    '{${OTHER_CONSUMER}}', '{1}', '{null}', '{true}', '{p}', '{u}', '{INSTANCE}', '{${swapped}}', '{}', '{}', '{}', '{}',
    '{${OTHER_CONSUMER}}', '{${PROVIDER}}', '{VCPU}', '{${amount}}', 'allocated', ${event}, 'w', null, null,
    '{w}', '{r}', '{${trailHosts}}', array[${trail}]::jsonb[], '{${ownerKind}}', '{o}', '{o}')`

test('apply_allocations, which the triggers leave alone, writes no row that violates a check', async () => {
  const checks = await unenforced()
  let taken = 0
  const run = async (parameters: ClaimParameters) => {
    await database.client.query('begin')
    await database.client.query(`
      insert into inventory (provider_id, resource_class, total, max_unit) values ('${PROVIDER}', 'VCPU', 9, 9);
      insert into consumer (id, type) values ('${CONSUMER}', 'INSTANCE')`)
    const refusal = await refusalOf(claimText(parameters))
    if (refusal === null) taken++
    for (const { table, name, test: check } of checks) {
      const { rows } = await database.client.query(`select 1 from ${table} where not (${check})`)
      expect(rows, `${name} after ${JSON.stringify(parameters)}`).toEqual([])
    }
    await database.client.query('rollback')
  }
  await run(FINE)
  expect(taken).toBe(1)
  const oneBad = fc.tuple(claim, fc.constantFrom(...(Object.keys(FINE) as (keyof ClaimParameters)[])))
  await fc.assert(
    fc.asyncProperty(oneBad, ([values, name]) =>
      run({ ...FINE, [name]: values[name] }).finally(() => database.client.query('rollback')),
    ),
    { numRuns: 100 },
  )
}, 60_000)
