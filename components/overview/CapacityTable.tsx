import type { OverviewView } from '@/server/api/overview/router'
import { amountText, shareText } from '../claim/amount/words'
import { dash } from '../ui/dash'
import { EmptyState } from '../ui/Message'
import { Meter } from '../ui/Meter'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { overviewWords } from './words'

const words = overviewWords.capacityColumns
type Row = OverviewView['capacity'][number]

const amount = (id: 'used' | 'total' | 'largest', width: number, of: (row: Row) => number): Column<Row> => ({
  ...{ id, head: words[id], width, align: 'end', value: of },
  cell: (row) => amountText(row.resourceClass, of(row)),
})

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
          { kind: 'held', amount: row.used - row.heldTwice },
          { kind: 'outgoing', amount: row.heldTwice },
        ]}
      />
    ),
  },
  amount('used', 76, (row) => row.used),
  amount('total', 84, (row) => row.total),
  { ...amount('largest', 90, (row) => row.largestFree), help: words.largestHelp },
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
