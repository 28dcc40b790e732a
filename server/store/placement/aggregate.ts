import type { Database } from '../database/database'
import { call, type WriteResult, type Writer } from './refused'

export interface ProviderAggregates {
  readonly generation: number
  readonly aggregates: readonly string[]
}

/** Null when there is no such provider. */
export async function readProviderAggregates(database: Database, provider: string): Promise<ProviderAggregates | null> {
  const { rows } = await database.pool.query<{ generation: string; aggregates: string[] }>({
    name: 'placement-provider-aggregates',
    text: `select p.generation, array(
        select a.aggregate_id::text from provider_aggregate a where a.provider_id = p.id order by 1) as aggregates
      from resource_provider p where p.id = $1`,
    values: [provider],
  })
  const [row] = rows
  return row ? { generation: Number(row.generation), aggregates: row.aggregates } : null
}

/** Without a generation (below 1.19) none is checked and none raised. Returns the provider's generation. */
export function setProviderAggregates(
  database: Database,
  set: { readonly provider: string; readonly generation: number | null; readonly aggregates: readonly string[] },
  writer: Writer,
): Promise<WriteResult<string>> {
  return call(database, 'placement_set_aggregates', { ...set, ...writer })
}
