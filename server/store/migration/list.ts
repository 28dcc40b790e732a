import type { MigrationField, MigrationSort } from '@/lists/migration'
import type { Migration, Operation, Outcome, StepRecord, WaitReason } from '../../engine/migration/state'
import { STEPS } from '../../engine/migration/state'
import type { MigrationId } from '../../engine/words/ids'
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
import { migrationOf, stepOf } from '../decode/migration'
import { MIGRATION_JSON, STEP_JSON } from './row'

/** flight: active, or queued for a slot. waiting: for a decision, a host or a retry. */
export type MigrationScope = 'flight' | 'waiting' | 'overdue' | 'history' | 'all'

export interface MigrationQuery extends ListQuery<MigrationField, MigrationSort> {
  readonly view: MigrationScope
  /** Part of the instance's name, or a whole id of the migration or the instance. */
  readonly q?: string | undefined
  readonly operation?: readonly Operation[] | undefined
  readonly outcome?: readonly Outcome[] | undefined
  readonly waitingFor?: readonly WaitReason['for'][] | undefined
  readonly host?: string | undefined
  readonly instance?: string | undefined
  /** Overdue migrations, for the view and the `state` of that name. */
  readonly overdue?: readonly MigrationId[] | undefined
  /** Migrations whose transfer does not converge, for the `state` of that name. */
  readonly notConverging?: readonly MigrationId[] | undefined
}

export interface ListedMigration {
  readonly migration: Migration
  readonly endedAt: number | null
}

const OLD_HOST = '(select name from host where id = m.source)'
const NEW_HOST = '(select name from host where id = coalesce(m.target, m.requested_target))'

const ORDERS: { readonly [O in MigrationSort]: string } = {
  started: 'm.created_at',
  instance: 'm.instance_name',
  operation: 'm.operation',
  step: `array_position(array['${STEPS.join("','")}'], m.step)`,
  source: OLD_HOST,
  target: NEW_HOST,
  ended: 'm.ended_at',
  due: 'm.due_at',
}

const STUCK = "m.waiting ->> 'for' in ('person', 'host', 'retry', 'repair')"
const SCOPES: { readonly [S in MigrationScope]: string } = {
  flight: `m.outcome is null and (${STUCK}) is not true`,
  waiting: `m.outcome is null and ${STUCK}`,
  // The caller decides it from the history of steps.
  overdue: 'm.outcome is null',
  history: 'm.outcome is not null',
  all: 'true',
}

const OVERDUE = "case when m.id = any($9::uuid[]) then 'overdue' end"
const NOT_CONVERGING = "case when m.id = any($10::uuid[]) then 'not-converging' end"

const FIELDS: Fields<MigrationField> = {
  text: ['m.instance_name'],
  instance: ['m.instance_name'],
  host: [OLD_HOST, NEW_HOST],
  from: [OLD_HOST],
  to: [NEW_HOST],
  operation: ['m.operation'],
  step: ['m.step'],
  state: [
    `case when m.outcome is not null then m.outcome when ${STUCK} then 'waiting' else 'flight' end`,
    "case when m.outcome is null and m.waiting ->> 'for' = 'slot' then 'queued' end",
    OVERDUE,
    NOT_CONVERGING,
  ],
  outcome: ['m.outcome'],
  waiting: ["m.waiting ->> 'for'"],
  requested: ['m.requested_action'],
}

const IDS = ['m.id::text', 'm.instance_id::text']

const WHERE = `
  ($1::text is null or m.instance_name ilike '%' || $1 || '%' or lower($2) in (m.id::text, m.instance_id::text))
  and ($3::text[] is null or m.operation = any($3))
  and ($4::text[] is null or m.outcome = any($4))
  and ($5::text[] is null or m.waiting ->> 'for' = any($5))
  and ($6::uuid is null or $6 in (m.source, m.target, m.requested_target))
  and ($7::uuid is null or m.instance_id = $7)
  and ($8 or m.id = any($9::uuid[]))
  and $10::uuid[] is not null`

/** A migration as one JSON object, with its end time, which only the row has. */
export const LISTED_MIGRATION = `${MIGRATION_JSON} as migration, ms(m.ended_at)::float8 as "endedAt"`

const readable = (found: ListedMigration): ListedMigration => ({ ...found, migration: migrationOf(found.migration) })

export async function listMigrations({ pool }: Database, query: MigrationQuery): Promise<ListPage<ListedMigration>> {
  const { view, q, operation, outcome, waitingFor, host, instance } = query
  const plain = [
    ...[likeText(q), q ?? null, operation ?? null, outcome ?? null],
    ...[waitingFor ?? null, host ?? null, instance ?? null],
    ...[view !== 'overdue', query.overdue ?? [], query.notConverging ?? []],
  ]
  const where = conditionsSql(query.where ?? [], { fields: FIELDS, ids: IDS, first: plain.length + 1 })
  const order = `${orderSql(askedOrder(query, { by: 'started', dir: 'desc' }), ORDERS)}, m.id`
  const from = `from migration m where ${SCOPES[view]} and ${WHERE} and ${where.sql}`
  const page = { columns: LISTED_MIGRATION, from, values: [...plain, ...where.values], order }
  const { rows, total } = await readPage<ListedMigration>(pool, page, query)
  return { rows: rows.map(readable), total }
}

/** Every migration that has not ended. */
export async function readActiveMigrations({ pool }: Database): Promise<Migration[]> {
  const { rows } = await pool.query<{ migration: Migration }>({
    name: 'active-migrations',
    text: `select ${MIGRATION_JSON} as migration from migration m where m.outcome is null order by m.created_at, m.id`,
  })
  return rows.map(({ migration }) => migrationOf(migration))
}

/** The migrations with those ids, in no order; unknown ids are left out. */
export async function readMigrations({ pool }: Database, ids: readonly MigrationId[]): Promise<ListedMigration[]> {
  const { rows } = await pool.query<ListedMigration>({
    name: 'migrations-by-id',
    text: `select ${LISTED_MIGRATION} from migration m where m.id = any($1::uuid[])`,
    values: [ids],
  })
  return rows.map(readable)
}

export async function readSteps({ pool }: Database, ids: readonly MigrationId[]): Promise<StepRecord[]> {
  const { rows } = await pool.query<{ step: StepRecord }>({
    name: 'steps-of',
    text: `select ${STEP_JSON} as step from migration_step s where s.migration_id = any($1::uuid[])
           order by s.migration_id, s.seq`,
    values: [ids],
  })
  return rows.map(({ step }) => stepOf(step))
}

/** Without overdue migrations, which the caller counts. */
export async function countMigrations({
  pool,
}: Database): Promise<Record<Exclude<MigrationScope, 'overdue'>, number> & { queued: number }> {
  const counts = Object.entries(SCOPES).map(([scope, test]) => `count(*) filter (where ${test})::int as ${scope}`)
  const queued = "count(*) filter (where m.outcome is null and m.waiting ->> 'for' = 'slot')::int as queued"
  const { rows } = await pool.query(`select ${[...counts, queued].join(', ')} from migration m`)
  return rows[0]
}
