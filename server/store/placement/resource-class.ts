import type { Database } from '../database/database'
import { callWriteFunction, type WriteResult, type Writer } from './refused'

/** Standard classes first, then others by creation. */
export async function listResourceClasses(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>({
    name: 'placement-classes',
    text: 'select name from resource_class order by ordinal',
  })
  return rows.map(({ name }) => name)
}

/** The names that are not resource classes. */
export async function findUnknownClasses(database: Database, names: readonly string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>({
    name: 'placement-unknown-classes',
    text: 'select n as name from unnest($1::text[]) n where not exists (select 1 from resource_class c where c.name = n)',
    values: [names],
  })
  return rows.map(({ name }) => name)
}

/** False when there is one already. */
export async function createResourceClass(database: Database, name: string): Promise<boolean> {
  const text = 'insert into resource_class (name) values ($1) on conflict do nothing'
  const { rowCount } = await database.pool.query({ name: 'placement-create-class', text, values: [name] })
  return rowCount === 1
}

export interface Rename {
  readonly from: string
  readonly to: string
}

/** False when there is no class of the old name. */
export async function renameResourceClass(
  database: Database,
  { from, to }: Rename,
  writer: Writer,
): Promise<WriteResult<boolean> | 'taken'> {
  if (from !== to && (await findUnknownClasses(database, [to])).length === 0) return 'taken'
  const text = 'select placement_rename_class($1, $2, $3::jsonb) as value'
  return callWriteFunction(database, {
    name: 'placement-rename-class',
    text,
    values: [from, to, JSON.stringify(writer)],
  })
}

/** In use: some provider has an inventory of it. */
export async function deleteResourceClass(database: Database, name: string): Promise<'deleted' | 'absent' | 'in-use'> {
  const text = `with gone as (
      delete from resource_class c where c.name = $1
        and not exists (select 1 from inventory i where i.resource_class = c.name) returning 1)
    select (select count(*) from gone)::int as gone, exists (select 1 from inventory where resource_class = $1) as used`
  const { rows } = await database.pool.query<{ gone: number; used: boolean }>({
    ...{ name: 'placement-delete-class', text, values: [name] },
  })
  if (rows[0]?.gone === 1) return 'deleted'
  return rows[0]?.used ? 'in-use' : 'absent'
}
