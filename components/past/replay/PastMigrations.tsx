'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MIGRATION_LIST } from '@/lists/migration'
import type { PastMigration } from '@/server/api/past/router'
import { LoadFailure } from '../../console/Failure'
import { paths } from '../../console/paths'
import { hostContent } from '../../console/refs'
import { useTRPC } from '../../console/trpc'
import { operationWords, stepBadges } from '../../step/words'
import { StateBadge } from '../../ui/Badge'
import { duration } from '../../ui/format'
import { TextLink } from '../../ui/Link'
import { EmptyState } from '../../ui/Message'
import type { Column } from '../../ui/table/column'
import { Table } from '../../ui/table/Table'
import { pastWords } from '../words'
import { replayWords as words } from './words'

const head = MIGRATION_LIST.columns
const rowName = (row: PastMigration) => row.instance.name

const columnsAt = (at: number): readonly Column<PastMigration>[] => [
  {
    id: 'instance',
    head: head.instance.head,
    fixed: true,
    width: 120,
    value: (row) => row.instance.name,
    cell: (row) => (
      <TextLink href={paths.migration(row.id, { at: new Date(at).toISOString() })}>{row.instance.name}</TextLink>
    ),
  },
  {
    id: 'operation',
    head: head.operation.head,
    width: 130,
    secondLine: 'value',
    value: (row) => operationWords[row.operation].noun,
  },
  {
    id: 'from',
    head: head.source.head,
    width: 120,
    secondLine: 'named',
    ...hostContent((r: PastMigration) => r.source, { at }),
  },
  {
    id: 'to',
    head: head.target.head,
    width: 120,
    secondLine: 'named',
    ...hostContent((r: PastMigration) => r.target, { at }),
  },
  {
    id: 'step',
    head: head.step.head,
    width: 190,
    keep: true,
    value: (row) => row.step,
    exported: (row) => stepBadges[row.step].label,
    cell: (row) => <StateBadge badge={stepBadges[row.step]} detail={duration(at - row.stepSince)} />,
  },
]

/** Migrations in flight at that time, with their steps. */
export function PastMigrations({ at }: { at: number }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.past.migrations.queryOptions({ at }, { placeholderData: keepPreviousData, retry: false }))
  return (
    <Table
      fill
      label={words.migrations}
      columns={columnsAt(at)}
      rows={query.data}
      failure={query.error ? <LoadFailure error={query.error} what={pastWords.what} refetch={query.refetch} /> : null}
      rowName={rowName}
      question={String(at)}
      empty={<EmptyState title={words.noMigrations}>{words.noMigrationsMore}</EmptyState>}
    />
  )
}
