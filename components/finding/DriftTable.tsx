import type { DriftRow } from '@/server/api/drift/guests'
import { instanceContent } from '../console/refs'
import { Unknown } from '../ui/KeyValue'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { wholeSeconds } from '../ui/table/exported'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import { findingWords, sourceWords } from './words'

const words = findingWords.drift

const sourceCell = (row: DriftRow, text: string) => (
  <span className={row.agreement === 'agree' ? 'text-soft' : 'text-ink'}>{text}</span>
)
const age = (at: number | null) =>
  at === null ? <Unknown needs={findingWords.ageUnknown} /> : <RelativeTime happened at={at} />

const columns: readonly Column<DriftRow>[] = [
  {
    id: 'instance',
    head: words.instance,
    fixed: true,
    width: 104,
    ...instanceContent((row: DriftRow) => row.instance),
  },
  {
    id: 'agree',
    head: words.agree,
    width: 90,
    look: (row) => words.looks[row.agreement],
  },
  {
    id: 'records',
    head: sourceWords.records,
    minWidth: 132,
    value: (row) => row.records,
    cell: (row) => sourceCell(row, row.records),
  },
  {
    id: 'recordsAt',
    head: words.at(sourceWords.records),
    width: 104,
    value: (row) => row.recordsAt,
    exported: (row, now) => wholeSeconds(row.recordsAt && now - row.recordsAt),
    exportUnit: 'seconds',
    cell: (row) => age(row.recordsAt),
  },
  {
    id: 'allocations',
    head: sourceWords.allocations,
    minWidth: 220,
    value: (row) => row.allocations,
    cell: (row) => sourceCell(row, row.allocations),
  },
  {
    id: 'hypervisor',
    head: sourceWords.hypervisor,
    minWidth: 132,
    value: (row) => row.hypervisor,
    cell: (row) => sourceCell(row, row.hypervisor),
  },
  {
    id: 'hypervisorAt',
    head: words.at(sourceWords.hypervisor),
    width: 120,
    value: (row) => row.hypervisorAt,
    exported: (row, now) => wholeSeconds(row.hypervisorAt && now - row.hypervisorAt),
    exportUnit: 'seconds',
    cell: (row) => age(row.hypervisorAt),
  },
  {
    id: 'findings',
    head: words.findings,
    width: 84,
    align: 'end',
    value: (row) => row.findings.length,
  },
]

const rowKey = (row: DriftRow) => row.instance.id

/** The three reports about one instance, side by side, each with its age (N5). */
export function DriftTable({ rows }: { rows: readonly DriftRow[] }) {
  return (
    <Table
      label={words.title}
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      empty={<EmptyState title={words.empty}>{words.emptyMore}</EmptyState>}
    />
  )
}
