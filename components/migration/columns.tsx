import { MIGRATION_LIST } from '@/lists/migration'
import type { MigrationView } from '@/server/api/migration/router'
import type { MigrationRow } from '@/server/api/migration/view'
import { type Cells, columnsOf } from '../console/list/columns'
import { paths } from '../console/paths'
import { HostLink, hostContent } from '../console/refs'
import { operationWords, stepBadges } from '../step/words'
import { StateBadge } from '../ui/Badge'
import { TextLink } from '../ui/Link'
import type { Column } from '../ui/table/column'
import { Elapsed } from '../ui/time/Clock'
import { stateCells } from './state-columns'
import { migrationWords, outcomeBadges } from './words'

const cells: Cells<MigrationRow, typeof MIGRATION_LIST> = {
  ...stateCells,
  instance: {
    fixed: true,
    width: 120,
    value: (row) => row.instance.name,
    parts: [
      { id: 'id', head: migrationWords.one, value: (row) => row.id },
      { id: 'instance', head: MIGRATION_LIST.columns.instance.head, value: (row) => row.instance.name },
    ],
    exportId: (row) => row.instance.id,
    cell: (row) => <TextLink href={paths.migration(row.id)}>{row.instance.name}</TextLink>,
  },
  operation: {
    width: 112,
    secondLine: 'value',
    value: (row) => operationWords[row.operation].noun,
  },
  source: {
    width: 96,
    secondLine: 'named',
    ...hostContent((row: MigrationRow) => row.source),
  },
  target: {
    width: 96,
    secondLine: 'named',
    value: (row) => row.target?.name ?? null,
    exportId: (row) => row.target?.id ?? null,
    cell: (row) =>
      row.target && row.target.id === row.source?.id ? (
        <span className="text-soft">{migrationWords.sameHost}</span>
      ) : (
        <HostLink host={row.target} />
      ),
  },
  step: {
    width: 162,
    keep: true,
    value: (row) => row.outcome ?? row.step,
    exported: (row) => (row.outcome ? outcomeBadges[row.outcome] : stepBadges[row.step]).label,
    cell: (row) => (
      <StateBadge
        badge={row.outcome ? outcomeBadges[row.outcome] : stepBadges[row.step]}
        detail={row.outcome ? null : <Elapsed from={row.stepSince} />}
      />
    ),
  },
}

const {
  instance,
  operation,
  source: from,
  target: to,
  step,
  waiting,
  progress,
  started,
  ended,
  took,
  due,
  requested,
  twice,
  twiceFor,
  overdue,
} = columnsOf(MIGRATION_LIST, cells)

/** Each view shows its most relevant columns; the column picker adds the rest. */
export const migrationColumns: Readonly<Record<MigrationView, readonly Column<MigrationRow>[]>> = {
  flight: [
    instance,
    operation,
    from,
    to,
    step,
    progress,
    started,
    requested,
    { ...twice, hidden: true },
    { ...overdue, hidden: true },
  ],
  waiting: [
    // What it waits for comes before its hosts: a phone has space for few columns.
    ...[instance, operation, waiting, from, to, step, twice, twiceFor, due],
    { ...started, hidden: true },
    requested,
    { ...overdue, hidden: true },
  ],
  overdue: [
    ...[{ ...instance, width: 120 }, operation, from, to, step, overdue],
    { ...waiting, hidden: true },
    { ...requested, hidden: true },
    { ...twice, hidden: true },
    { ...started, hidden: true },
  ],
  history: [instance, operation, from, to, step, took, ended, { ...started, hidden: true }],
  all: [instance, operation, from, to, step, waiting, started, ended],
}
