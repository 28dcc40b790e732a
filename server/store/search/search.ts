import { ID_START } from '@/lists/condition'
import type { Instance } from '../../engine/change'
import { likePattern } from '../database/condition'
import type { Database } from '../database/database'
import { instanceOf } from '../decode/instance'
import { migrationOf } from '../decode/migration'
import { INSTANCE_JSON } from '../instance/row'
import { LISTED_MIGRATION, type ListedMigration } from '../migration/list'
import type { SavedViewRow } from '../view/saved-view'

// Finds one object among tens of thousands by a few letters. A plain scan: twenty thousand names take a few ms, and a
// trigram index is an extension that not every PostgreSQL has.

export interface SearchQuery {
  readonly text: string
  readonly limit: number
}

const ID_TEST = (column: string) => `($3::text is not null and ${column}::text like $3)`

/** $1: anywhere in the name. $2: at its start. $3: start of an id. */
const valuesOf = ({ text, limit }: SearchQuery) => [
  likePattern(text.replaceAll('*', ''), true),
  `${likePattern(text.replaceAll('*', ''), false)}%`,
  ID_START.test(text) ? `${text.toLowerCase()}%` : null,
  limit,
]

/** Names with that prefix come before names that contain it, and short ones before long ones. */
export async function searchInstances({ pool }: Database, sought: SearchQuery): Promise<Instance[]> {
  const { rows } = await pool.query<{ instance: Instance }>({
    name: 'search-instances',
    // Ids first: building JSON for every match would cost more than the search.
    text: `with hit as (
             select i.id, i.name, i.name ilike $2 as starts from instance i
             where i.name ilike $1 or ${ID_TEST('i.id')}
             order by starts desc, length(i.name), i.name, i.id limit $4)
           select ${INSTANCE_JSON} as instance from hit join instance i on i.id = hit.id
           order by hit.starts desc, length(i.name), i.name, i.id`,
    values: valuesOf(sought),
  })
  return rows.map(({ instance }) => instanceOf(instance))
}

/** The recorded name, because the instance may no longer exist. */
export interface MigrationMatch extends ListedMigration {
  readonly instanceName: string
}

/** Active migrations first, then the latest. */
export async function searchMigrations({ pool }: Database, sought: SearchQuery): Promise<MigrationMatch[]> {
  const { rows } = await pool.query<MigrationMatch>({
    name: 'search-migrations',
    text: `select ${LISTED_MIGRATION}, m.instance_name as "instanceName" from migration m
           where m.instance_name ilike $1 or ${ID_TEST('m.id')} or ${ID_TEST('m.instance_id')}
           order by m.outcome is null desc, m.instance_name ilike $2 desc, m.created_at desc, m.id limit $4`,
    values: valuesOf(sought),
  })
  return rows.map((row) => ({ ...row, migration: migrationOf(row.migration) }))
}

export interface RecordMatch {
  readonly noun: 'finding' | 'heal' | 'run' | 'claim' | 'provider'
  readonly id: string
  readonly name: string
}

/** Records known only by an id: copied from a log, a toast or a message. */
export async function searchRecords({ pool }: Database, { text, limit }: SearchQuery): Promise<RecordMatch[]> {
  if (!ID_START.test(text)) return []
  const { rows } = await pool.query<RecordMatch>({
    name: 'search-records',
    text: `select noun, id, name from (
             select 'finding' as noun, f.id::text, f.kind as name from finding f
             union all select 'heal', p.id::text, p.state from heal_plan p
             union all select 'run', r.id::text, h.name from run r join host h on h.id = r.host_id
             union all select 'claim', c.id::text, i.name from claim c join instance i on i.id = c.instance_id
             union all select 'provider', p.id::text, p.name from resource_provider p where p.id <> p.root_id
           ) record where id like $1 order by noun, id limit $2`,
    values: [`${text.toLowerCase()}%`, limit],
  })
  return rows
}

export interface TreeMatch {
  readonly id: string
  readonly name: string
}

/** Roots without a host of Berth. */
export async function searchTrees({ pool }: Database, sought: SearchQuery): Promise<TreeMatch[]> {
  const { rows } = await pool.query<TreeMatch>({
    name: 'search-trees',
    text: `select p.id::text, p.name from resource_provider p
           where p.id = p.root_id and not exists (select 1 from host h where h.id = p.id)
             and (p.name ilike $1 or ${ID_TEST('p.id')})
           order by p.name ilike $2 desc, length(p.name), p.name, p.id limit $4`,
    values: valuesOf(sought),
  })
  return rows
}

export type ViewMatch = Pick<SavedViewRow, 'id' | 'name' | 'path' | 'query'>

/** Saved views with the text in their name: the user's own first, then shared ones. */
export async function searchViews(
  { pool }: Database,
  { text, limit, owner }: SearchQuery & { readonly owner: string },
): Promise<ViewMatch[]> {
  const { rows } = await pool.query<ViewMatch>({
    name: 'search-views',
    text: `select v.id::text, v.name, v.path, v.query from saved_view v
           where v.name ilike $1 and (v.owner_id = $2 or v.shared)
           order by v.owner_id <> $2, lower(v.name), v.id limit $3`,
    values: [likePattern(text.replaceAll('*', ''), true), owner, limit],
  })
  return rows
}
