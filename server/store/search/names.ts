import type { Database } from '../database/database'

export interface NameRows {
  /** Instance → name, for those that exist or were migrated once. */
  readonly instances: ReadonlyMap<string, string>
  /** Migration → its instance. */
  readonly migrations: ReadonlyMap<string, string>
}

/** Names of the given instances and migrations, in whichever of the two an id is found. Unknown ids are left out. */
export async function readNames({ pool }: Database, ids: readonly string[]): Promise<NameRows> {
  const instances = new Map<string, string>()
  const migrations = new Map<string, string>()
  if (ids.length === 0) return { instances, migrations }
  const { rows } = await pool.query<{ id: string; name: string; instance: string | null }>({
    name: 'names',
    text: `
      with asked as (select unnest($1::uuid[]) as id),
        named as (select m.id, m.instance_id, m.instance_name from asked join migration m on m.id = asked.id),
        wanted as (select id from asked union select instance_id from named)
      select i.id, i.name, null::uuid as instance from wanted join instance i on i.id = wanted.id
      union all
      select id, instance_name, instance_id from named`,
    values: [[...new Set(ids)]],
  })
  for (const { id, name, instance } of rows) {
    if (instance === null) instances.set(id, name)
    else migrations.set(id, instance)
  }
  for (const { instance, name } of rows) {
    if (instance !== null && name !== '' && !instances.has(instance)) instances.set(instance, name)
  }
  return { instances, migrations }
}
