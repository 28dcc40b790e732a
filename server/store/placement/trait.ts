import type { Database } from '../database/database'
import { call, type WriteResult, type Writer } from './refused'

export interface TraitFilter {
  readonly names: readonly string[] | null
  readonly prefix: string | null
  /** Whether some provider has it; null selects all. */
  readonly associated: boolean | null
}

export async function listTraits(database: Database, { names, prefix, associated }: TraitFilter): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>({
    name: 'placement-traits',
    text: `select t.name from trait t
      where ($1::text[] is null or t.name = any($1::text[])) and ($2::text is null or starts_with(t.name, $2::text))
        and ($3::boolean is null or $3::boolean = exists (select 1 from provider_trait p where p.trait = t.name))
      order by t.name`,
    values: [names, prefix, associated],
  })
  return rows.map(({ name }) => name)
}

export async function findUnknownTraits(database: Database, names: readonly string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>({
    name: 'placement-unknown-traits',
    text: 'select n as name from unnest($1::text[]) n where not exists (select 1 from trait t where t.name = n)',
    values: [names],
  })
  return rows.map(({ name }) => name)
}

/** False when there is one already. */
export async function createTrait(database: Database, name: string): Promise<boolean> {
  const text = 'insert into trait (name) values ($1) on conflict do nothing'
  const { rowCount } = await database.pool.query({ name: 'placement-create-trait', text, values: [name] })
  return rowCount === 1
}

export async function deleteTrait(database: Database, name: string): Promise<'deleted' | 'absent' | 'in-use'> {
  const text = `with gone as (
      delete from trait t where t.name = $1
        and not exists (select 1 from provider_trait p where p.trait = t.name) returning 1)
    select (select count(*) from gone)::int as gone, exists (select 1 from provider_trait where trait = $1) as used`
  const { rows } = await database.pool.query<{ gone: number; used: boolean }>({
    ...{ name: 'placement-delete-trait', text, values: [name] },
  })
  if (rows[0]?.gone === 1) return 'deleted'
  return rows[0]?.used ? 'in-use' : 'absent'
}

export interface ProviderTraits {
  readonly generation: number
  readonly traits: readonly string[]
}

/** Null when there is no such provider. */
export async function readProviderTraits(database: Database, provider: string): Promise<ProviderTraits | null> {
  const { rows } = await database.pool.query<{ generation: string; traits: string[] }>({
    name: 'placement-provider-traits',
    text: `select p.generation, array(select t.trait from provider_trait t where t.provider_id = p.id
        order by t.trait like 'CUSTOM\\_%', t.trait) as traits
      from resource_provider p where p.id = $1`,
    values: [provider],
  })
  const [row] = rows
  return row ? { generation: Number(row.generation), traits: row.traits } : null
}

/** Returns the provider's generation, raised only if something changed. */
export function setProviderTraits(
  database: Database,
  set: { readonly provider: string; readonly generation: number | null; readonly traits: readonly string[] },
  writer: Writer,
): Promise<WriteResult<string>> {
  return call(database, 'placement_set_traits', { ...set, ...writer })
}
