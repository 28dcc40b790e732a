import type { TreeConsumerView, TreeEventView, TreeFit } from '@/server/api/contract-provider'
import { amountList } from '../claim/words'
import { paths } from '../console/paths'
import { kindText } from '../event/words'
import { RelativeTime } from '../ui/Clock'
import { Copyable } from '../ui/Copyable'
import { count } from '../ui/format'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { AbsoluteTime } from '../ui/zone'
import { ConsumerType } from './ConsumerType'
import { limitColumn, moreColumn } from './fit-columns'
import { providerWords as words } from './words'

// Who holds of a tree, what it still takes, and who wrote it.

const consumerColumns: readonly Column<TreeConsumerView>[] = [
  {
    id: 'consumer',
    head: words.consumer,
    fixed: true,
    width: 130,
    value: (row) => row.id,
    cell: (row) => <Copyable text={row.id} short={row.id.slice(0, 8)} />,
  },
  {
    id: 'type',
    head: words.type,
    width: 130,
    value: (row) => row.type,
    cell: (row) => <ConsumerType type={row.type} />,
  },
  {
    id: 'amounts',
    head: words.amounts,
    minWidth: 240,
    value: (row) => amountList(row.amounts),
    cell: (row) => amountList(row.amounts),
  },
  { id: 'project', head: words.project, minWidth: 110, value: (row) => row.project, cell: (row) => row.project },
  { id: 'user', head: words.user, minWidth: 110, hidden: true, value: (row) => row.user, cell: (row) => row.user },
  {
    id: 'generation',
    head: words.generation,
    width: 100,
    align: 'end',
    value: (row) => row.generation,
    cell: (row) => count(row.generation),
  },
  {
    id: 'since',
    head: words.whenHeld,
    width: 120,
    value: (row) => row.since,
    cell: (row) => <RelativeTime at={row.since} />,
  },
]

export const TreeConsumers = ({ consumers }: { consumers: readonly TreeConsumerView[] }) => (
  <Table
    bare
    frameless
    label={words.consumers}
    columns={consumerColumns}
    rows={consumers}
    rowKey={(row) => row.id}
    empty={<EmptyState title={words.nobody} />}
  />
)

const fitColumns: readonly Column<TreeFit>[] = [
  {
    id: 'flavor',
    head: words.flavor,
    fixed: true,
    minWidth: 130,
    value: (row) => row.flavor,
    cell: (row) => <TextLink href={paths.explain({ flavor: row.flavor })}>{row.flavor}</TextLink>,
  },
  moreColumn,
  limitColumn,
  {
    id: 'places',
    head: words.places,
    minWidth: 240,
    value: (row) => (row.needsPlaces ? words.placesNeeded : words.placesNone),
    cell: (row) =>
      row.needsPlaces ? <Unknown needs={words.placesNeeded} /> : <span className="text-faint">{words.placesNone}</span>,
  },
]

export const TreeFits = ({ fits }: { fits: readonly TreeFit[] }) => (
  <Table
    bare
    frameless
    label={words.fits}
    columns={fitColumns}
    rows={fits}
    rowKey={(row) => row.flavor}
    empty={<EmptyState title={words.noFlavor} />}
  />
)

const eventColumns: readonly Column<TreeEventView>[] = [
  {
    id: 'at',
    head: words.at,
    width: 165,
    fixed: true,
    value: (row) => row.at,
    cell: (row) => <AbsoluteTime at={row.at} className="font-mono text-xs" />,
  },
  { id: 'kind', head: words.kind, minWidth: 200, value: (row) => row.kind, cell: (row) => kindText(row.kind) },
  { id: 'who', head: words.who, minWidth: 130, value: (row) => row.who, cell: (row) => row.who },
  {
    id: 'request',
    head: words.request,
    width: 140,
    value: (row) => row.request,
    cell: (row) => (row.request ? <Copyable text={row.request} short={row.request.slice(0, 12)} /> : '–'),
  },
]

export const TreeEvents = ({ events }: { events: readonly TreeEventView[] }) => (
  <Table
    bare
    frameless
    label={words.events}
    columns={eventColumns}
    rows={events}
    rowKey={(row) => row.seq}
    empty={<EmptyState title={words.noEvent} />}
  />
)
