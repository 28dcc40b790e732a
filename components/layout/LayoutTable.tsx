'use client'
import { useMemo } from 'react'
import type { LayoutRow } from '@/server/api/layout/view'
import { ListTable } from '../console/list/ListTable'
import type { useWholeList } from '../console/list/list'
import { hostContent } from '../console/refs'
import { hostWords } from '../host/words'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import type { Column } from '../ui/table/column'
import { RowOpener } from '../ui/table/RowOpener'
import type { TableProps } from '../ui/table/Table'
import { layoutBadges, layoutMeans, layoutWords as words } from './words'

const head = words.columns

const columns = (onOpen: (host: string) => void): readonly Column<LayoutRow>[] => [
  {
    id: 'host',
    head: head.host,
    fixed: true,
    width: 110,
    ...hostContent((row: LayoutRow) => row.host),
  },
  {
    id: 'state',
    head: head.state,
    width: 135,
    value: (row) => row.state,
    exported: (row) => layoutBadges[row.state].label,
    cell: (row) => (
      <span title={layoutMeans[row.state]}>
        <StateBadge badge={layoutBadges[row.state]} />
      </span>
    ),
  },
  {
    id: 'tree',
    head: head.tree,
    width: 104,
    cell: (row) => (
      <RowOpener label={words.open(row.host.name)} onOpen={() => onOpen(row.host.id)}>
        {words.show}
      </RowOpener>
    ),
  },
  { id: 'why', head: head.why, minWidth: 180, secondLine: 'value', value: (row) => row.blockedBy },
  { id: 'zone', head: head.zone, width: 65, secondLine: 'value', value: (row) => row.zone },
  {
    id: 'consumers',
    head: head.consumers,
    width: 105,
    secondLine: 'named',
    align: 'end',
    value: (row) => row.consumers,
  },
  {
    id: 'version',
    head: head.version,
    width: 90,
    align: 'end',
    value: (row) => row.version,
  },
  { id: 'by', head: head.by, width: 100, value: (row) => row.by },
  {
    id: 'at',
    head: head.at,
    width: 118,
    value: (row) => row.at,
    timestamp: true,
  },
  {
    id: 'wave',
    head: head.wave,
    width: 90,
    hidden: true,
    value: (row) => row.wave,
    cell: (row) => (row.wave ? <span className="font-mono text-xs">{row.wave.slice(0, 8)}</span> : dash),
  },
]

const rowKey = (row: LayoutRow) => row.host.id
const rowName = (row: LayoutRow) => row.host.name

const listWords = { ...hostWords, title: words.board, filter: words.filter }

export interface LayoutTableProps extends Pick<TableProps<LayoutRow>, 'selected' | 'onSelect'> {
  readonly list: ReturnType<typeof useWholeList<LayoutRow>>
  readonly onOpen: (host: string) => void
}

/** The marker of every host (N7): state, since when, by whom, and what blocks it. */
export function LayoutTable({ onOpen, ...props }: LayoutTableProps) {
  const shown = useMemo(() => columns(onOpen), [onOpen])
  return <ListTable {...props} fill columns={shown} rowKey={rowKey} rowName={rowName} words={listWords} />
}
