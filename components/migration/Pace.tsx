'use client'
import { MIGRATION_LIST } from '@/lists/migration'
import type { MigrationRow, PaceView } from '@/server/api/migration/view'
import { Badge, StateBadge } from '../ui/Badge'
import { duration } from '../ui/format'
import type { ExportPart } from '../ui/table/column'
import { wholeSeconds } from '../ui/table/exported'
import { useNow } from '../ui/time/Clock'
import { migrationWords } from './words'

const words = migrationWords.pace

const overdueBadge = { shape: 'triangle', tone: 'warn', label: words.overdue } as const

type Overdue = Pick<MigrationRow, 'overdueAt' | 'pace'>

/** How long a migration has been overdue by its history; null if it is not, or if there is no baseline. */
export function useOverdueBy({ overdueAt }: Overdue): number | null {
  const now = useNow()
  return overdueAt === null || now <= overdueAt ? null : now - overdueAt
}

/** The p95 with its sample count and scope: a number without its samples is a guess. */
export const paceText = (pace: PaceView | null): string =>
  pace === null
    ? words.none
    : pace.scope === 'pair'
      ? words.pair(duration(pace.p95Ms), pace.samples)
      : words.step(duration(pace.p95Ms), pace.samples, pace.pairSamples)

export const PaceText = ({ pace }: { pace: PaceView | null }) => (
  <span className={pace ? 'text-soft' : 'text-faint'} title={paceText(pace)}>
    {paceText(pace)}
  </span>
)

export function OverdueBadge({ migration }: { migration: Overdue }) {
  const by = useOverdueBy(migration)
  return by === null ? null : <Badge badge={overdueBadge} detail={words.by(duration(by))} />
}

/** The same for export: the caller passes the time, as nothing ticks there. */
export const overdueParts: readonly ExportPart<MigrationRow>[] = [
  {
    id: 'overdue',
    head: MIGRATION_LIST.columns.overdue.head,
    exportUnit: 'seconds',
    value: ({ outcome, overdueAt }, now) =>
      outcome !== null || overdueAt === null || now <= overdueAt ? null : wholeSeconds(now - overdueAt),
  },
  {
    id: 'p95',
    head: migrationWords.p95,
    exportUnit: 'seconds',
    value: ({ pace }) => wholeSeconds(pace?.p95Ms ?? null),
  },
  { id: 'samples', head: migrationWords.samples, value: ({ pace }) => pace?.samples ?? null },
]

/** In a row: how long it is overdue and by what history, or from when it would be. */
export function OverdueCell({ migration }: { migration: Overdue }) {
  const by = useOverdueBy(migration)
  if (by === null) return <PaceText pace={migration.pace} />
  return <StateBadge badge={overdueBadge} detail={words.byWith(duration(by), paceText(migration.pace))} />
}
