import type { Database } from '../database'

export interface ProviderUsages {
  readonly generation: number
  /** Class → held, of every inventory. */
  readonly usages: Readonly<Record<string, number>>
}

/** Null when there is no such provider. */
export async function readProviderUsages(database: Database, provider: string): Promise<ProviderUsages | null> {
  const { rows } = await database.pool.query<{ generation: string; usages: Record<string, number> | null }>({
    name: 'placement-provider-usages',
    text: `select p.generation, (
        select json_object_agg(i.resource_class, coalesce((
          select sum(a.amount) from allocation a
          where a.provider_id = p.id and a.resource_class = i.resource_class), 0) order by i.resource_class)
        from inventory i where i.provider_id = p.id) as usages
      from resource_provider p where p.id = $1`,
    values: [provider],
  })
  const [row] = rows
  return row ? { generation: Number(row.generation), usages: row.usages ?? {} } : null
}

export interface UsageQuestion {
  readonly project: string
  readonly user: string | null
}

export interface TypeUsage {
  /** `unknown` for consumers that came without one. */
  readonly type: string
  readonly consumers: number
  readonly usages: Readonly<Record<string, number>>
}

/** What a project, or one of its users, holds; by the type of consumer. */
export async function readUsagesByType(database: Database, { project, user }: UsageQuestion): Promise<TypeUsage[]> {
  const { rows } = await database.pool.query<TypeUsage>({
    name: 'placement-project-usages',
    text: `with c as (
        select id, type from consumer where project = $1 and ($2::text is null or "user" = $2::text)
      ), held as (
        select c.type, a.resource_class, sum(a.amount) as amount from c join allocation a on a.consumer_id = c.id group by 1, 2
      ), many as (
        select c.type, count(*)::int as consumers from c
        where exists (select 1 from allocation a where a.consumer_id = c.id) group by 1
      )
      select m.type, m.consumers,
        (select json_object_agg(h.resource_class, h.amount order by h.resource_class) from held h where h.type = m.type) as usages
      from many m order by m.type`,
    values: [project, user],
  })
  return rows
}
