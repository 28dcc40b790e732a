import type { HostId } from '../../engine/words/ids'
import { type BatchedQuery, batchReads } from '../database/batch-reads'
import type { Database } from '../database/database'

export interface ProviderUsages {
  readonly generation: number
  /** Class → held, of every inventory. */
  readonly usages: Readonly<Record<string, number>>
}

/** Of one provider; null when there is none. Concurrent reads are batched. */
export const usageReader = (database: Database): BatchedQuery<string, ProviderUsages> =>
  batchReads(TOGETHER, (providers) => readProviderUsages(database, providers))

const TOGETHER = 32

async function readProviderUsages(
  { pool }: Database,
  providers: readonly string[],
): Promise<ReadonlyMap<string, ProviderUsages>> {
  const many = 2 ** Math.ceil(Math.log2(providers.length))
  const filled = Array.from({ length: many }, (_, at) => providers[at] ?? providers[0])
  const { rows } = await pool.query<{ id: string; generation: string; usages: Record<string, number> | null }>({
    ...{ name: `placement-usages-${many}`, text: usagesText(many), values: filled },
  })
  return new Map(
    rows.map(({ id, generation, usages }) => [id, { generation: Number(generation), usages: usages ?? {} }]),
  )
}

// A statement for each power of two. With an array PostgreSQL would replan every call, because its length is unknown.
const usagesText = (many: number) => `select p.id, p.generation, (
    select json_object_agg(i.resource_class, i.used order by i.resource_class)
    from inventory i where i.provider_id = p.id) as usages
  from resource_provider p where p.id in (${Array.from({ length: many }, (_, at) => `$${at + 1}`)})`

export interface UsageQuestion {
  readonly project: string
  readonly user: string | null
}

export interface TypeUsage {
  /** `unknown` for consumers whose client gave none. */
  readonly type: string
  readonly consumers: number
  readonly usages: Readonly<Record<string, number>>
}

/** Usage of a project, or of one of its users, by consumer type. */
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

/** An inventory whose `used` was not the sum of its allocations. */
export interface Miscount {
  readonly provider: string
  readonly name: string
  /** The host of Berth in whose tree it is. */
  readonly host: HostId | null
  readonly class: string
  readonly used: number
  readonly held: number
}

/** Corrects `used` where it was written without Berth, and returns what was wrong. Scans whole tables. */
export async function correctUsed({ pool }: Database): Promise<readonly Miscount[]> {
  const { rows } = await pool.query<Miscount>({
    name: 'recount-used',
    text: `select provider, name, host, class, used::float8 as used, held::float8 as held from recount_used()`,
  })
  return rows
}
