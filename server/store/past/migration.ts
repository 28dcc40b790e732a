import type { Migration, Side, Step } from '../../engine/migration/state'
import type { Database } from '../database/database'
import { migrationOf } from '../decode/migration'
import { MIGRATION_JSON } from '../migration/row'

/** A migration with its step at that time. Fields that do not follow from its steps have their present value. */
export interface MigrationAtTime {
  readonly migration: Migration
  /** When it began (ms). It had not ended by then. */
  readonly startedAt: number
}

interface PastMigrationRow extends MigrationAtTime {
  readonly step: Step
  readonly direction: Side
  readonly stepSince: number
  /** Its target was chosen by then. */
  readonly claimed: boolean
}

/** Migrations active at that time (ms), oldest first. */
export async function readMigrationsAt({ pool }: Database, at: number): Promise<readonly MigrationAtTime[]> {
  const { rows } = await pool.query<PastMigrationRow>({
    name: 'migrations-at',
    text: `select ${MIGRATION_JSON} as migration, ms(m.created_at)::float8 as "startedAt",
        s.step, s.direction, ms(s.started_at)::float8 as "stepSince",
        exists (select 1 from migration_step c where c.migration_id = m.id and c.step = 'claim' and c.result = 'done'
          and c.ended_at <= $1) as claimed
      from migration m join lateral (
        select step, direction, started_at from migration_step x
        where x.migration_id = m.id and x.started_at <= $1 order by x.seq desc limit 1) s on true
      where m.created_at <= $1 and (m.ended_at is null or m.ended_at > $1)
      order by m.created_at, m.id`,
    values: [new Date(at)],
  })
  return rows.map(({ migration, startedAt, step, direction, stepSince, claimed }) => ({
    startedAt: startedAt ?? 0,
    // Its outcome, and its waits, had not happened yet or were not stored.
    migration: {
      ...migrationOf(migration),
      target: claimed ? migration.target : null,
      ...{
        step,
        direction,
        stepSince,
        outcome: null,
        cause: null,
        requestedAction: null,
        waiting: null,
        progress: null,
      },
    },
  }))
}
