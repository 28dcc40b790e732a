import { isNotConverging } from '../../engine/migration/converge'
import { overdueFrom, paceOf } from '../../engine/migration/pace'
import type { Migration, Operation, Side, Step } from '../../engine/migration/state'
import type { Database } from '../../store/database/database'
import { readActiveMigrations } from '../../store/migration/list'
import { BUCKETS, type PaceFilter, readPaces, readStepHistory } from '../../store/migration/pace'
import type { Ms } from '../plain'
import type { ApiServices } from '../services'
import { type PaceFinder, targetOf } from './view'

// Baselines of steps from earlier migrations. The engine has the rule.

export interface StepTimesBucket {
  readonly from: Ms
  readonly to: Ms
  readonly samples: number
  readonly p50Ms: number
  readonly p95Ms: number
}

/** Forward durations of one step of one operation. */
export interface StepTimesView {
  readonly operation: Operation
  readonly step: Step
  readonly samples: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** Intervals without a sample are omitted. */
  readonly buckets: readonly StepTimesBucket[]
}

export interface StepHistoryView {
  /** End of the first and the last of the migrations; null when none has ended. */
  readonly range: { readonly from: Ms; readonly to: Ms } | null
  readonly rows: readonly StepTimesView[]
}

/** For each of these migrations, the step durations of earlier ones. */
export async function pacesOf(
  database: Database,
  migrations: readonly Migration[],
): Promise<(migration: Migration) => PaceFinder> {
  const rows = await readPaces(database, migrations.map(askOf))
  const known = new Map(rows.map((row) => [keyOf(row, row), row]))
  return (migration) => {
    const ask = askOf(migration)
    return (step, direction) => {
      const pair = known.get(keyOf(ask, { step, direction })) ?? null
      return paceOf(pair, known.get(keyOf({ ...ask, source: null, target: null }, { step, direction })) ?? null)
    }
  }
}

const askOf = (migration: Migration): PaceFilter => {
  const { operation, source } = migration
  return { operation, source, target: targetOf(migration) }
}

const keyOf = ({ operation, source, target }: PaceFilter, { step, direction }: { step: Step; direction: Side }) =>
  source === null || target === null
    ? `${operation} ${step} ${direction}`
    : `${operation} ${source} ${target} ${step} ${direction}`

/** Active migrations that need attention. One may be in both lists. */
export interface SlowMigrations {
  /** In their step for longer than the baseline. */
  readonly overdue: readonly Migration[]
  readonly notConverging: readonly Migration[]
}

export async function slowMigrations(
  { database, now }: Pick<ApiServices, 'database' | 'now'>,
  active?: readonly Migration[],
): Promise<SlowMigrations> {
  const migrations = active ?? (await readActiveMigrations(database))
  const paces = await pacesOf(database, migrations)
  const at = now()
  const overdue = migrations.filter((migration) => {
    const pace = paces(migration)(migration.step, migration.direction)
    return pace !== null && overdueFrom(migration.stepSince, pace) < at
  })
  return { overdue, notConverging: migrations.filter(isNotConverging) }
}

/** Durations of every step of every operation, in total and in equal intervals of time. */
export async function stepHistory({ database }: ApiServices): Promise<StepHistoryView> {
  const { range, rows } = await readStepHistory(database)
  if (range === null) return { range, rows: [] }
  const length = (range.to - range.from) / BUCKETS
  const wholes = rows.filter(({ bucket }) => bucket === null)
  return {
    range,
    rows: wholes.map(({ operation, step, samples, p50Ms, p95Ms }) => ({
      ...{ operation, step, samples, p50Ms, p95Ms },
      buckets: rows
        .filter((row) => row.operation === operation && row.step === step)
        .flatMap(({ bucket, ...times }): StepTimesBucket[] => {
          if (bucket === null) return []
          const from = range.from + (bucket - 1) * length
          return [{ from, to: from + length, samples: times.samples, p50Ms: times.p50Ms, p95Ms: times.p95Ms }]
        }),
    })),
  }
}
