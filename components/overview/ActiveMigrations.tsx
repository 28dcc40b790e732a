import { MIGRATION_LIST } from '@/lists/migration'
import type { MigrationRow } from '@/server/api/migration/view'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { flightWords, operationWords, stepBadges } from '../step/words'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { bytes } from '../ui/format'
import { Glyph } from '../ui/Glyph'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { Elapsed } from '../ui/time/Clock'
import { overviewWords } from './words'

const head = MIGRATION_LIST.columns

const columns: readonly Column<MigrationRow>[] = [
  {
    id: 'instance',
    head: head.instance.head,
    fixed: true,
    width: 84,
    value: (row) => row.instance.name,
    cell: (row) => <TextLink href={paths.migration(row.id)}>{row.instance.name}</TextLink>,
  },
  {
    id: 'operation',
    head: head.operation.head,
    width: 104,
    value: (row) => operationWords[row.operation].noun,
  },
  {
    id: 'hosts',
    head: overviewWords.fromTo,
    width: 170,
    secondLine: 'value',
    parts: [
      { id: 'source', head: overviewWords.from, value: (row) => row.source?.name ?? null },
      { id: 'target', head: overviewWords.to, value: (row) => row.target?.name ?? null },
    ],
    cell: (row) => (
      <span className="flex items-center gap-1.5">
        <HostLink host={row.source} />
        <Glyph shape="arrow" className="text-faint" />
        {row.target && row.target.id === row.source?.id ? flightWords.sameHost : <HostLink host={row.target} />}
      </span>
    ),
  },
  {
    id: 'step',
    head: head.step.head,
    width: 150,
    keep: true,
    value: (row) => row.step,
    exported: (row) => stepBadges[row.step].label,
    cell: (row) => <StateBadge badge={stepBadges[row.step]} detail={<Elapsed from={row.stepSince} />} />,
  },
  {
    id: 'left',
    head: head.progress.head,
    width: 104,
    secondLine: 'value',
    align: 'end',
    value: (row) => row.progress?.remainingBytes ?? null,
    exportUnit: 'bytes',
    cell: (row) =>
      row.progress && row.step === 'transfer' ? (
        <span className="flex items-center justify-end gap-1 whitespace-nowrap">
          {row.notConverging ? (
            <span className="text-warn" title={overviewWords.notConverging}>
              <Glyph shape="triangle" /> <span className="sr-only">{flightWords.notConverging}</span>
            </span>
          ) : null}
          {flightWords.left(bytes(row.progress.remainingBytes))}
        </span>
      ) : (
        dash
      ),
  },
]

export function ActiveMigrations({ migrations }: { migrations: readonly MigrationRow[] }) {
  return (
    <Table
      frameless
      label={overviewWords.migrations}
      columns={columns}
      rows={migrations}
      empty={<EmptyState title={flightWords.none}>{flightWords.noneMore}</EmptyState>}
    />
  )
}
