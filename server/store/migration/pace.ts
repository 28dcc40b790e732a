import { PACE_SAMPLES, type StepTimes } from '../../engine/migration/pace'
import type { Operation, Side, Step } from '../../engine/migration/state'
import type { Database } from '../database/database'

// How long steps took in ended migrations. Only completed steps count: one that failed or rolled back says nothing
// about the duration, and an automatic confirm says nothing about how long operators take.

/** Per pair of hosts, or per operation, this many of the newest migrations count. */
const NEWEST = 500

export interface PaceFilter {
  readonly operation: Operation
  readonly source: string | null
  readonly target: string | null
}

export interface PaceRow extends StepTimes {
  readonly operation: Operation
  /** Null, like `target`, for all migrations of the operation. */
  readonly source: string | null
  readonly target: string | null
  readonly step: Step
  readonly direction: Side
}

const TOOK = 'extract(epoch from s.ended_at - s.started_at)::float8 * 1000'
const QUANTILES = `count(*)::int as samples,
  percentile_cont(0.5) within group (order by took) as "p50Ms",
  percentile_cont(0.95) within group (order by took) as "p95Ms"`
const STEPS = `migration_step s on s.migration_id = m.id and s.result = 'done'
  and (s.step <> 'verify' or m.confirm_window_ms is distinct from 0)`
const newest = (where: string) => `lateral (select id, confirm_window_ms from migration m
  where ${where} and m.outcome is not null order by m.ended_at desc limit ${NEWEST}) m join ${STEPS}`

/** Durations of every step, between the hosts of each query and over all migrations of its operation. */
export async function readPaces({ pool }: Database, filters: readonly PaceFilter[]): Promise<PaceRow[]> {
  if (filters.length === 0) return []
  const { rows } = await pool.query<PaceRow>({
    name: 'paces',
    text: `with asked as (
        select distinct * from jsonb_to_recordset($1::jsonb) as r(operation text, source uuid, target uuid)),
      done as (
        select a.operation, a.source, a.target, s.step, s.direction, ${TOOK} as took
        from asked a cross join ${newest('m.operation = a.operation and m.source = a.source and m.target = a.target')}
        union all
        select a.operation, null, null, s.step, s.direction, ${TOOK}
        from (select distinct operation from asked) a cross join ${newest('m.operation = a.operation')})
      select operation, source, target, step, direction, ${QUANTILES} from done group by 1, 2, 3, 4, 5`,
    values: [JSON.stringify(filters)],
  })
  return rows
}

export interface StepTimesRow extends StepTimes {
  readonly operation: Operation
  readonly step: Step
  /** From 1; null for the whole time. */
  readonly bucket: number | null
}

const LATEST_MIGRATIONS = 5_000
export const BUCKETS = 12

export interface StepHistory {
  /** When the oldest and the newest of the migrations ended; null when none has. */
  readonly range: { readonly from: number; readonly to: number } | null
  readonly rows: readonly StepTimesRow[]
}

/** What each step of each operation took on the way forward, over the newest migrations, in equal stretches of time. */
export async function readStepHistory({ pool }: Database): Promise<StepHistory> {
  const { rows } = await pool.query<StepTimesRow & { from: number; to: number }>({
    name: 'step-history',
    text: `with latest as (
        select id, operation, ended_at, confirm_window_ms from migration where outcome is not null order by ended_at desc limit ${LATEST_MIGRATIONS}),
      range as (select min(ended_at) as lo, max(ended_at) as hi from latest),
      done as (
        select m.operation, s.step, ${TOOK} as took, ms(r.lo)::float8 as "from", ms(r.hi)::float8 as "to",
          least(width_bucket(ms(m.ended_at), ms(r.lo), ms(r.hi) + 1, ${BUCKETS}), ${BUCKETS}) as bucket
        from range r, latest m join ${STEPS} and s.direction = 'target' and s.step <> 'ended')
      select operation, step, bucket, min("from") as "from", max("to") as "to", ${QUANTILES}
      from done group by grouping sets ((operation, step), (operation, step, bucket)) order by 1, 2, 3`,
  })
  const [first] = rows
  return {
    range: first ? { from: first.from, to: first.to } : null,
    rows: rows.map(({ operation, step, bucket, samples, p50Ms, p95Ms }) => {
      return { operation, step, bucket, samples, p50Ms, p95Ms }
    }),
  }
}

export interface CarriedBandwidth {
  readonly bytesPerS: number
  readonly migrations: number
}

/** Median copy rate of the newest completed live migrations between two hosts; null without any. */
export async function readCarriedBandwidth(
  { pool }: Database,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<CarriedBandwidth | null> {
  const { rows } = await pool.query<{ migrations: number; p50: number | null }>({
    name: 'carried-bandwidth',
    text: `select count(*)::int as migrations, percentile_cont(0.5) within group (order by rate) as p50 from (
        select (progress ->> 'bandwidthBytesPerS')::float8 as rate from migration
        where operation = 'live-migrate' and outcome = 'completed' and source = $1 and target = $2
          and (progress ->> 'bandwidthBytesPerS')::float8 > 0
        order by ended_at desc limit ${NEWEST}) newest`,
    values: [source, target],
  })
  const [row] = rows
  return row?.p50 == null ? null : { bytesPerS: Math.round(row.p50), migrations: row.migrations }
}

/** Median downtime of a live migration (ms); null while too few reported it. */
export async function readLiveDowntime({ pool }: Database): Promise<number | null> {
  const { rows } = await pool.query<{ samples: number; p50: number | null }>({
    name: 'live-downtime',
    text: `select count(*)::int as samples, percentile_cont(0.5) within group (order by down) as p50 from (
        select (progress ->> 'downtimeMs')::float8 as down from migration
        where operation = 'live-migrate' and outcome = 'completed' and progress ->> 'downtimeMs' is not null
        order by ended_at desc limit ${NEWEST}) newest`,
  })
  const [row] = rows
  return row && row.samples >= PACE_SAMPLES ? row.p50 : null
}
