import type { Migration, Operation, Outcome, StepRecord, Waiting } from '../engine/migration/state'
import { STEPS } from '../engine/migration/state'
import type { MigrationId } from '../engine/words/ids'
import type { Database } from './database'
import { type Listed, likeText } from './instance-list'
import { MIGRATION_JSON, STEP_JSON } from './migration-row'

export type MigrationOrder = 'started' | 'instance' | 'operation' | 'step' | 'source' | 'target' | 'ended' | 'due'
/** flight: being carried, or queued for a slot. waiting: for a person, a host or a retry. */
export type MigrationScope = 'flight' | 'waiting' | 'history' | 'all'

export interface MigrationQuery {
  readonly view: MigrationScope
  /** Part of the instance's name, or a whole id of the migration or the instance. */
  readonly q?: string | undefined
  readonly operation?: readonly Operation[] | undefined
  readonly outcome?: readonly Outcome[] | undefined
  readonly waitingFor?: readonly Waiting['for'][] | undefined
  readonly host?: string | undefined
  readonly instance?: string | undefined
  readonly sort?: MigrationOrder | undefined
  readonly dir?: 'asc' | 'desc' | undefined
  readonly offset: number
  readonly limit: number
}

export interface MigrationFound {
  readonly migration: Migration
  readonly endedAt: number | null
}

const ORDERS: { readonly [O in MigrationOrder]: string } = {
  started: 'm.created_at',
  instance: 'm.instance_name',
  operation: 'm.operation',
  step: `array_position(array['${STEPS.join("','")}'], m.step)`,
  source: '(select name from host where id = m.source)',
  target: '(select name from host where id = coalesce(m.target, m.requested_target))',
  ended: 'm.ended_at',
  due: 'm.due_at',
}

const STUCK = "m.waiting ->> 'for' in ('person', 'host', 'retry')"
const SCOPES: { readonly [S in MigrationScope]: string } = {
  flight: `m.outcome is null and (${STUCK}) is not true`,
  waiting: `m.outcome is null and ${STUCK}`,
  history: 'm.outcome is not null',
  all: 'true',
}

const WHERE = `
  ($1::text is null or m.instance_name ilike '%' || $1 || '%' or lower($2) in (m.id::text, m.instance_id::text))
  and ($3::text[] is null or m.operation = any($3))
  and ($4::text[] is null or m.outcome = any($4))
  and ($5::text[] is null or m.waiting ->> 'for' = any($5))
  and ($6::uuid is null or $6 in (m.source, m.target, m.requested_target))
  and ($7::uuid is null or m.instance_id = $7)`

const FOUND = `${MIGRATION_JSON} as migration, ms(m.ended_at)::float8 as "endedAt"`

export async function listMigrations({ pool }: Database, query: MigrationQuery): Promise<Listed<MigrationFound>> {
  const { view, q, operation, outcome, waitingFor, host, instance, offset, limit } = query
  const { sort = 'started', dir = 'desc' } = query
  const filter = [
    ...[likeText(q), q ?? null, operation ?? null, outcome ?? null],
    ...[waitingFor ?? null, host ?? null, instance ?? null],
  ]
  const from = `from migration m where ${SCOPES[view]} and ${WHERE}`
  const [counted, listed] = await Promise.all([
    pool.query<{ total: number }>(`select count(*)::int as total ${from}`, filter),
    pool.query<MigrationFound>(
      `select ${FOUND} ${from} order by ${ORDERS[sort]} ${dir} nulls last, m.id offset $8 limit $9`,
      [...filter, offset, limit],
    ),
  ])
  return { rows: listed.rows, total: counted.rows[0]?.total ?? 0 }
}

/** Every move that has not ended. */
export async function readActiveMigrations({ pool }: Database): Promise<Migration[]> {
  const { rows } = await pool.query<{ migration: Migration }>({
    name: 'active-migrations',
    text: `select ${MIGRATION_JSON} as migration from migration m where m.outcome is null order by m.created_at, m.id`,
  })
  return rows.map(({ migration }) => migration)
}

/** The migrations with those ids, in no order; unknown ids are left out. */
export async function readMigrations({ pool }: Database, ids: readonly MigrationId[]): Promise<MigrationFound[]> {
  const { rows } = await pool.query<MigrationFound>({
    name: 'migrations-by-id',
    text: `select ${FOUND} from migration m where m.id = any($1::uuid[])`,
    values: [ids],
  })
  return rows
}

export async function readSteps({ pool }: Database, ids: readonly MigrationId[]): Promise<StepRecord[]> {
  const { rows } = await pool.query<{ step: StepRecord }>({
    name: 'steps-of',
    text: `select ${STEP_JSON} as step from migration_step s where s.migration_id = any($1::uuid[])
           order by s.migration_id, s.seq`,
    values: [ids],
  })
  return rows.map(({ step }) => step)
}

export async function countMigrations({
  pool,
}: Database): Promise<Record<MigrationScope, number> & { queued: number }> {
  const counts = Object.entries(SCOPES).map(([scope, test]) => `count(*) filter (where ${test})::int as ${scope}`)
  const queued = "count(*) filter (where m.outcome is null and m.waiting ->> 'for' = 'slot')::int as queued"
  const { rows } = await pool.query(`select ${[...counts, queued].join(', ')} from migration m`)
  return rows[0]
}
