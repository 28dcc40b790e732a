import type { TreeEventView, TreeFit } from '@/server/api/provider/router'
import { actorText } from '../console/actors'
import { paths } from '../console/paths'
import { kindText } from '../event/words'
import { Copyable } from '../ui/Copyable'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { AbsoluteTime } from '../ui/time/zone'
import { limitColumn, moreColumn } from './fit-columns'
import { providerWords as words } from './words'

// What still fits into a tree, and who wrote it.

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
    timestamp: true,
    absolute: true,
    cell: (row) => <AbsoluteTime at={row.at} className="font-mono text-xs" />,
  },
  { id: 'kind', head: words.kind, minWidth: 200, value: (row) => row.kind, cell: (row) => kindText(row.kind) },
  { id: 'who', head: words.who, minWidth: 130, value: (row) => actorText(row.who) },
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
    frameless
    label={words.events}
    columns={eventColumns}
    rows={events}
    rowKey={(row) => row.seq}
    empty={<EmptyState title={words.noEvent} />}
  />
)
