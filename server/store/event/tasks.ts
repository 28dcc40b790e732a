import type { TaskField, TaskResult, TaskSort } from '@/lists/task'
import { conditionsSql, type Fields, type ListPage, type ListQuery, orderSql } from '../database/condition'
import type { Database } from '../database/database'
import { eventOf } from '../decode/event'
import type { TrailRow } from './trail-read'

// Requests of users and programs, and their results. A migration is its own record, even without a request; everything
// else is in the audit entries.

/**
 * The newest that are searched and sorted. In the order of their requests, all are listed; more than these are not
 * counted, except those up to the task after the page: a reader of all pages ends where `total` does.
 */
const TASKS_LISTED = 10_000

export interface TaskRow extends Omit<TrailRow, 'who'> {
  readonly id: string
  /** The event that recorded it, such as `migration.accepted` or `host.status`. */
  readonly action: string
  readonly who: string | null
  readonly result: TaskResult
  readonly endedAt: number | null
  /** Why it failed, rolled back or waits, if recorded. */
  readonly why: string | null
}

/**
 * Audit entries that start nothing: the many writes of Placement clients, saved views, sign-ins, refusals, steps within
 * a run, and the end of what another entry started. A kind that is not named here is listed.
 */
const NO_TASKS = [
  ...['instance.started', 'instance.stopped', 'instance.rebooted', 'instance.paused', 'instance.resumed'],
  ...['instance.power-failed', 'instance.built', 'instance.build-failed', 'instance.deleted', 'instance.shelved'],
  ...['run.planned', 'run.replanned', 'run.overtaken', 'run.followed', 'run.ended', 'run.move-began'],
  ...['run.move-given-up', 'run.guest-stopping', 'run.guest-stopped', 'run.guest-not-stopped'],
  ...['request.refused', 'session.signed-in', 'session.signed-out', 'session.sign-in-refused', 'audit-log.pruned'],
  ...['fencing.ordered', 'fencing.answered', 'fencing.ended'],
  ...['migration.accepted', 'cloud.called', 'cloud.acted', 'cloud.drain-held', 'cloud.drain-ended'],
]

/** The first of these about the same instance ends the request. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  'instance.claimed': ['instance.built', 'instance.build-failed'],
  'instance.deleting': ['instance.deleted'],
  'instance.power-requested': [
    ...['instance.started', 'instance.stopped', 'instance.rebooted', 'instance.paused', 'instance.resumed'],
    'instance.power-failed',
  ],
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')

/** Must match the predicate of the index `audit_entry_task` word for word. */
const IS_TASK = `(action not like 'placement.%' or action = 'placement.released-for-owner') and action not like 'view.%'`

/** A migration that contradictory records block never resumes on its own. */
const underWay = (waits: readonly string[]) => `case when m.waiting ->> 'for' = 'repair' then 'blocked'
      when m.waiting ->> 'for' in (${quoted(waits)}) then 'waiting' else 'running' end`

type Direction = 'asc' | 'desc'

const ofMigrations = (dir: Direction) => `
  select m.id::text as id, 'migration.accepted' as action, m.created_at as at, began.who, began.request, began.reason,
    array_remove(array[m.source, coalesce(m.target, m.requested_target)], null) as hosts, m.instance_id,
    m.id as migration_id, m.instance_name, jsonb_build_object('operation', m.operation) as data,
    coalesce(m.outcome, ${underWay(['person', 'host', 'retry'])}) as result,
    m.ended_at, coalesce(m.cause ->> 'message', case when m.outcome is null then m.waiting ->> 'why' end) as why
  from (select * from migration order by created_at ${dir}, id ${dir} limit $1) m
  left join lateral (
    select who, request, reason, 0 as source from audit_entry where migration_id = m.id and action = 'migration.accepted'
    union all
    select who, request, reason, 1 from event where migration_id = m.id and kind = 'migration.accepted'
    order by source limit 1) began on true`

const REQUESTED = `case a.data ->> 'requestedAction' when 'abort' then 'aborted' when 'revert' then 'reverted' else 'completed' end`

/** A host of a cloud is its own subject; others have an id. */
const CLOUD_OBJECT = `coalesce(ca.name, a.data ->> 'about')`

/** The calls of a repair are not followed: only the audit log has their results. */
const OF_CLOUDS = {
  result: `when a.action = 'cloud.call' then
        case coalesce(ca.state, c.data ->> 'did') when 'done' then 'completed' when 'sent' then 'completed'
          when 'failed' then 'failed' when 'refused' then 'failed' when 'not-sent' then 'failed'
          when 'sending' then 'running' when 'accepted' then 'running' when 'unanswered' then 'running'
          else 'unknown' end
      when a.action = 'cloud.drain-started' then
        case cd.state when 'going' then 'running' when 'done' then 'completed' when 'left' then 'failed'
          when 'stopped' then 'aborted' else 'unknown' end`,
  endedAt: `when a.action = 'cloud.call' and c.at is null then ca.ended_at
      when a.action = 'cloud.call' then c.at
      when a.action = 'cloud.drain-started' then cd.ended_at`,
  instance: `case when a.action = 'cloud.call' and ${CLOUD_OBJECT} is distinct from a.data ->> 'subject' then ${CLOUD_OBJECT} end`,
  why: `ca.says, c.data ->> 'says', cd.says`,
  joins: `left join cloud_action ca on ca.id = case when a.action = 'cloud.call' then (a.data ->> 'action')::uuid end
  left join cloud_drain cd on cd.id = case when a.action = 'cloud.drain-started' then (a.data ->> 'drain')::uuid end
  left join lateral (
    select at, data from audit_entry
    where action = 'cloud.called' and request = a.request and id > a.id and data ->> 'call' = a.data ->> 'call'
    order by id limit 1) c on a.action = 'cloud.call' and a.data ->> 'action' is null`,
} as const

/** Without a report of the machine that it is off, the result of fencing is not known. */
const OF_FENCING = {
  result: `when a.action = 'fencing.asked' then
        case f.state when 'running' then 'running' when 'verified' then 'completed' when 'failed' then 'failed'
          else 'unknown' end`,
  endedAt: `when a.action = 'fencing.asked' then f.ended_at`,
  why: `f.log -> -1 ->> 'says'`,
  joins: `left join fencing f on f.id = case when a.action = 'fencing.asked' then (a.data ->> 'fencing')::uuid end`,
} as const

const ofEntries = (dir: Direction) => `
  select a.id::text, a.action, a.at, a.who, a.request, a.reason, a.hosts, a.instance_id, a.migration_id,
    coalesce(m.instance_name, i.name, ${OF_CLOUDS.instance}), a.data || jsonb_strip_nulls(jsonb_build_object('about', ca.name)),
    case
      when a.action = 'migration.action-requested' and a.data ->> 'requestedAction' <> 'retry' then
        case when m.id is null then 'unknown' when m.outcome is null then ${underWay(['host', 'retry'])}
          when m.outcome = ${REQUESTED} then 'completed' else 'failed' end
      when a.action = 'run.started' then
        case r.state when 'done' then 'completed' when 'stopped' then 'aborted' when 'paused' then 'waiting'
          else 'running' end
      when e.kind is not null then case when e.kind like '%-failed' then 'failed' else 'completed' end
      when a.action = 'instance.claimed' then
        case when i.id is null then 'unknown' when i.vm_state = 'building' then 'running' else 'completed' end
      when a.action = 'instance.deleting' then case when i.id is null then 'completed' else 'running' end
      when a.action = 'instance.power-requested' then
        case when i.power_request is null then 'unknown' else 'running' end
      ${OF_CLOUDS.result}
      ${OF_FENCING.result}
      else 'completed'
    end,
    case
      when a.action = 'migration.action-requested' and a.data ->> 'requestedAction' <> 'retry' then m.ended_at
      when a.action = 'run.started' then r.ended_at
      when a.action in (${quoted(Object.keys(ENDS))}) then e.at
      ${OF_CLOUDS.endedAt}
      ${OF_FENCING.endedAt}
      else a.at
    end,
    coalesce(e.data ->> 'why', r.note, ${OF_CLOUDS.why}, ${OF_FENCING.why}, case when m.outcome is null then m.waiting ->> 'why' end)
  from (
    select * from audit_entry where ${IS_TASK} and action not in (${quoted(NO_TASKS)}) order by id ${dir} limit $1) a
  left join migration m on a.action = 'migration.action-requested' and m.id = a.migration_id
  left join instance i on i.id = a.instance_id
  left join run r on a.action = 'run.started' and r.id::text = a.data ->> 'run'
  ${OF_CLOUDS.joins}
  ${OF_FENCING.joins}
  left join lateral (
    select kind, at, data from event e
    where e.instance_id = a.instance_id and e.at >= a.at and (${Object.entries(ENDS)
      .map(([action, kinds]) => `a.action = '${action}' and e.kind in (${quoted(kinds)})`)
      .join(' or ')})
    order by e.sequence limit 1) e on a.action in (${quoted(Object.keys(ENDS))})`

const HOSTS = { each: 'select name from host where id = any(t.hosts)' } as const
const FIELDS: Fields<TaskField> = {
  text: ['t.instance_name', "t.data ->> 'about'", 't.who', HOSTS],
  task: ['t.action', "t.data ->> 'operation'", "t.data ->> 'requestedAction'"],
  instance: ['t.instance_name'],
  host: [HOSTS],
  who: ['t.who'],
  result: ['t.result'],
  reason: ['t.reason'],
}
const IDS = ['t.id', 't.request', 't.instance_id::text', 't.migration_id::text']

const ORDERS: { readonly [O in TaskSort]: string } = {
  at: 't.at',
  task: 't.action',
  who: 't.who',
  result: 't.result',
  ended: 't.ended_at',
}

/** Newest first. Without conditions, and in the order of their requests, all rows up to the page's end are read. */
export async function listTasks(
  { pool }: Database,
  query: Omit<ListQuery<TaskField, TaskSort>, 'sort' | 'dir'>,
): Promise<ListPage<TaskRow>> {
  const { where = [], order = [], offset, limit } = query
  const plain = where.length === 0 && order.every(({ by }) => by === 'at')
  const dir = plain ? (order[0]?.dir ?? 'desc') : 'desc'
  const filter = conditionsSql(where, { fields: FIELDS, ids: IDS, first: 4 })
  const sorted = order.length > 0 ? `${orderSql(order, ORDERS)}, ` : ''
  const reach = plain ? offset + limit : TASKS_LISTED
  const { rows } = await pool.query<TaskRow & { total: number }>(
    `select t.id, t.action, ms(t.at)::float8 as at, t.who, t.request, t.reason, t.hosts, t.instance_id as instance,
       t.migration_id as migration, t.data, t.result, ms(t.ended_at)::float8 as "endedAt", t.why,
       least(count(*) over (), ${TASKS_LISTED})::int as total
     from (${ofMigrations(dir)} union all ${ofEntries(dir)}) t where ${filter.sql}
     order by ${sorted}t.at desc, t.id desc offset $2 limit $3`,
    [reach, offset, limit, ...filter.values],
  )
  const total = plain ? await countTasks(pool, Math.max(TASKS_LISTED, offset + limit + 1)) : (rows[0]?.total ?? 0)
  return { rows: rows.map(eventOf), total }
}

async function countTasks(pool: Database['pool'], most: number): Promise<number> {
  const { rows } = await pool.query<{ total: number }>({
    name: 'count-tasks',
    text: `select least((select count(*) from (select 1 from migration limit $1) m)
        + (select count(*) from (select 1 from audit_entry
          where ${IS_TASK} and action not in (${quoted(NO_TASKS)}) limit $1) a),
        $1)::int as total`,
    values: [most],
  })
  return rows[0]?.total ?? 0
}
