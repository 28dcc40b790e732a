import type { ForestProvider, Stock } from '../../engine/resources/forest'
import type { Database } from '../database/database'
import { inTransaction } from '../database/transaction'

// Reads for the forest in memory: whole trees, and which of them changed.

type StockRow = readonly [of: string, ...numbers: number[]]
type ProviderRow = readonly [
  id: string,
  name: string,
  parent: string | null,
  root: string,
  generation: number,
  traits: readonly string[] | null,
  aggregates: readonly string[] | null,
  stocks: readonly StockRow[] | null,
  isHost: boolean,
]

const treesText = (which: 'all' | 'some') => {
  const own = which === 'all' ? 'true' : 'provider_id in (select id from p)'
  const roots = 'select root_id from resource_provider where id = any($1::uuid[])'
  return `with p as (
    select * from resource_provider where ${which === 'all' ? 'true' : `root_id in (${roots})`}
  ), stock as (
    select i.provider_id, json_agg(json_build_array(i.resource_class, i.total, i.reserved, i.min_unit, i.max_unit,
      i.step_size, ratio_of(i.allocation_ratio_milli, i.allocation_ratio), i.used)
      order by i.resource_class) as rows
    from inventory i where ${own} group by 1
  ), traits as (
    select provider_id, json_agg(trait order by trait like 'CUSTOM\\_%', trait) as rows from provider_trait
    where ${own} group by 1
  ), aggregates as (
    select provider_id, json_agg(aggregate_id order by aggregate_id) as rows from provider_aggregate
    where ${own} group by 1
  )
  select json_build_array(p.id, p.name, p.parent_id, p.root_id, p.generation, t.rows, g.rows, s.rows, h.id is not null) as row
  from p left join traits t on t.provider_id = p.id left join aggregates g on g.provider_id = p.id
    left join stock s on s.provider_id = p.id left join host h on h.id = p.id
  order by p.parent_id is not null, p.name`
}

const ALL_TREES = treesText('all')
const SOME_TREES = treesText('some')

type Queryable = Pick<Database['pool'], 'query'>

/** All trees; of each the root first, then by name. */
export async function readTrees({ pool }: { readonly pool: Queryable }): Promise<ForestProvider[]> {
  const { rows } = await pool.query<{ row: ProviderRow }>({ name: 'placement-trees', text: ALL_TREES })
  return rows.map(({ row }) => providerOf(row))
}

/** The trees in which these providers are now. */
export async function readTreesOf(connection: Queryable, ids: readonly string[]): Promise<ForestProvider[]> {
  const { rows } = await connection.query<{ row: ProviderRow }>({
    ...{ name: 'placement-trees-of', text: SOME_TREES, values: [ids] },
  })
  return rows.map(({ row }) => providerOf(row))
}

function providerOf([id, name, parent, root, generation, ...rest]: ProviderRow): ForestProvider {
  const [traits, aggregates, stocks, isHost] = rest
  return {
    ...{ id, name, parent, root, generation, isHost },
    traits: new Set(traits),
    aggregates: new Set(aggregates),
    stocks: new Map((stocks ?? []).map((row) => [row[0], stockOf(row)])),
  }
}

function stockOf([, ...numbers]: StockRow): Stock {
  const [total = 0, reserved = 0, minUnit = 1, maxUnit = 1, stepSize = 1, ratio = 1, used = 0] = numbers
  return { total, reserved, minUnit, maxUnit, stepSize, ratio, used }
}

/** Committed writes, whether or not the relay has numbered them yet. */
export interface UnreadBatch {
  /** The last assigned sequence, from which the next read continues. Its event may have been pruned since. */
  readonly head: number
  /** The first row of the outbox; null when it is empty. Earlier ones have been numbered. */
  readonly waitingFrom: number | null
  readonly changes: readonly UnreadChange[]
  /** True when hosts of Berth accept instances of other clients. */
  readonly foreignAllowed: boolean
}

export interface UnreadChange {
  /** Its id in the outbox until the relay has taken it; null afterwards. */
  readonly waiting: number | null
  /** Provider → generation it was raised to. */
  readonly raised: Readonly<Record<string, number>>
  readonly hosts: readonly string[]
  /** Providers a Placement write touched; among them some whose generation it did not raise. */
  readonly touched: readonly string[]
  readonly again: boolean
}

type ChangeRow = readonly [
  waiting: number | null,
  raised: Readonly<Record<string, number>>,
  hosts: readonly string[] | null,
  touched: readonly string[] | null,
  again: boolean | null,
]

type UnreadRow = {
  readonly head: string
  readonly foreign_allowed: boolean
  readonly waiting_from: string | null
  readonly waiting: readonly ChangeRow[] | null
  readonly numbered: readonly ChangeRow[] | null
}

// One statement, so one snapshot: the relay moves rows from one table to the other in one transaction, and each row is
// seen in exactly one of them. The outbox is read once for all that is asked of it.
const UNREAD = `select coalesce((select last from relay), 0)::text as head, o.waiting_from, o.waiting,
  exists (select 1 from setting where name = 'foreign-instances' and value = '"allow"') as foreign_allowed,
  (select json_agg(json_build_array(null, e.raised, e.hosts, e.data -> 'providers', e.data -> 'again'))
    from event e where e.sequence > $1::bigint) as numbered
  from (
    select min(id)::text as waiting_from,
      json_agg(json_build_array(id, raised, hosts, data -> 'providers', data -> 'again'))
        filter (where not id = any($2::bigint[])) as waiting
    from outbox) o`

/** A reader's position. */
export interface ReadSoFar {
  readonly head: number
  readonly known: readonly number[]
}

/** Changes after this sequence, but for those of the outbox that were read already. */
export async function readUnread(
  { pool }: { readonly pool: Queryable },
  { head, known }: ReadSoFar,
): Promise<UnreadBatch> {
  const { rows } = await pool.query<UnreadRow>({ name: 'placement-unread', text: UNREAD, values: [head, known] })
  const [row] = rows
  if (!row) throw new Error('the statement answers one row')
  return {
    head: Number(row.head),
    waitingFrom: row.waiting_from === null ? null : Number(row.waiting_from),
    foreignAllowed: row.foreign_allowed,
    changes: [...(row.waiting ?? []), ...(row.numbered ?? [])].map(([waiting, raised, hosts, touched, again]) => ({
      ...{ waiting, raised, hosts: hosts ?? [], touched: touched ?? [], again: again ?? false },
    })),
  }
}

/** All trees and all unread changes, from one snapshot. */
export function readForest(
  database: Database,
  soFar: ReadSoFar,
): Promise<{ unread: UnreadBatch; trees: ForestProvider[] }> {
  return inTransaction(database, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only')
    const inside = { pool: client }
    return { unread: await readUnread(inside, soFar), trees: await readTrees(inside) }
  })
}
