import type { Database } from '../database/database'
import type { ForeignConsumer } from './owner'

export interface ConsumerAllocations extends Pick<ForeignConsumer, 'project' | 'user' | 'generation' | 'type'> {
  readonly held: readonly HeldRow[]
}

export interface HeldRow {
  readonly provider: string
  readonly generation: number
  readonly resources: Readonly<Record<string, number>>
}

/** Null when the consumer holds nothing. */
export async function readConsumer(database: Database, consumer: string): Promise<ConsumerAllocations | null> {
  const { rows } = await database.pool.query<
    Omit<ConsumerAllocations, 'generation' | 'held'> & { generation: string; held: HeldRow[] | null }
  >({
    name: 'placement-consumer',
    text: `select c.project, c."user", c.generation, c.type, (
        select json_agg(json_build_object('provider', h.provider_id, 'generation', p.generation, 'resources', h.resources)
          order by h.provider_id)
        from (select a.provider_id, json_object_agg(a.resource_class, a.amount order by a.resource_class) as resources
          from allocation a where a.consumer_id = c.id group by 1) h
        join resource_provider p on p.id = h.provider_id) as held
      from consumer c where c.id = $1`,
    values: [consumer],
  })
  const [row] = rows
  return row?.held ? { ...row, generation: Number(row.generation), held: row.held } : null
}

export interface ProviderAllocations {
  readonly generation: number
  readonly consumers: readonly {
    readonly consumer: string
    readonly generation: number
    readonly resources: Readonly<Record<string, number>>
  }[]
}

/** Null when there is no such provider. */
export async function readProviderAllocations(database: Database, id: string): Promise<ProviderAllocations | null> {
  const { rows } = await database.pool.query<{
    generation: string
    consumers: ProviderAllocations['consumers'] | null
  }>({
    name: 'placement-provider-allocations',
    text: `select p.generation, (
        select json_agg(json_build_object('consumer', h.consumer_id, 'generation', c.generation, 'resources', h.resources)
          order by h.consumer_id)
        from (select a.consumer_id, json_object_agg(a.resource_class, a.amount order by a.resource_class) as resources
          from allocation a where a.provider_id = p.id group by 1) h
        join consumer c on c.id = h.consumer_id) as consumers
      from resource_provider p where p.id = $1`,
    values: [id],
  })
  const [row] = rows
  return row ? { generation: Number(row.generation), consumers: row.consumers ?? [] } : null
}
