import type { DriftRow } from '@/server/api/drift/instances'
import { instanceContent } from '../console/refs'
import { Unknown } from '../ui/KeyValue'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { wholeSeconds } from '../ui/table/exported'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import { detailWords, sourceWords } from './detail/words'

const words = detailWords.drift

/** The report of one source, in grey if all agree. */
const source = (id: 'records' | 'allocations' | 'hypervisor', minWidth: number): Column<DriftRow> => ({
  ...{ id, head: sourceWords[id], minWidth, secondLine: 'named', value: (row) => row[id] },
  cell: (row) => <span className={row.agreement === 'agree' ? 'text-soft' : 'text-ink'}>{row[id]}</span>,
})

const age = (of: 'records' | 'hypervisor', width: number): Column<DriftRow> => {
  const key = `${of}At` as const
  return {
    ...{ id: key, head: words.at(sourceWords[of]), width, exportUnit: 'seconds', value: (row) => row[key] },
    exported: (row, now) => wholeSeconds(row[key] && now - row[key]),
    cell: (row) =>
      row[key] === null ? <Unknown needs={detailWords.ageUnknown} /> : <RelativeTime happened at={row[key]} />,
  }
}

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
    badge: (row) => words.badges[row.agreement],
  },
  source('records', 132),
  age('records', 104),
  source('allocations', 220),
  source('hypervisor', 132),
  age('hypervisor', 120),
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
