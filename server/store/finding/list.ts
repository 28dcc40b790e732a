import type { FindingField, FindingSort } from '@/lists/finding'
import type { FindingKind } from '../../engine/audit/finding'
import { SEVERITIES } from '../../engine/audit/kinds'
import {
  askedOrder,
  conditionsSql,
  type Fields,
  type ListPage,
  type ListQuery,
  likeText,
  orderSql,
  readPage,
} from '../database/condition'
import type { Database } from '../database/database'
import { findingOf } from '../decode/finding'
import type { AuditFinding } from './finding'

export interface FindingQuery extends ListQuery<FindingField, FindingSort> {
  /** Part of the name of its host or instance, or the whole id of its subject. */
  readonly q?: string | undefined
  readonly kind?: readonly FindingKind[] | undefined
  readonly severity?: readonly AuditFinding['severity'][] | undefined
  readonly host?: string | undefined
  readonly instance?: string | undefined
  /** Findings on the migration and on its instance, whose records the migration relies on. */
  readonly migration?: string | undefined
  /** A CPU or device: findings on it, or on a claim that holds it now. */
  readonly unit?: string | undefined
  /** Resolved ones instead of open ones. Default: open ones, or all where a condition on `state` selects. */
  readonly closed?: boolean | undefined
}

export interface StoredFinding<Body = unknown> extends AuditFinding<Body> {
  readonly id: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly closedAt: number | null
}

const HOST_NAME = '(select h.name from host h where h.id = f.host_id)'
const INSTANCE_NAME = '(select i.name from instance i where i.id = f.instance_id)'
const SEVERITY = `array_position(array[${SEVERITIES.map((severity) => `'${severity}'`)}], f.severity)`
const ORDERS: { readonly [O in FindingSort]: string } = {
  severity: SEVERITY,
  kind: 'f.kind',
  first: 'f.first_seen_at',
  host: HOST_NAME,
  instance: INSTANCE_NAME,
}

const FIELDS: Fields<FindingField> = {
  text: [HOST_NAME, INSTANCE_NAME],
  kind: ['f.kind'],
  severity: ['f.severity'],
  confidence: ['f.confidence'],
  host: [HOST_NAME],
  instance: [INSTANCE_NAME],
  where: ['f.unit'],
  migration: ["case when f.migration_id is null then 'no' else 'yes' end"],
  state: ["case when f.closed_at is null then 'open' else 'closed' end"],
}
const IDS = ['f.id::text', 'f.host_id::text', 'f.instance_id::text', 'f.migration_id::text']

const WHERE = `($1::boolean is null or (f.closed_at is not null) = $1)
  and ($2::text is null
    or exists (select 1 from host h where h.id = f.host_id and h.name ilike '%' || $2 || '%')
    or exists (select 1 from instance i where i.id = f.instance_id and i.name ilike '%' || $2 || '%')
    or lower($3) in (f.id::text, f.host_id::text, f.instance_id::text, f.migration_id::text))
  and ($4::text[] is null or f.kind = any($4))
  and ($5::text[] is null or f.severity = any($5))
  and ($6::uuid is null or f.host_id = $6)
  and ($7::uuid is null or f.instance_id = $7)
  and ($8::uuid is null or f.migration_id = $8
    or f.instance_id = (select m.instance_id from migration m where m.id = $8))
  and ($9::text is null or f.unit = $9
    or exists (select 1 from unit u join unit_holding d on d.unit_id = u.id
      where u.host_id = coalesce($6, f.host_id) and u.name = $9
        and f.body -> 'of' -> 'finding' -> 'claims' ? d.claim_id::text))`

const COLUMNS = `f.id, f.fingerprint, f.kind, f.severity, f.confidence, f.host_id as host, f.instance_id as instance,
  f.migration_id as migration, f.unit, f.body -> 'of' as body, ms(f.first_seen_at)::float8 as "firstSeenAt",
  ms(f.last_seen_at)::float8 as "lastSeenAt", ms(f.closed_at)::float8 as "closedAt"`

export async function listFindings<Body>(
  { pool }: Database,
  query: FindingQuery,
): Promise<ListPage<StoredFinding<Body>>> {
  const asked = orderSql(askedOrder(query, { by: 'severity', dir: 'asc' }), ORDERS)
  // Findings of one kind are adjacent: one repair often fixes them all.
  const order = `${asked}, ${SEVERITY}, f.kind, f.first_seen_at, f.id`
  const saysState = query.where?.some(({ key }) => key === 'state') ?? false
  const plain = [
    query.closed ?? (saysState ? null : false),
    ...[likeText(query.q), query.q ?? null],
    ...[query.kind ?? null, query.severity ?? null, query.host ?? null, query.instance ?? null],
    ...[query.migration ?? null, query.unit ?? null],
  ]
  const where = conditionsSql(query.where ?? [], { fields: FIELDS, ids: IDS, first: plain.length + 1 })
  const from = `from finding f where ${WHERE} and ${where.sql}`
  const page = { columns: COLUMNS, from, values: [...plain, ...where.values], order }
  const { rows, total } = await readPage<StoredFinding<Body>>(pool, page, query)
  return { rows: rows.map(findingOf), total }
}

/** Unordered; unknown ids are left out. */
export async function readFindings<Body>({ pool }: Database, ids: readonly string[]): Promise<StoredFinding<Body>[]> {
  if (ids.length === 0) return []
  const { rows } = await pool.query<StoredFinding<Body>>({
    name: 'findings',
    text: `select ${COLUMNS} from finding f where f.id = any($1::uuid[])`,
    values: [ids],
  })
  return rows.map(findingOf)
}

export async function readOpenFindings<Body>({ pool }: Database): Promise<StoredFinding<Body>[]> {
  const { rows } = await pool.query<StoredFinding<Body>>({
    name: 'open-findings',
    text: `select ${COLUMNS} from finding f where f.closed_at is null`,
  })
  return rows.map(findingOf)
}
