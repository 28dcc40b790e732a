import type { Database } from '../database/database'

// Allocations of Placement API clients, over all their trees.

/** An instance and its migration of another client. */
export interface SwapRow {
  readonly migration: string
  readonly instance: string
  readonly at: number
  readonly source: readonly string[]
  /** Providers from which the instance holds allocations now; empty while it holds none. */
  readonly target: readonly string[]
  /** Allocations of the migration. */
  readonly amounts: readonly (readonly [resourceClass: string, amount: number])[]
}

const treesOf = (consumer: string) => `(
  select coalesce(json_agg(distinct r.name), '[]') from allocation a join resource_provider p on p.id = a.provider_id
    join resource_provider r on r.id = p.root_id where a.consumer_id = ${consumer})`

/** The longest first. */
export async function listSwaps({ pool }: Database): Promise<readonly SwapRow[]> {
  const { rows } = await pool.query<SwapRow>({
    name: 'swaps',
    text: `select c.id as migration, c.swapped_from as instance, ms(c.swapped_at)::float8 as at,
        ${treesOf('c.id')} as source, ${treesOf('c.swapped_from')} as target, (
          select coalesce(json_agg(json_build_array(s.resource_class, s.amount) order by s.resource_class), '[]')
          from (select resource_class, sum(amount) as amount from allocation where consumer_id = c.id group by 1) s) as amounts
      from consumer c where c.swapped_from is not null and exists (select 1 from allocation a where a.consumer_id = c.id)
      order by c.swapped_at, c.id`,
  })
  return rows
}

/** Consumers that hold the same amounts, on any provider. */
export interface HeldShape {
  readonly amounts: readonly (readonly [resourceClass: string, amount: number])[]
  readonly consumers: number
  /** Among them those that are known to be migrations. */
  readonly migrations: number
}

/** The most frequent first. */
export async function listHeldShapes({ pool }: Database): Promise<readonly HeldShape[]> {
  const { rows } = await pool.query<HeldShape>({
    name: 'held-shapes',
    text: `with held as (
        select c.id, c.swapped_from is not null or c.type = 'MIGRATION' as is_migration, a.resource_class,
          sum(a.amount) as amount
        from consumer c join allocation a on a.consumer_id = c.id
        where c.owner_kind <> 'berth' group by 1, 2, 3
      ), shape as (
        select id, is_migration, jsonb_agg(jsonb_build_array(resource_class, amount) order by resource_class) as amounts
        from held group by 1, 2)
      select amounts, count(*)::int as consumers, count(*) filter (where is_migration)::int as migrations
      from shape group by amounts order by count(*) desc, amounts::text`,
  })
  return rows
}

export interface ForeignCounts {
  readonly instances: number
  readonly migrations: number
  /** Of another type, such as VOLUME. */
  readonly others: number
  /** Neither its client nor a swap revealed a type. */
  readonly unknown: number
}

export async function countForeign({ pool }: Database): Promise<ForeignCounts> {
  const { rows } = await pool.query<ForeignCounts>({
    name: 'foreign-counts',
    text: `with foreign_consumers as (
        select case
          when c.type = 'unknown' and c.swapped_from is not null then 'MIGRATION'
          when c.type = 'unknown' and exists (select 1 from consumer s where s.swapped_from = c.id) then 'INSTANCE'
          else c.type end as type
        from consumer c where c.owner_kind <> 'berth' and exists (select 1 from allocation a where a.consumer_id = c.id))
      select count(*) filter (where type = 'INSTANCE')::int as instances,
        count(*) filter (where type = 'MIGRATION')::int as migrations,
        count(*) filter (where type in ('unknown', ''))::int as unknown,
        count(*) filter (where type not in ('INSTANCE', 'MIGRATION', 'unknown', ''))::int as others
      from foreign_consumers`,
  })
  return rows[0] ?? { instances: 0, migrations: 0, others: 0, unknown: 0 }
}
