import type { Database } from '../../store/database/database'
import type { Row } from './cases'
import type { Column, Table } from './columns'
import type { Subjects } from './inputs'

// Selects the rows to corrupt, and the subjects to query afterwards.

export interface Victim {
  readonly table: Table
  /** Values by column. The primary key identifies the row. */
  readonly row: Row
  /** The columns to corrupt in this row. */
  readonly columns: readonly Column[]
}

/** Tables in which one row is not enough, because different readers read different rows. */
const ORDERS: Readonly<Record<string, { readonly by: string; readonly rows: number }>> = {
  migration: { by: 'outcome nulls first, id desc', rows: 2 },
  setting: { by: 'name', rows: 20 },
  finding: { by: 'closed_at nulls first, id', rows: 1 },
  heal_part: { by: "state = 'applied' desc, plan_id, n", rows: 1 },
  instance: { by: 'host_id is null, id', rows: 1 },
  host: { by: "status <> 'up', id desc", rows: 1 },
  unit_holding: { by: 'row_number() over (partition by use order by unit_id), use', rows: 5 }, // one of each use
}

/** The first rows with all columns. For a column that is null in all of them, also the first row that has a value. */
export async function victimsOf({ pool }: Database, table: Table): Promise<readonly Victim[]> {
  const { by, rows: limit } = ORDERS[table.name] ?? {
    by: table.key.map((name) => `"${name}"`).join(', ') || '1',
    rows: 1,
  }
  const rowsWhere = async (where: string, most: number) => {
    const { rows } = await pool.query<{ row: Row }>(
      `select to_jsonb(t) as row from (select * from "${table.name}" where ${where} order by ${by} limit ${most}) t`,
    )
    return rows.map(({ row }) => row)
  }
  const first = await rowsWhere('true', limit)
  const victims: Victim[] = first.map((row) => ({ table, row, columns: table.columns }))
  for (const column of table.columns) {
    if (first.length === 0 || first.some((row) => row[column.name] !== null)) continue
    const [row] = await rowsWhere(`"${column.name}" is not null`, 1)
    if (row) victims.push({ table, row, columns: [column] })
  }
  return victims
}

const COLUMNS: Readonly<Record<string, Exclude<keyof Subjects, 'at'>>> = {
  host_id: 'host',
  from_host: 'host',
  source: 'host',
  root_id: 'host',
  instance_id: 'instance',
  migration_id: 'migration',
  finding_id: 'finding',
  plan_id: 'heal',
  run_id: 'run',
  provider_id: 'provider',
}
const TABLES: Readonly<Record<string, Exclude<keyof Subjects, 'at'>>> = {
  host: 'host',
  instance: 'instance',
  migration: 'migration',
  finding: 'finding',
  heal_plan: 'heal',
  run: 'run',
  resource_provider: 'provider',
}

/** The subjects that the row is or refers to. */
function namedSubjects({ table, row }: Victim): readonly (readonly [Exclude<keyof Subjects, 'at'>, string])[] {
  return Object.entries(row).flatMap(([column, value]) => {
    const noun = column === 'id' ? TABLES[table.name] : COLUMNS[column]
    return noun !== undefined && typeof value === 'string' ? [[noun, value] as const] : []
  })
}

/** One subject of each kind, and all that the victims refer to. */
export async function subjectsOf({ pool }: Database, victims: readonly Victim[]): Promise<Subjects> {
  const { rows } = await pool.query<Record<Exclude<keyof Subjects, 'at'>, string>>(
    `select (select id from host order by name limit 1) as host,
      (select id from instance order by name limit 1) as instance,
      (select id from migration where outcome is null order by id limit 1) as migration,
      (select id from finding where closed_at is null order by id limit 1) as finding,
      (select id from heal_plan order by id limit 1) as heal, (select id from run limit 1) as run,
      (select id from resource_provider where parent_id is null order by name limit 1) as provider`,
  )
  const spoken = victims.flatMap(namedSubjects)
  const of = (noun: Exclude<keyof Subjects, 'at'>) => {
    const ids = [rows[0]?.[noun], ...spoken.flatMap(([name, id]) => (name === noun ? [id] : []))]
    return [...new Set(ids.filter((id): id is string => typeof id === 'string'))].slice(0, MAX_SUBJECTS)
  }
  return {
    ...{ host: of('host'), instance: of('instance'), migration: of('migration'), finding: of('finding') },
    ...{ heal: of('heal'), run: of('run'), provider: of('provider'), at: Date.now() - 1_000 },
  }
}

const MAX_SUBJECTS = 6
