import type { AuditLogField } from '@/lists/audit-log'
import type { Condition } from '@/lists/condition'
import type { Origin } from '../../engine/books'
import { conditionsSql, type Fields } from '../database/condition'
import type { Database } from '../database/database'
import { eventOf } from '../decode/event'
import type { Listed } from '../instance/list'

// The audit log, read. Newest entries come first by their id, which is how they are found without sorting all of them.

/** `total` is never more; what is older is reached with `before`. */
export const ENTRIES_LISTED = 100_000

/** Of an entry of this action, `data` says what was refused and why. */
export const REFUSED = 'request.refused'
export const SIGN_IN_REFUSED = 'session.sign-in-refused'
const REFUSALS = [REFUSED, SIGN_IN_REFUSED]

export interface AuditLogQuery {
  readonly where: readonly Condition<Exclude<AuditLogField, 'after' | 'before'>>[]
  /** Ms since the epoch: not before `after`, and before `before`. */
  readonly after: number | null
  readonly before: number | null
  readonly oldestFirst: boolean
  readonly offset: number
  readonly limit: number
}

export interface AuditLogRow {
  readonly id: string
  readonly at: number
  readonly action: string
  readonly who: string
  readonly request: string | null
  readonly reason: string | null
  readonly hosts: readonly string[]
  readonly instance: string | null
  readonly migration: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly origin: Origin | null
  readonly refused: boolean
}

/** A time as people type it, in UTC unless it names a zone: `2026-11-25`, `2026-11-25T14:30`. Null for what is none. */
export function momentFrom(text: string): number | null {
  const at = Date.parse(!text.includes('T') || /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isFinite(at) ? at : null
}

const IS_REFUSED = `e.action = any('{${REFUSALS.join(',')}}')`
const HOSTS = { each: 'select name from host where id = any(e.hosts)' } as const
const INSTANCE = { each: 'select name from instance where id = e.instance_id' } as const
const FIELDS: Fields<Exclude<AuditLogField, 'after' | 'before'>> = {
  text: ['e.who', 'e.action', "e.data ->> 'name'", "e.data ->> 'username'", "e.data ->> 'procedure'", INSTANCE, HOSTS],
  who: ['e.who'],
  action: ['e.action', "e.data ->> 'procedure'"],
  outcome: [`case when ${IS_REFUSED} then 'refused' else 'done' end`],
  instance: [INSTANCE],
  host: [HOSTS],
  role: ["e.origin ->> 'role'"],
  from: ["e.origin ->> 'address'"],
  reason: ['e.reason'],
  request: ['e.request'],
}
const IDS = ['e.request', 'e.instance_id::text', 'e.migration_id::text']

const COLUMNS = `e.id::text, ms(e.at)::float8 as at, e.action, e.who, e.request, e.reason, e.hosts,
  e.instance_id as instance, e.migration_id as migration, e.data, e.origin, ${IS_REFUSED} as refused`

export async function listAuditLog({ pool }: Database, query: AuditLogQuery): Promise<Listed<AuditLogRow>> {
  const { where, after, before, oldestFirst, offset, limit } = query
  const filter = conditionsSql(where, { fields: FIELDS, ids: IDS, first: 3 })
  // `at` is when it was decided, `id` the order in which it was written; they differ by the length of a transaction.
  const fits = `(e.at >= $1 or $1 is null) and (e.at < $2 or $2 is null) and ${filter.sql}`
  const values = [after === null ? null : new Date(after), before === null ? null : new Date(before), ...filter.values]
  const n = values.length
  const [{ rows }, counted] = await Promise.all([
    pool.query<AuditLogRow>(
      `select ${COLUMNS} from audit_entry e where ${fits} order by e.id ${oldestFirst ? 'asc' : 'desc'} offset $${n + 1} limit $${n + 2}`,
      [...values, offset, limit],
    ),
    pool.query<{ total: number }>(
      `select count(*)::int as total from (select 1 from audit_entry e where ${fits} limit ${ENTRIES_LISTED}) entries`,
      values,
    ),
  ])
  return { rows: rows.map(eventOf), total: counted.rows[0]?.total ?? 0 }
}

export interface SealedState {
  /** Entries that are not sealed yet. */
  readonly unsealed: number
  readonly seals: number
  /** Of the newest seal. */
  readonly hash: string | null
  readonly at: number | null
}

export async function readSealed({ pool }: Database): Promise<SealedState> {
  const { rows } = await pool.query<SealedState>({
    name: 'sealed-state',
    text: `select (select count(*)::int from audit_entry where id > coalesce(s.last, 0)) as unsealed,
             coalesce(s.id, 0)::float8 as seals, s.hash, ms(s.at)::float8 as at
           from (select 1) one left join lateral (select * from audit_seal order by id desc limit 1) s on true`,
  })
  return rows[0] ?? { unsealed: 0, seals: 0, hash: null, at: null }
}

const READ_AT_ONCE = 2_000

/** All of it, oldest first, in parts; what is written meanwhile comes at the end. */
export async function* readAuditLog(
  { pool }: Database,
  { after, before }: Pick<AuditLogQuery, 'after' | 'before'>,
): AsyncGenerator<readonly AuditLogRow[]> {
  for (let last = '0'; ; ) {
    const { rows } = await pool.query<AuditLogRow>({
      name: 'read-audit-log',
      text: `select ${COLUMNS} from audit_entry e where e.id > $1::bigint and (e.at >= $2 or $2 is null)
               and (e.at < $3 or $3 is null) order by e.id limit ${READ_AT_ONCE}`,
      values: [last, after === null ? null : new Date(after), before === null ? null : new Date(before)],
    })
    if (rows.length === 0) return
    yield rows.map(eventOf)
    last = rows.at(-1)?.id ?? last
  }
}
