import type { MigrationRow, MigrationSort, MigrationView } from '@/server/api/contract-moves'
import { heldText } from '../claim/words'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { StateBadge } from '../ui/Badge'
import { Elapsed, RelativeTime } from '../ui/Clock'
import { TextLink } from '../ui/Link'
import type { Column } from '../ui/table/column'
import { ProgressCell } from './ProgressCell'
import { WishChips } from './WishChips'
import { migrationWords, operationWords, outcomeLooks, stepLooks, waitingLooks, waitingText } from './words'

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
] as const satisfies readonly MigrationSort[]

const dash = <span className="text-faint">–</span>

type MigrationColumn = Column<MigrationRow>

const instance: MigrationColumn = {
  id: 'instance',
  head: head.instance,
  fixed: true,
  minWidth: 120,
  sortable: true,
  value: (row) => row.instance.name,
  cell: (row) => <TextLink href={paths.migration(row.id)}>{row.instance.name}</TextLink>,
}
const operation: MigrationColumn = {
  id: 'operation',
  head: head.operation,
  width: 120,
  sortable: true,
  value: (row) => operationWords[row.operation].noun,
  cell: (row) => operationWords[row.operation].noun,
}
const from: MigrationColumn = {
  id: 'source',
  head: head.from,
  width: 120,
  sortable: true,
  value: (row) => row.source?.name ?? null,
  cell: (row) => <HostLink host={row.source} />,
}
const to: MigrationColumn = {
  id: 'target',
  head: head.to,
  width: 120,
  sortable: true,
  value: (row) => row.target?.name ?? null,
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
  width: 175,
  sortable: true,
  value: (row) => row.outcome ?? row.step,
  cell: (row) => (
    <StateBadge
      look={row.outcome ? outcomeLooks[row.outcome] : stepLooks[row.step]}
      detail={row.outcome ? null : <Elapsed from={row.stepSince} />}
    />
  ),
}
const waiting: MigrationColumn = {
  id: 'waiting',
  head: head.waiting,
  width: 250,
  value: (row) => (row.waiting ? `${row.waiting.for}: ${waitingText(row.waiting)}` : null),
  cell: (row) =>
    row.waiting ? <StateBadge look={waitingLooks[row.waiting.for]} detail={waitingText(row.waiting)} /> : dash,
}
const progress: MigrationColumn = {
  id: 'progress',
  head: head.progress,
  width: 210,
  value: (row) => row.progress?.remainingBytes ?? null,
  cell: (row) => <ProgressCell row={row} />,
}
const wish: MigrationColumn = {
  id: 'wish',
  head: head.wish,
  width: 200,
  value: (row) => row.wish?.wish ?? null,
  cell: (row) => (row.wish ? <WishChips trail={row.wish} /> : dash),
}
const started: MigrationColumn = {
  id: 'started',
  head: head.started,
  width: 110,
  sortable: true,
  value: (row) => row.startedAt,
  cell: (row) => <RelativeTime at={row.startedAt} />,
}
const took: MigrationColumn = {
  id: 'took',
  head: head.took,
  width: 100,
  align: 'end',
  value: (row) => (row.endedAt ?? 0) - row.startedAt,
  cell: (row) => <Elapsed from={row.startedAt} to={row.endedAt} />,
}
const ended: MigrationColumn = {
  id: 'ended',
  head: head.ended,
  width: 110,
  sortable: true,
  value: (row) => row.endedAt,
  cell: (row) => (row.endedAt === null ? dash : <RelativeTime at={row.endedAt} />),
}
const due: MigrationColumn = {
  id: 'due',
  head: head.due,
  width: 105,
  sortable: true,
  value: (row) => row.dueAt,
  cell: (row) => (row.dueAt === null ? dash : <RelativeTime at={row.dueAt} />),
}
const heldTwice: MigrationColumn = {
  id: 'twice',
  head: head.heldTwice,
  width: 195,
  value: (row) => (row.heldTwice ? heldText(row.heldTwice) : null),
  cell: (row) => (row.heldTwice ? <span className="text-twice">{heldText(row.heldTwice)}</span> : dash),
}

/** Each view shows what one looks for there; the rest can be added by the column picker. */
export const migrationColumns: Readonly<Record<MigrationView, readonly MigrationColumn[]>> = {
  flight: [instance, operation, from, to, step, progress, wish, started, { ...heldTwice, hidden: true }],
  waiting: [instance, operation, from, to, step, waiting, heldTwice, due, { ...started, hidden: true }, wish],
  history: [instance, operation, from, to, step, took, ended, { ...started, hidden: true }],
  all: [instance, operation, from, to, step, waiting, started, ended],
}
