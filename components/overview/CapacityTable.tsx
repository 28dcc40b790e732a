import type { OverviewView } from '@/server/api/overview/router'
import { amountText, shareText } from '../claim/words'
import { dash } from '../ui/dash'
import { EmptyState } from '../ui/Message'
import { Meter } from '../ui/Meter'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { overviewWords } from './words'

const words = overviewWords.capacityColumns
type Row = OverviewView['capacity'][number]

const columns: readonly Column<Row>[] = [
  {
    id: 'class',
    head: words.resourceClass,
    width: 208,
    value: (row) => row.resourceClass,
    cell: (row) => <span className="font-mono text-xs">{row.resourceClass}</span>,
  },
  {
    id: 'share',
    head: words.share,
    width: 64,
    cell: (row) => (
      <Meter
        className="w-full"
        label={row.resourceClass}
        text={shareText(row.resourceClass, row.used, row.total)}
        total={row.total}
        segments={[
          { look: 'held', amount: row.used - row.heldTwice },
          { look: 'outgoing', amount: row.heldTwice },
        ]}
      />
    ),
  },
  {
    id: 'used',
    head: words.used,
    width: 76,
    align: 'end',
    value: (row) => row.used,
    cell: (row) => amountText(row.resourceClass, row.used),
  },
  {
    id: 'total',
    head: words.total,
    width: 84,
    align: 'end',
    value: (row) => row.total,
    cell: (row) => amountText(row.resourceClass, row.total),
  },
  {
    id: 'largest',
    head: words.largest,
    help: words.largestHelp,
    width: 90,
    align: 'end',
    value: (row) => row.largestFree,
    cell: (row) => amountText(row.resourceClass, row.largestFree),
  },
  {
    id: 'twice',
    head: words.twice,
    help: words.twiceHelp,
    width: 72,
    align: 'end',
    value: (row) => row.heldTwice,
    cell: (row) =>
      row.heldTwice > 0 ? <span className="text-twice">{amountText(row.resourceClass, row.heldTwice)}</span> : dash,
  },
]

const rowKey = (row: Row) => row.resourceClass

export function CapacityTable({ rows }: { rows: OverviewView['capacity'] }) {
  const empty = <EmptyState title={overviewWords.noCapacity}>{overviewWords.noCapacityMore}</EmptyState>
  return <Table frameless label={overviewWords.capacity} columns={columns} rows={rows} rowKey={rowKey} empty={empty} />
}
