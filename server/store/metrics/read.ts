import type { Database } from '../database/database'

export interface MigrationCount {
  readonly operation: string
  readonly word: string
  readonly count: number
}

export interface MetricRows {
  /** word: the outcome. */
  readonly ended: readonly MigrationCount[]
  /** word: the step. */
  readonly active: readonly MigrationCount[]
  readonly lagMs: number
  readonly backlog: number
}

/** Figures of the tables for a scrape, from one snapshot. `now` is Berth's clock, not the database's. */
export async function readMetricRows({ pool }: Database, now: number): Promise<MetricRows> {
  const { rows } = await pool.query<{ metrics: MetricRows }>({
    name: 'metrics',
    text: `
      with counts as (
        select operation, outcome, case when outcome is null then step end as step, count(*)::int as count
        from migration group by 1, 2, 3),
      late as (
        select greatest(0, $1::float8 - ms(min(next_at))) as ms from migration where outcome is null and waiting is null)
      select json_build_object(
        'ended', (select coalesce(json_agg(json_build_object('operation', operation, 'word', outcome, 'count', count)), '[]')
                  from counts where outcome is not null),
        'active', (select coalesce(json_agg(json_build_object('operation', operation, 'word', step, 'count', count)), '[]')
                   from counts where outcome is null),
        'lagMs', coalesce((select ms from late), 0),
        'backlog', (select count(*)::int from outbox)) as metrics`,
    values: [now],
  })
  return rows[0]?.metrics ?? { ended: [], active: [], lagMs: 0, backlog: 0 }
}
