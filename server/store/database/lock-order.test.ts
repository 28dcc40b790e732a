import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { onFreshDatabase, openClient } from '../../boot/on-fresh-database'
import { statementsIn } from '../../tidy/statements'

// Two transactions that lock the same rows in different orders deadlock. So a statement that may change several rows
// locks them in the order of a key, unless it runs where only one transaction at a time can.

const STORE = path.join(import.meta.dirname, '..')

/** Files whose statements change several rows of a table in any order, and what keeps other writers of these rows away. */
const ONE_WRITER: Readonly<Record<string, string>> = {
  'alarm/alarm.ts of alarm': 'the lock of the table',
  'audit-log/seal.ts of audit_entry': 'nothing else changes an entry',
  'event/read.ts of event': 'a periodic task of one server',
  'finding/finding.ts of audit_sequence': 'it has one row',
  'finding/finding.ts of finding': 'the row of standing_audit',
  'finding/finding.ts of standing_audit': 'it has one row',
  'heal/plan.ts of heal_part': 'nothing holds a plan while it waits for a part',
  'heal/plan.ts of heal_plan': 'a plan and the one it undoes, each read by its key',
  'host/write.ts of inventory': 'the lease for writes of hosts, and the root of the host',
  'host/write.ts of numa_cell': 'the lease for writes of hosts',
  'host/write.ts of provider_aggregate': 'the root of the host',
  'host/write.ts of provider_trait': 'the root of the host',
  'host/write.ts of resource_provider': 'the same rows, which were locked in order',
  'host/write.ts of unit': 'the lease for writes of hosts',
  'power/instance-power.ts of guest_power': 'the row of host_survey',
  'run/write.ts of run_move': 'the row of the run',
  'storage/shared-storage.ts of inventory': 'the root of the host',
  'storage/shared-storage.ts of provider_aggregate': 'the root of the host',
  'task/server-session.ts of server_session': 'one server, and a periodic task for those that ended',
  'user/password.ts of auth_account': 'a user has one password',
  'user/password.ts of auth_session': 'one index returns the rows of a user, always in one order',
  'user/password.ts of auth_verification': 'the row of the password',
  'user/sessions.ts of auth_session': 'one index returns the rows of a user, always in one order',
  'user/user.ts of api_token': 'the same rows, which were locked in order',
  'user/user.ts of auth_account': 'a user has one password',
  'user/user.ts of auth_passkey': 'one index returns the rows of a user, always in one order',
}

interface PlanNode {
  readonly 'Node Type': string
  readonly Operation?: string
  readonly 'Conflict Resolution'?: string
  readonly 'Subplan Name'?: string
  readonly 'CTE Name'?: string
  readonly Strategy?: string
  readonly 'Join Type'?: string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
const childrenOf = (node: PlanNode) =>
  (node.Plans ?? []).filter(({ 'Subplan Name': name }) => !/^(CTE|InitPlan)/.test(name ?? ''))

interface UniqueIndex {
  readonly table: string
  readonly columns: readonly string[]
}

/** Whether the conditions name every column of a unique index. */
function isByKey(node: PlanNode, indexes: readonly UniqueIndex[]): boolean {
  const conditions = [node['Index Cond'] ?? '', node.Filter ?? ''].filter((each) => !each.includes(' OR ')).join(' ')
  const isNamed = (column: string) => new RegExp(`\\(${column} = (?!ANY)`).test(conditions)
  return indexes.some(({ table, columns }) => table === node['Relation Name'] && columns.every(isNamed))
}

/** Whether the node returns one row at most. */
function isSingle(node: PlanNode, whole: PlanNode, indexes: readonly UniqueIndex[]): boolean {
  const children = childrenOf(node)
  const areSingle = () => children.every((each) => isSingle(each, whole, indexes))
  switch (node['Node Type']) {
    case 'Index Scan':
    case 'Index Only Scan':
      return isByKey(node, indexes)
    case 'CTE Scan': {
      const source = nodesOf(whole).find(({ 'Subplan Name': name }) => name === `CTE ${node['CTE Name']}`)
      return source !== undefined && isSingle(source, whole, indexes)
    }
    case 'Aggregate':
      return node.Strategy === 'Plain' || areSingle()
    case 'Nested Loop':
      if (/Semi|Anti/.test(node['Join Type'] ?? ''))
        return children[0] !== undefined && isSingle(children[0], whole, indexes)
      return areSingle()
    case 'Result':
    case 'Subquery Scan':
    case 'LockRows':
    case 'Limit':
    case 'Sort':
    case 'ModifyTable':
      return areSingle()
    default:
      return false
  }
}

/** Inserts alone lock no existing row. */
const locks = (node: PlanNode) =>
  node['Node Type'] === 'LockRows' ||
  (node['Node Type'] === 'ModifyTable' && (node.Operation !== 'Insert' || node['Conflict Resolution'] !== undefined))

const isOrdered = (node: PlanNode, text: string): boolean =>
  node.Operation === 'Insert'
    ? nodesOf(node).some(({ 'Node Type': type }) => type === 'Sort')
    : /order by[^;]*\bfor (no key )?update/.test(text)

const database = onFreshDatabase(openClient)

async function indexesOf(): Promise<readonly UniqueIndex[]> {
  const { rows } = await database.client.query<UniqueIndex>(
    `select t.relname as table, array(
        select quote_ident(a.attname) from pg_attribute a where a.attrelid = i.indexrelid) as columns
      from pg_index i join pg_class t on t.oid = i.indrelid
      where i.indisunique and i.indexprs is null and t.relnamespace = current_schema()::regnamespace`,
  )
  return rows
}

async function planOf(text: string): Promise<PlanNode | null> {
  const { rows } = await database.client
    .query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(`explain (generic_plan, format json) ${text}`)
    .catch(() => ({ rows: [] }))
  return rows[0]?.['QUERY PLAN'][0].Plan ?? null
}

/** Tables of which the statement locks several rows in any order. */
async function unorderedIn(text: string, indexes: readonly UniqueIndex[]): Promise<readonly string[]> {
  const plan = await planOf(text)
  if (plan === null) return []
  const unordered = nodesOf(plan).filter(
    (node) => locks(node) && !isSingle(node, plan, indexes) && !isOrdered(node, text),
  )
  return unordered.flatMap((node) => nodesOf(node).find((each) => each['Relation Name'])?.['Relation Name'] ?? [])
}

describe('a statement that locks several rows', () => {
  beforeEach(async ({ skip }) => {
    if ((await planOf('select $1::int')) === null) skip('this PostgreSQL does not plan a statement without its values')
    await database.client.query('set enable_seqscan = off; set enable_bitmapscan = off')
  })

  test('locks them in the order of a key, or where only one transaction can', async () => {
    const indexes = await indexesOf()
    const unordered = new Set<string>()
    for (const { file, text } of statementsIn(STORE))
      for (const table of text === null ? [] : await unorderedIn(text, indexes)) unordered.add(`${file} of ${table}`)
    expect([...unordered].sort()).toEqual(Object.keys(ONE_WRITER))
  })

  test.each([
    ['update host set zone = $1 where id = $2', []],
    ['update host set zone = $1 where id = any ($2::uuid[])', ['host']],
    ['update host set zone = $1 where zone = $2', ['host']],
    ['update host set zone = $1 where id in (select id from host where zone = $2 order by id for update)', []],
    ['select id from host where zone = $1 for update', ['host']],
    ['insert into trait (name) values ($1) on conflict do nothing', []],
    ['insert into trait (name) select unnest ($1::text[]) on conflict do nothing', ['trait']],
    ['insert into trait (name) select unnest ($1::text[]) order by 1 on conflict do nothing', []],
    ['delete from host_remain r using host h where h.zone = $1 and r.host_id = h.id', ['host_remain']],
  ])('%s', async (text, unordered) => {
    expect(await unorderedIn(text, await indexesOf())).toEqual(unordered)
  })
})
