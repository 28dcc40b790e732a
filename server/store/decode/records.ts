import type { BrokenRecord } from '../../engine/audit/snapshot'
import type { Database } from '../database/database'

// Rows that violate a constraint of their table. A validated constraint cannot be violated, so only those are checked
// that were added while bad rows existed; and every foreign key, because triggers can be disabled.

interface Rule {
  readonly table: string
  /** Its name, and its message: the comment on it, or its definition. */
  readonly name: string
  readonly says: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** For a foreign key: its target. */
  readonly to: string | null
  readonly toColumns: readonly string[]
  /** For a check: its condition. */
  readonly test: string | null
  /** For a foreign key: PostgreSQL's letter for its action on delete. */
  readonly onDelete: string | null
  /** By column: how its value is printed without loss, and whether it may be null. */
  readonly types: Readonly<Record<string, { readonly is: 'json' | 'list' | 'text'; readonly nullable: boolean }>>
  /** Columns that say whose row it is, as far as the table has them. */
  readonly owners: readonly string[]
}

const RULES = `
  with named as (
    select c.oid, c.contype, c.conname, c.conrelid, c.confrelid, c.convalidated, c.conbin, c.confdeltype,
      (select coalesce(array_agg(a.attname::text order by k.nth), '{}') from unnest(c.conkey) with ordinality k(num, nth)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num) as columns,
      (select coalesce(array_agg(a.attname::text order by k.nth), '{}') from unnest(c.confkey) with ordinality k(num, nth)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.num) as to_columns
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace and n.nspname = current_schema()
    where c.contype = 'f' or (c.contype = 'c' and c.conrelid <> 0 and not c.convalidated))
  select c.conrelid::regclass::text as table, c.conname as name, c.columns, c.to_columns as "toColumns",
    coalesce(obj_description(c.oid, 'pg_constraint'), '') as says,
    case when c.contype = 'f' then c.confrelid::regclass::text end as "to",
    case when c.contype = 'f' then c.confdeltype::text end as "onDelete",
    (select jsonb_object_agg(a.attname, jsonb_build_object('nullable', not a.attnotnull, 'is', case
        when a.atttypid in ('json'::regtype, 'jsonb'::regtype) then 'json'
        when a.attndims > 0 or y.typcategory = 'A' then 'list' else 'text' end))
      from pg_attribute a join pg_type y on y.oid = a.atttypid
      where a.attrelid = c.conrelid and a.attnum > 0 and not a.attisdropped) as types,
    case when c.contype = 'c' then pg_get_expr(c.conbin, c.conrelid) end as test,
    (select array_agg(a.attname::text order by k.nth) from pg_constraint p
      cross join unnest(p.conkey) with ordinality k(num, nth)
      join pg_attribute a on a.attrelid = p.conrelid and a.attnum = k.num
      where p.conrelid = c.conrelid and p.contype = 'p') as key,
    (select coalesce(array_agg(a.attname::text), '{}') from pg_attribute a where a.attrelid = c.conrelid
      and a.attname in ('host_id', 'instance_id', 'migration_id') and a.atttypid = 'uuid'::regtype) as owners
  from named c order by 1, 2`

const LISTED = 50 // per constraint: the first rows reveal the cause of the rest

/** One snapshot, but separate from any other read: the next one finds a row being written now. */
export async function readBrokenRecords({ pool }: Database): Promise<readonly BrokenRecord[]> {
  const { rows: rules } = await pool.query<Rule>(RULES)
  if (rules.length === 0) return []
  const { rows } = await pool.query<BrokenRecord>(rules.map(brokenSql).join(' union all '))
  return rows
}

/** Names come quoted from PostgreSQL's catalog; none is user input. */
function brokenSql(rule: Rule): string {
  const { table, columns, to, test, key } = rule
  const name = key.map((column) => `'${column}=' || coalesce(t.${quoted(column)}::text, 'null')`)
  return `(select ${literal(bare(table))} as "table", concat_ws(', ', ${name.join(', ')}) as key,
    ${literal(columns.join(', '))} as "column", ${literal(reasonOf(rule))} as reason,
    ${ownerOf(rule, 'host')} as host, ${ownerOf(rule, 'instance')} as instance, ${ownerOf(rule, 'migration')} as migration,
    ${rawOf(rule)} as raw
    from ${table} t where ${to === null ? `not (${test})` : dangling(rule, to)} limit ${LISTED})`
}

const dangling = ({ columns, toColumns }: Rule, to: string): string => {
  const set = columns.map((column) => `t.${quoted(column)} is not null`).join(' and ')
  const same = columns.map((column, nth) => `r.${quoted(toColumns[nth] ?? '')} = t.${quoted(column)}`).join(' and ')
  return `${set} and not exists (select 1 from ${to} r where ${same})`
}

function reasonOf({ says, to, toColumns, name }: Rule): string {
  if (says !== '') return says
  return to === null ? `expected what ${name} asks for` : `expected the ${toColumns.join(', ')} of a row in ${bare(to)}`
}

function ownerOf({ table, owners }: Rule, noun: 'host' | 'instance' | 'migration'): string {
  if (bare(table) === noun) return 't.id'
  return owners.includes(`${noun}_id`) ? `t.${noun}_id` : 'null::uuid'
}

/** Everything a repair needs to name the row, printed so that no number is rounded. */
function rawOf({ key, columns, types, onDelete }: Rule): string {
  const nullable = columns.filter((column) => types[column]?.nullable === true && !key.includes(column))
  const does = onDelete === null ? null : (ON_DELETE[onDelete] ?? 'restrict')
  return `jsonb_build_object('key', ${printed(key, types)}, 'columns', ${printed(columns, types)},
    'nullable', ${literal(JSON.stringify(nullable))}::jsonb, 'onDelete', ${does === null ? 'null' : literal(does)})`
}

const ON_DELETE: Readonly<Record<string, string>> = { c: 'cascade', n: 'set-null' }

function printed(columns: readonly string[], types: Rule['types']): string {
  const pairs = columns.map((column) => {
    const value = `t.${quoted(column)}`
    const is = types[column]?.is
    return `${literal(column)}, ${is === 'json' ? value : is === 'list' ? `to_jsonb(${value})` : `${value}::text`}`
  })
  return `jsonb_build_object(${pairs.join(', ')})`
}

const bare = (table: string) => table.replaceAll('"', '')
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
