import type { Database } from '../database/database'
import { type InventoryRow, inventoryJson } from './inventory'
import { call, type Writer, type Written } from './refused'

export interface ConsumerAllocations {
  readonly project: string
  readonly user: string
  readonly generation: number
  /** `unknown` when it came without one. */
  readonly type: string
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

/** All that a consumer shall hold from now on. */
export interface ConsumerWrite {
  readonly id: string
  /** Of which the client thinks; null that there is no such consumer yet. Only looked at when `checked`. */
  readonly generation: number | null
  readonly checked: boolean
  readonly project: string
  readonly user: string
  /** Null leaves the type it has. */
  readonly type: string | null
  readonly amounts: readonly { readonly provider: string; readonly resourceClass: string; readonly amount: number }[]
}

export interface Shape {
  readonly provider: string
  readonly generation: number
  readonly inventories: readonly InventoryRow[]
}

/** All consumers or none of them; with shapes, a reshape. */
export function writeAllocations(
  database: Database,
  { consumers, shapes }: { readonly consumers: readonly ConsumerWrite[]; readonly shapes: readonly Shape[] | null },
  writer: Writer,
): Promise<Written<null>> {
  return call(database, 'placement_allocate', {
    consumers: consumers.map(({ id, generation, checked, project, user, type }) => [
      ...[id, generation, checked, project, user, type],
    ]),
    amounts: consumers.flatMap(({ id, amounts }) =>
      amounts.map(({ provider, resourceClass, amount }) => [id, provider, resourceClass, amount]),
    ),
    inventories:
      shapes?.map(({ provider, generation, inventories }) => [provider, generation, inventories.map(inventoryJson)]) ??
      null,
    ...writer,
  })
}

/** Gives back all that the consumer holds. */
export function releaseConsumer(database: Database, consumer: string, writer: Writer): Promise<Written<null>> {
  return call(database, 'placement_release', { consumer, ...writer })
}
