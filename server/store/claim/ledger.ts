import type { LedgerField, LedgerSort } from '@/lists/ledger'
import type { FindingKind } from '../../engine/audit/finding'
import type { Operation } from '../../engine/migration/state'
import {
  askedOrder,
  conditionsSql,
  type Fields,
  type ListPage,
  type ListQuery,
  likeText,
  orderSql,
} from '../database/condition'
import type { Database } from '../database/database'
import { SWAP, type TreeConsumer } from '../placement/tree-read'

// The ledger: allocations by consumer and provider, now or at a past time.

export interface LedgerQuery extends ListQuery<LedgerField, LedgerSort> {
  readonly q?: string | undefined
  readonly host?: string | undefined
  readonly instance?: string | undefined
  readonly provider?: string | undefined
  readonly resourceClass?: string | undefined
  readonly odd?: boolean | undefined
  /** Time in ms since the epoch; absent means now. */
  readonly at?: number | undefined
}

export interface LedgerEntry {
  readonly consumer: string
  /** Null for a consumer that is neither an instance nor a migration, or is gone. */
  readonly consumerKind: 'instance' | 'migration' | null
  readonly consumerName: string | null
  readonly project: string
  readonly consumerGeneration: number | null
  readonly consumerType: string | null
  readonly swap: TreeConsumer['swap']
  readonly instance: string | null
  readonly provider: string
  readonly providerName: string | null
  readonly providerGeneration: number | null
  readonly providerRoot: string | null
  readonly host: string | null
  readonly hostName: string | null
  readonly claim: string | null
  /** The migration that holds the allocation, or the instance's active migration. */
  readonly migration: {
    readonly id: string
    readonly operation: Operation
    readonly source: string | null
    readonly target: string | null
  } | null
  /** Names of the units that the claim holds: `cpu:12`, `pci:0000:3b:02.1`. Empty when it holds only amounts. */
  readonly units: readonly string[]
  readonly amounts: readonly (readonly [resourceClass: string, amount: number])[]
  readonly since: number
  readonly wrote: {
    readonly seq: string
    readonly kind: string
    readonly who: string
    readonly request: string | null
    readonly reason: string | null
  } | null
  readonly findings: readonly { readonly id: string; readonly kind: FindingKind }[]
}

const NOW = {
  allocations: 'allocation',
  claims: `(select id, consumer_id, consumer_kind, instance_id, ''::text as name from claim)`,
}
// The same rows at a past time: those unchanged since, and those that have ended since.
const THEN = {
  allocations: `(
    select consumer_id, provider_id, resource_class, amount, since from allocation where since <= $1
    union all
    select consumer_id, provider_id, resource_class, amount, since from past_allocation where since <= $1 and until > $1)`,
  claims: `(
    select id, consumer_id, consumer_kind, instance_id, ''::text as name from claim where since <= $1
    union all
    select claim_id, consumer_id, consumer_kind, instance_id, instance_name from past_claim
    where since <= $1 and until > $1)`,
}

const ORDERS: { readonly [O in LedgerSort]: string } = {
  consumer: 'l."consumerName"',
  provider: 'l."providerName"',
  host: 'l."hostName"',
  project: 'l.project',
  since: 'l.since_at',
}

const FINDINGS_OF = `from finding f where f.closed_at is null and (f.instance_id = l.consumer or f.migration_id = l.consumer
    or f.body -> 'of' -> 'consumers' ? l.consumer::text)`

// A write of the Placement API names the providers it touched, not the consumers; a conversion names the host. Each way
// has an index.
const WRITER = `from (
    select * from event where instance_id = l.instance and at = l.since_at
    union all
    select * from event where at = l.since_at and kind like 'placement.%' and data -> 'providers' ? l.provider::text
    union all
    select * from event where at = l.since_at and kind = 'layout.healed' and l.host = any (hosts)
  ) e order by e.sequence desc limit 1`
// At a past time only migrations that held something are known, not those that were merely active.
const migrationOf = (isNow: boolean) => `left join lateral (
      select json_build_object('id', v.id, 'operation', v.operation, 'source', v.source, 'target', v.target) as migration
      from (
        select * from migration where id = l.consumer
        ${isNow ? 'union all select * from migration where instance_id = l.instance and outcome is null' : ''}
      ) v limit 1) v on true`

// CPUs belong to the provider that has PCPU (the NUMA node's, in a nested tree); other units to the provider of their
// class.
const UNITS = `coalesce((select json_agg(u.name order by u.id) from unit_holding o join unit u on u.id = o.unit_id
      where o.claim_id = l.claim and u.host_id = l.host
        and (l.provider = l.host or u.provider = l."providerName"
          or (u.kind = 'cpu' and l."providerName" = l."hostName" || '_NUMA' || u.cell))), '[]')`

// Trees of other Placement clients need no claim of Berth.
const NO_CLAIM = 'l.claim is null and l.host is not null'

const fieldsOf = ({ allocations }: typeof NOW): Fields<LedgerField> => ({
  text: ['l."consumerName"', 'l."providerName"', 'l."hostName"'],
  consumer: ['l."consumerName"'],
  kind: [`coalesce(l."consumerKind", 'other')`],
  provider: ['l."providerName"'],
  host: ['l."hostName"'],
  project: ['l.project'],
  class: [
    {
      each: `select a.resource_class from ${allocations} a
        where a.consumer_id = l.consumer and a.provider_id = l.provider`,
    },
  ],
  marks: [{ each: `select f.kind ${FINDINGS_OF}` }, `case when ${NO_CLAIM} then 'no-claim' end`],
  wrote: [{ each: `select e.who ${WRITER}` }],
  request: [{ each: `select e.request ${WRITER}` }],
})
const IDS = ['l.consumer', 'l.provider', 'l.claim', 'l.host', 'l.instance'].map((column) => `${column}::text`)

/**
 * `$1` the time, `$2` text as a pattern, `$3` text, `$4` host, `$5` instance, `$6` provider, `$7` class.
 */
const rows = ({ allocations, claims }: typeof NOW, odd: boolean) => `
  with held as (
    select a.consumer_id, a.provider_id, min(a.since) as since, bool_or(a.resource_class = $7) as of_class
    from ${allocations} a where $1::timestamptz is not null group by 1, 2),
  l as (
    select h.consumer_id as consumer, h.provider_id as provider, h.since as since_at,
      coalesce(k.consumer_kind, case when m.id is not null then 'migration' when i.id is not null then 'instance' end)
        as "consumerKind",
      coalesce(i.name, nullif(k.name, ''), m.instance_name) as "consumerName",
      coalesce(k.instance_id, m.instance_id, i.id) as instance, coalesce(c.project, '') as project,
      p.name as "providerName", t.id as host, t.name as "hostName", k.id as claim
    from held h
    left join consumer c on c.id = h.consumer_id
    left join ${claims} k on k.consumer_id = h.consumer_id
    left join migration m on m.id = h.consumer_id
    left join instance i on i.id = coalesce(k.instance_id, m.instance_id, h.consumer_id)
    left join resource_provider p on p.id = h.provider_id
    left join host t on t.id = p.root_id
    where $7::text is null or h.of_class)
  select l.* from l
  where ($2::text is null or l."consumerName" ilike '%' || $2 || '%' or l."providerName" ilike '%' || $2 || '%'
      or l."hostName" ilike '%' || $2 || '%' or lower($3) in (l.consumer::text, l.provider::text, l.claim::text))
    and ($4::uuid is null or l.host = $4) and ($5::uuid is null or l.instance = $5)
    and ($6::uuid is null or l.provider = $6)
    ${odd ? `and ((${NO_CLAIM}) or exists (select 1 ${FINDINGS_OF}))` : ''}`

interface PageOptions {
  readonly isNow: boolean
  readonly allocations: string
  readonly order: string
  /** The parameter that is the offset; the one after it is the limit. */
  readonly at: number
}

// One pass finds all rows for the count and the order; names are looked up only for the rows of the page.
const page = (all: string, { isNow, allocations, order, at }: PageOptions) => `
  with every as materialized (${all})
  select (select count(*)::int from every) as total, page.* from (values (1)) one left join lateral (
    select l.consumer, l."consumerKind", l."consumerName", l.project, c.generation::float8 as "consumerGeneration",
      c.type as "consumerType", ${SWAP} as swap, p.root_id as "providerRoot", l.instance, l.provider, l."providerName",
      p.generation::float8 as "providerGeneration", l.host, l."hostName", l.claim, ms(l.since_at)::float8 as since,
      v.migration, ${isNow ? UNITS : `'[]'::json`} as units,
      w.wrote, (select json_agg(json_build_array(a.resource_class, a.amount) order by a.resource_class)
        from ${allocations} a where a.consumer_id = l.consumer and a.provider_id = l.provider) as amounts,
      coalesce((select json_agg(json_build_object('id', f.id, 'kind', f.kind)) ${FINDINGS_OF}), '[]') as findings
    from (select l.* from every l order by ${order}, l.consumer, l.provider offset $${at} limit $${at + 1}) l
    left join consumer c on c.id = l.consumer
    left join resource_provider p on p.id = l.provider
    ${migrationOf(isNow)}
    left join lateral (
      select json_build_object('seq', e.sequence::text, 'kind', e.kind, 'who', e.who, 'request', e.request,
        'reason', e.reason) as wrote ${WRITER}) w on true
    order by ${order}, l.consumer, l.provider) page on true`

export async function listLedger({ pool }: Database, query: LedgerQuery): Promise<ListPage<LedgerEntry>> {
  const plain = [
    new Date(query.at ?? 0), // not read when `at` is absent
    ...[likeText(query.q), query.q ?? null, query.host ?? null, query.instance ?? null],
    ...[query.provider ?? null, query.resourceClass ?? null],
  ]
  const state = query.at === undefined ? NOW : THEN
  const where = conditionsSql(query.where ?? [], { fields: fieldsOf(state), ids: IDS, first: plain.length + 1 })
  const filter = [...plain, ...where.values]
  const all = `${rows(state, query.odd ?? false)} and ${where.sql}`
  const order = orderSql(askedOrder(query, { by: 'consumer', dir: 'asc' }), ORDERS)
  // A page beyond the end is one row with only the count.
  const { rows: found } = await pool.query<LedgerEntry & { readonly total: number }>(
    page(all, { isNow: state === NOW, allocations: state.allocations, order, at: filter.length + 1 }),
    [...filter, query.offset, query.limit],
  )
  return { rows: found.filter(({ consumer }) => consumer !== null), total: found[0]?.total ?? 0 }
}

/** Rows of the ledger as it is now. */
export interface LedgerCounts {
  /** On a host of Berth without a claim. */
  readonly orphaned: number
  /** Orphaned, or of a consumer that an open finding names. */
  readonly findings: number
  readonly migrations: number
  /** Neither an instance nor a migration. */
  readonly other: number
}

// One pass over the rows, and only the consumers of findings: the fleet is counted every few seconds.
const COUNTS = `
  with named as (
    select instance_id as consumer from finding where closed_at is null and instance_id is not null
    union select migration_id from finding where closed_at is null and migration_id is not null
    union select jsonb_array_elements_text(body -> 'of' -> 'consumers')::uuid from finding
      where closed_at is null and jsonb_typeof(body -> 'of' -> 'consumers') = 'array'
  ), l as (
    select h.consumer_id as consumer, k.id is null and t.id is not null as orphaned,
      coalesce(k.consumer_kind, case when m.id is not null then 'migration' when i.id is not null then 'instance' end) as kind
    from (select distinct consumer_id, provider_id from allocation) h
    left join claim k on k.consumer_id = h.consumer_id
    left join migration m on m.id = h.consumer_id
    left join instance i on i.id = coalesce(k.instance_id, m.instance_id, h.consumer_id)
    left join resource_provider p on p.id = h.provider_id
    left join host t on t.id = p.root_id
  )
  select count(*) filter (where orphaned)::int as orphaned,
    count(*) filter (where orphaned or consumer in (select consumer from named))::int as findings,
    count(*) filter (where kind = 'migration')::int as migrations, count(*) filter (where kind is null)::int as other
  from l`

export async function countLedger({ pool }: Database): Promise<LedgerCounts> {
  const { rows: counted } = await pool.query<LedgerCounts>({ name: 'ledger-counts', text: COUNTS })
  return counted[0] ?? { orphaned: 0, findings: 0, migrations: 0, other: 0 }
}
