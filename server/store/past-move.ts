import type { Migration, Side, Step } from '../engine/migration/state'
import type { Database } from './database'
import { MIGRATION_JSON } from './migration-row'

/** A move with the step it was at. What is not a matter of its steps reads as it does now. */
export interface MoveThen {
  readonly migration: Migration
  /** When it began (ms), and when it ended if it has by now. */
  readonly startedAt: number
  readonly endedAt: number | null
}

interface MoveRow extends MoveThen {
  readonly step: Step
  readonly heading: Side
  readonly stepSince: number
}

/** Moves that were under way at that moment (ms), the oldest first. */
export async function readMovesAt({ pool }: Database, at: number): Promise<readonly MoveThen[]> {
  const { rows } = await pool.query<MoveRow>({
    name: 'moves-at',
    text: `select ${MIGRATION_JSON} as migration, ms(m.created_at)::float8 as "startedAt",
        ms(m.ended_at)::float8 as "endedAt", s.step, s.heading, ms(s.started_at)::float8 as "stepSince"
      from migration m join lateral (
        select step, heading, started_at from migration_step x
        where x.migration_id = m.id and x.started_at <= $1 order by x.seq desc limit 1) s on true
      where m.created_at <= $1 and (m.ended_at is null or m.ended_at > $1)
      order by m.created_at, m.id`,
    values: [new Date(at)],
  })
  return rows.map(({ migration, startedAt, endedAt, step, heading, stepSince }) => ({
    ...{ startedAt, endedAt },
    migration: { ...migration, step, heading, stepSince, outcome: null, waiting: null, progress: null },
  }))
}
