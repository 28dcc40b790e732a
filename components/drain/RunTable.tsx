'use client'
import type { RunRow } from '@/server/api/run/view'
import { ListTable } from '../console/list/ListTable'
import { useWholeList } from '../console/list/list'
import { paths } from '../console/paths'
import { TextLink } from '../ui/Link'
import { ShareCell } from '../ui/Meter'
import type { Column } from '../ui/table/column'
import { runList } from './filters'
import { drainWords, runBadges, runKindWords } from './words'

const head = drainWords.columns

const columns: readonly Column<RunRow>[] = [
  {
    id: 'host',
    head: head.host,
    fixed: true,
    width: 130,
    value: (row) => row.host.name,
    cell: (row) => (
      <TextLink href={paths.drain(row.id)} label={drainWords.heading(row.kind, row.host.name)}>
        {row.host.name}
      </TextLink>
    ),
  },
  {
    id: 'kind',
    head: head.kind,
    width: 100,
    value: (row) => row.kind,
    exported: (row) => runKindWords[row.kind],
    cell: (row) => runKindWords[row.kind],
  },
  {
    id: 'state',
    head: head.state,
    width: 110,
    badge: (row) => runBadges[row.state],
  },
  {
    id: 'progress',
    head: head.progress,
    width: 130,
    value: (row) => row.done,
    parts: [
      { id: 'done', head: head.progress, value: (row) => row.done },
      { id: 'total', head: head.total, value: (row) => row.total },
    ],
    cell: (row) => <ShareCell used={row.done} total={row.total} />,
  },
  { id: 'failed', head: head.failed, width: 70, align: 'end', value: (row) => row.failed },
  { id: 'left', head: head.left, width: 60, align: 'end', value: (row) => row.left },
  { id: 'by', head: head.by, width: 110, secondLine: 'value', value: (row) => row.by },
  {
    id: 'at',
    head: head.at,
    width: 118,
    secondLine: 'value',
    value: (row) => row.at,
    timestamp: true,
  },
  {
    id: 'ended',
    head: head.ended,
    width: 118,
    value: (row) => row.endedAt,
    timestamp: true,
  },
  { id: 'reason', head: head.reason, minWidth: 150, secondLine: 'value', value: (row) => row.reason },
]

const rowName = (row: RunRow) => drainWords.heading(row.kind, row.host.name)

export function RunTable({ rows }: { rows: readonly RunRow[] }) {
  const list = useWholeList(rows, runList)
  return <ListTable fill label={drainWords.list} columns={columns} rowName={rowName} list={list} words={drainWords} />
}
