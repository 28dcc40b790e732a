import type { AuditLogField } from '@/lists/audit-log'
import type { Condition } from '@/lists/condition'
import type { Origin } from '../../engine/change'
import { conditionsSql, type Expression, type Fields, type ListPage } from '../database/condition'
import type { Database } from '../database/database'
import { eventOf } from '../decode/event'
import type { TrailRow } from '../event/trail-read'

// Reads the audit log. Newest entries first by id, which needs no sort of all of them.

/** More are not counted, except those up to the entry after the page: a reader of all pages ends where `total` does. */
const ENTRIES_COUNTED = 100_000

/** For an entry of this action, `data` says what was refused and why. */
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

export interface AuditLogRow extends TrailRow {
  readonly id: string
  readonly action: string
  readonly origin: Origin | null
  readonly refused: boolean
}

/** A time as entered, in UTC unless it names a zone: `2026-11-25`, `2026-11-25T14:30`. Null if it is none. */
export function timeFrom(text: string): number | null {
  // Others are read in the zone of the server, or guessed: `5` as a day of 2001.
  const [, date, time = '00:00', zone = 'Z'] = TIME.exec(text) ?? []
  const day = date === undefined ? Number.NaN : Date.parse(date)
  // 30 February is read as 2 March.
  if (!Number.isFinite(day) || !new Date(day).toISOString().startsWith(date ?? '')) return null
  const at = Date.parse(`${date}T${time}${zone}`)
  return Number.isFinite(at) ? at : null
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/

const IS_REFUSED = `e.action = any('{${REFUSALS.join(',')}}')`

// A million entries have some hundred users, actions and hosts: these are searched first, and an index finds the
// entries of those that match. Null is excluded explicitly, because conditions may be negated.

/**
 * The distinct values of an indexed column by a loose index scan: one step for each value, however many entries have
 * it.
 */
const known = (column: string) => `with recursive known(value) as (
    select min(${column}) from audit_entry
    union all
    select (select min(${column}) from audit_entry where ${column} > known.value) from known where known.value is not null
  ) select value from known`
const oneOf = (expression: (entry: string) => string): Expression => {
  const own = expression('e.')
  return {
    fits: (patterns) =>
      `${own} is not null and ${own} = any(array(select value from (${known(expression(''))}) k where value ilike ${patterns}))`,
  }
}
const WHO = oneOf((entry) => `${entry}who`)
const ACTION = oneOf((entry) => `${entry}action`)
/** Each has a partial index of the entries that have the value. */
const PROCEDURE = oneOf((entry) => `(${entry}data ->> 'procedure')`)
const NAME = oneOf((entry) => `(coalesce(${entry}data ->> 'name', ${entry}data ->> 'username'))`)
const ADDRESS = oneOf((entry) => `(${entry}origin ->> 'address')`)
const HOSTS: Expression = {
  fits: (patterns) => `e.hosts && array(select id from host where name ilike ${patterns})`,
}
const INSTANCE: Expression = {
  fits: (patterns) =>
    // A part of a name may fit most of all instances, which PostgreSQL finds in a hash of them and not in a list.
    `e.instance_id is not null and e.instance_id in (select id from instance where name ilike ${patterns})`,
}
const OUTCOME: Expression = {
  fits: (patterns) =>
    `(${IS_REFUSED} and 'refused' ilike ${patterns}) or (not ${IS_REFUSED} and 'done' ilike ${patterns})`,
}
/** Ids are written in lower case. */
const REQUEST: Expression = { fitsOne: (pattern) => `e.request is not null and e.request like lower(${pattern})` }
const FIELDS: Fields<Exclude<AuditLogField, 'after' | 'before'>> = {
  text: [WHO, ACTION, NAME, PROCEDURE, INSTANCE, HOSTS],
  who: [WHO],
  action: [ACTION, PROCEDURE],
  outcome: [OUTCOME],
  instance: [INSTANCE],
  host: [HOSTS],
  role: ["e.origin ->> 'role'"],
  from: [ADDRESS],
  reason: ['e.reason'],
  request: [REQUEST],
}
const IDS = [REQUEST, startOf('instance_id'), startOf('migration_id')]

/** For a UUID prefix and `%`: all ids with that prefix lie between two. */
function startOf(column: string): Expression {
  const filled = (pattern: string, digit: string) => `rpad(translate(${pattern}, '-%', ''), 32, '${digit}')::uuid`
  return {
    fitsOne: (pattern) =>
      `e.${column} is not null and e.${column} between ${filled(pattern, '0')} and ${filled(pattern, 'f')}`,
  }
}

const COLUMNS = `e.id::text, ms(e.at)::float8 as at, e.action, e.who, e.request, e.reason, e.hosts,
  e.instance_id as instance, e.migration_id as migration, e.data, e.origin, ${IS_REFUSED} as refused`

export async function listAuditLog({ pool }: Database, query: AuditLogQuery): Promise<ListPage<AuditLogRow>> {
  const { where, after, before, oldestFirst, offset, limit } = query
  const filter = conditionsSql(where, { fields: FIELDS, ids: IDS, first: 3 })
  // `at` is the time of the decision, `id` the order of writing; they differ by the length of a transaction.
  const fits = `(e.at >= $1 or $1 is null) and (e.at < $2 or $2 is null) and ${filter.sql}`
  const values = [after === null ? null : new Date(after), before === null ? null : new Date(before), ...filter.values]
  const n = values.length
  const { rows } = await pool.query<AuditLogRow>(
    `select ${COLUMNS} from audit_entry e where ${fits} order by e.id ${oldestFirst ? 'asc' : 'desc'} offset $${n + 1} limit $${n + 2}`,
    [...values, offset, limit],
  )
  const shown = rows.map(eventOf)
  // The page reached the end of the log, so no second query has to count the matches.
  if (rows.length < limit && (rows.length > 0 || offset === 0)) return { rows: shown, total: offset + rows.length }
  const counted = await pool.query<{ total: number }>(
    `select count(*)::int as total from (select 1 from audit_entry e where ${fits} limit $${n + 1}) entries`,
    [...values, Math.max(ENTRIES_COUNTED, offset + limit + 1)],
  )
  return { rows: shown, total: counted.rows[0]?.total ?? 0 }
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

/** The whole log, oldest first, in batches; entries written meanwhile come last. */
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
