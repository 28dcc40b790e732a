import type { Client } from '../../engine/words/owner'
import type { Database } from '../database/database'
import type { ForeignConsumer } from './owner'

// Provider trees of Berth's hosts, and those that Placement API clients registered.

/** Sums over a tree; `free` is what single providers have left, so none makes up for another. */
export type TreeClass = readonly [of: string, total: number, reserved: number, room: number, held: number, free: number]

export interface TreeRow {
  readonly id: string
  readonly name: string
  readonly generation: number
  readonly since: number
  /** A host that Berth manages. */
  readonly isHost: boolean
  readonly providers: number
  readonly consumers: number
  readonly classes: readonly TreeClass[]
  /** Of any of its providers. */
  readonly traits: readonly string[]
}

/** `$1`: also the trees of hosts. */
const TREES = `with p as (
    select p.id, p.root_id from resource_provider p
    where $1::boolean or not exists (select 1 from host h where h.id = p.root_id)
  ), stock as (
    select p.root_id, i.resource_class, i.total, i.reserved, i.used as held,
      floor((i.total - i.reserved) * ratio_of(i.allocation_ratio_milli, i.allocation_ratio)) as room
    from p join inventory i on i.provider_id = p.id
  ), summed as (
    select root_id, resource_class, sum(total) as total, sum(reserved) as reserved, sum(room) as room, sum(held) as held,
      sum(greatest(0, room - held)) as free
    from stock group by 1, 2
  ), who as (
    select p.root_id, count(distinct a.consumer_id)::int as consumers
    from p join allocation a on a.provider_id = p.id group by 1
  ), traits as (
    select root_id, json_agg(trait order by trait) as rows
    from (select distinct p.root_id, t.trait from p join provider_trait t on t.provider_id = p.id) each group by 1
  ), classes as (
    select root_id, json_agg(json_build_array(resource_class, total, reserved, room, held, free)
      order by resource_class) as rows
    from summed group by 1
  )
  select r.id, r.name, r.generation::float8 as generation, ms(r.created_at)::float8 as since,
    (select count(*)::int from p where p.root_id = r.id) as providers, coalesce(w.consumers, 0) as consumers,
    coalesce(c.rows, '[]') as classes, coalesce(t.rows, '[]') as traits,
    exists (select 1 from host h where h.id = r.id) as "isHost"
  from p join resource_provider r on r.id = p.id and p.id = p.root_id
    left join who w on w.root_id = r.id left join classes c on c.root_id = r.id
    left join traits t on t.root_id = r.id
  order by r.name`

export async function listTrees({ pool }: Database): Promise<TreeRow[]> {
  return (await pool.query<TreeRow>({ name: 'trees', text: TREES, values: [true] })).rows
}

export async function listTreesWithoutHost({ pool }: Database): Promise<TreeRow[]> {
  return (await pool.query<TreeRow>({ name: 'trees', text: TREES, values: [false] })).rows
}

export interface TreeConsumer extends Omit<ForeignConsumer, 'owner' | 'amounts'> {
  /** Its kind in Berth and the name of its instance; null for a consumer of another client. */
  readonly kind: 'instance' | 'migration' | null
  readonly name: string | null
  readonly swap: { readonly role: 'instance' | 'migration'; readonly other: string; readonly at: number } | null
  readonly since: number
  /** Null: Berth. */
  readonly owner: Client | null
  readonly amounts: readonly (readonly [provider: string, of: string, amount: number])[]
}

/** For consumer c: instance or migration of a pair. An instance may have allocations left from an earlier migration. */
export const SWAP = `case when c.swapped_from is not null
    then json_build_object('role', 'migration', 'other', c.swapped_from, 'at', ms(c.swapped_at))
    else (select json_build_object('role', 'instance', 'other', s.id, 'at', ms(s.swapped_at)) from consumer s
      where s.swapped_from = c.id order by s.swapped_at desc limit 1) end`

/** Consumers with allocations in the tree, newest first. */
export async function listTreeConsumers({ pool }: Database, root: string): Promise<TreeConsumer[]> {
  const { rows } = await pool.query<TreeConsumer>({
    name: 'tree-consumers',
    text: `select c.id, c.type, ${SWAP} as swap, c.project, c."user", c.generation::float8 as generation, ms(max(a.since))::float8 as since,
        case when i.id is not null then 'instance' when m.id is not null then 'migration' end as kind,
        coalesce(i.name, m.instance_name) as name,
        case when c.owner_kind <> 'berth' then
          json_build_object('kind', c.owner_kind, 'id', c.owner_id, 'name', c.owner_name) end as owner,
        json_agg(json_build_array(a.provider_id, a.resource_class, a.amount) order by a.resource_class) as amounts
      from resource_provider p join allocation a on a.provider_id = p.id join consumer c on c.id = a.consumer_id
        left join instance i on i.id = c.id left join migration m on m.id = c.id
      where p.root_id = $1 group by c.id, i.id, m.id order by max(a.since) desc, c.id`,
    values: [root],
  })
  return rows
}

export interface TreeEvent {
  readonly seq: string
  readonly at: number
  readonly kind: string
  readonly who: string
  readonly request: string | null
}

/** The last writes to any provider of the tree, the newest first. */
export async function listTreeEvents({ pool }: Database, ids: readonly string[], limit: number): Promise<TreeEvent[]> {
  const { rows } = await pool.query<TreeEvent>({
    name: 'tree-events',
    text: `select sequence::text as seq, ms(at)::float8 as at, kind, who, request from event
      where kind like 'placement.%' and data -> 'providers' ?| $1::text[] order by sequence desc limit $2`,
    values: [ids, limit],
  })
  return rows
}
