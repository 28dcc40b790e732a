import type { ConsumerSwap, TreeConsumerView } from '@/server/api/provider/router'
import { amountList } from '../claim/amount/words'
import { paths } from '../console/paths'
import { ReleaseAllocation } from '../consumer/ReleaseAllocation'
import { consumerWords } from '../consumer/words'
import { Copyable } from '../ui/Copyable'
import { dash } from '../ui/dash'
import { count } from '../ui/format'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { ConsumerType, swapText } from './ConsumerType'
import { providerWords as words } from './words'

// Allocations of a provider tree by consumer, with the owner of each.

/** Consumers known to Berth link to their page; others show their id. */
function Consumer({ consumer: { id, kind, name } }: { consumer: TreeConsumerView }) {
  if (kind === null) return <Copyable text={id} short={id.slice(0, 8)} />
  return <TextLink href={kind === 'instance' ? paths.instance(id) : paths.migration(id)}>{name}</TextLink>
}

function OtherHalf({ swap }: { swap: ConsumerSwap }) {
  return (
    <span className="flex items-center gap-1.5 text-xs">
      <Copyable text={swap.other} short={swapText(swap)} />
    </span>
  )
}

const consumerColumns: readonly Column<TreeConsumerView>[] = [
  {
    id: 'consumer',
    head: words.consumer,
    fixed: true,
    minWidth: 130,
    value: (row) => row.name ?? row.id,
    exportId: (row) => row.id,
    cell: (row) => <Consumer consumer={row} />,
  },
  {
    id: 'type',
    head: words.type,
    width: 104,
    value: (row) => row.type,
    cell: (row) => <ConsumerType type={row.kind?.toUpperCase() ?? row.type} swap={row.swap} />,
  },
  {
    id: 'swap',
    head: words.swap,
    width: 150,
    value: (row) => row.swap && swapText(row.swap),
    cell: (row) => (row.swap ? <OtherHalf swap={row.swap} /> : dash),
  },
  {
    id: 'amounts',
    head: words.amounts,
    minWidth: 210,
    secondLine: 'value',
    value: (row) => amountList(row.amounts),
  },
  { id: 'project', head: words.project, minWidth: 90, value: (row) => row.project },
  { id: 'user', head: words.user, minWidth: 110, hidden: true, value: (row) => row.user },
  {
    id: 'generation',
    head: words.generation,
    width: 96,
    align: 'end',
    value: (row) => row.generation,
    cell: (row) => count(row.generation),
  },
  {
    id: 'owner',
    head: consumerWords.owner,
    minWidth: 140,
    secondLine: 'named',
    value: (row) => row.owner ?? consumerWords.berth,
  },
  {
    id: 'release',
    head: consumerWords.release,
    width: 152,
    cell: (row) => (row.owner === null ? null : <ReleaseAllocation consumer={row.id} small />),
  },
  {
    id: 'since',
    head: words.whenHeld,
    width: 118,
    value: (row) => row.since,
    timestamp: true,
  },
]

export const TreeConsumers = ({ consumers }: { consumers: readonly TreeConsumerView[] }) => (
  <Table
    frameless
    label={words.consumers}
    columns={consumerColumns}
    rows={consumers}
    empty={<EmptyState title={words.nobody} />}
  />
)
