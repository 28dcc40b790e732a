import type { Database } from '../../store/database/database'

// The schema as the database reports it, so that new columns are corrupted too.

export interface Column {
  readonly table: string
  readonly name: string
  /** PostgreSQL's type name: `text`, `int8`, `jsonb`, `_uuid` for an array … */
  readonly type: string
  readonly nullable: boolean
  /** Part of the primary key. */
  readonly isKey: boolean
  /** The table that a foreign key of this column references. */
  readonly refersTo: string | null
  /** Columns of its table that share a check with this one: a fault in one may hide another. */
  readonly checkedWith: readonly string[]
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
}

const NOT_OURS = ['_prisma_migrations'] // checked before the server starts

/** All tables of the schema, by name. */
export async function readTables({ pool }: Database): Promise<readonly Table[]> {
  const { rows } = await pool.query<Column>({
    text: `select c.table_name as table, c.column_name as name, c.udt_name as type, c.is_nullable = 'YES' as nullable,
        exists (select 1 from pg_constraint k where k.contype = 'p' and k.conrelid = t.oid
          and a.attnum = any(k.conkey)) as "isKey",
        (select k.confrelid::regclass::text from pg_constraint k
          where k.contype = 'f' and k.conrelid = t.oid and a.attnum = any(k.conkey) limit 1) as "refersTo",
        array(select distinct o.attname::text from pg_constraint k join pg_attribute o
            on o.attrelid = k.conrelid and o.attnum = any(k.conkey) and o.attnum <> a.attnum
          where k.contype = 'c' and k.conrelid = t.oid and a.attnum = any(k.conkey)) as "checkedWith"
      from information_schema.columns c
      join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass and t.relkind = 'r'
      join pg_attribute a on a.attrelid = t.oid and a.attname = c.column_name
      where c.table_schema = current_schema() and c.table_name <> all($1) and c.is_generated = 'NEVER'
      order by c.table_name, c.ordinal_position`,
    values: [NOT_OURS],
  })
  const names = [...new Set(rows.map(({ table }) => table))]
  return names.map((name) => {
    const columns = rows.filter(({ table }) => table === name)
    return { name, columns, key: columns.filter(({ isKey }) => isKey).map((column) => column.name) }
  })
}
