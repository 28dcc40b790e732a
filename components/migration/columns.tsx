import type { MigrationView } from '@/server/api/migration/router'
import type { ApiInputs, SortOf } from '@/server/api/router'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { operationWords, stepLooks } from '../step/words'
import { StateBadge } from '../ui/Badge'
import { TextLink } from '../ui/Link'
import { Elapsed } from '../ui/time/Clock'
import {
  due,
  ended,
  heldTwice,
  heldTwiceFor,
  type MigrationColumn,
  overdue,
  progress,
  started,
  took,
  waiting,
  wish,
} from './state-columns'
import { migrationWords, outcomeLooks } from './words'

const head = migrationWords.columns

export const MIGRATION_SORTS = [
  'started',
  'instance',
  'operation',
  'step',
  'source',
  'target',
  'ended',
  'due',
] as const satisfies readonly SortOf<ApiInputs['migration']['list']>[]

const instance: MigrationColumn = {
  id: 'instance',
  head: head.instance,
  fixed: true,
  width: 120,
  sortable: true,
  value: (row) => row.instance.name,
  parts: [
    { id: 'id', head: migrationWords.one, value: (row) => row.id },
    { id: 'instance', head: head.instance, value: (row) => row.instance.name },
  ],
  exportId: (row) => row.instance.id,
  cell: (row) => <TextLink href={paths.migration(row.id)}>{row.instance.name}</TextLink>,
}
const operation: MigrationColumn = {
  id: 'operation',
  head: head.operation,
  width: 112,
  sortable: true,
  value: (row) => operationWords[row.operation].noun,
  cell: (row) => operationWords[row.operation].noun,
}
const from: MigrationColumn = {
  id: 'source',
  head: head.from,
  width: 96,
  sortable: true,
  value: (row) => row.source?.name ?? null,
  exportId: (row) => row.source?.id ?? null,
  cell: (row) => <HostLink host={row.source} />,
}
const to: MigrationColumn = {
  id: 'target',
  head: head.to,
  width: 96,
  sortable: true,
  value: (row) => row.target?.name ?? null,
  exportId: (row) => row.target?.id ?? null,
  cell: (row) =>
    row.target && row.target.id === row.source?.id ? (
      <span className="text-soft">{migrationWords.sameHost}</span>
    ) : (
      <HostLink host={row.target} />
    ),
}
const step: MigrationColumn = {
  id: 'step',
  head: head.step,
  width: 162,
  sortable: true,
  value: (row) => row.outcome ?? row.step,
  exported: (row) => (row.outcome ? outcomeLooks[row.outcome] : stepLooks[row.step]).label,
  cell: (row) => (
    <StateBadge
      look={row.outcome ? outcomeLooks[row.outcome] : stepLooks[row.step]}
      detail={row.outcome ? null : <Elapsed from={row.stepSince} />}
    />
  ),
}
/** Each view shows what one looks for there; the rest can be added by the column picker. */
export const migrationColumns: Readonly<Record<MigrationView, readonly MigrationColumn[]>> = {
  flight: [
    instance,
    operation,
    from,
    to,
    step,
    progress,
    started,
    wish,
    { ...heldTwice, hidden: true },
    { ...overdue, hidden: true },
  ],
  waiting: [
    ...[instance, operation, from, to, step, waiting, heldTwice, heldTwiceFor, due],
    { ...started, hidden: true },
    wish,
    { ...overdue, hidden: true },
  ],
  overdue: [
    ...[{ ...instance, width: 120 }, operation, from, to, step, overdue],
    { ...waiting, hidden: true },
    { ...wish, hidden: true },
    { ...heldTwice, hidden: true },
    { ...started, hidden: true },
  ],
  history: [instance, operation, from, to, step, took, ended, { ...started, hidden: true }],
  all: [instance, operation, from, to, step, waiting, started, ended],
}
