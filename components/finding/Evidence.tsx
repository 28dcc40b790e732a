import type { EvidenceView } from '@/server/api/finding/view'
import { hostContent } from '../console/refs'
import { Unknown } from '../ui/KeyValue'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import { sourceWords, detailWords as words } from './detail/words'

const head = words.evidenceColumns

interface NumberedEvidence extends EvidenceView {
  readonly n: number
}

const columns: readonly Column<NumberedEvidence>[] = [
  {
    id: 'source',
    head: head.source,
    width: 100,
    value: (row) => sourceWords[row.source],
  },
  {
    id: 'host',
    head: head.host,
    width: 100,
    ...hostContent((row: NumberedEvidence) => row.host),
  },
  { id: 'says', head: head.says, wraps: true, value: (row) => row.says },
  {
    id: 'at',
    head: head.at,
    width: 124,
    secondLine: 'value',
    value: (row) => row.at,
    timestamp: true,
    cell: (row) => (row.at === null ? <Unknown /> : <RelativeTime at={row.at} />),
  },
]

const rowKey = (row: NumberedEvidence) => String(row.n)

/** Each source's statement and its age. */
export function Evidence({ label, facts }: { label: string; facts: readonly EvidenceView[] }) {
  return <Table bare label={label} columns={columns} rows={facts.map((fact, n) => ({ ...fact, n }))} rowKey={rowKey} />
}
