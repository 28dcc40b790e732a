import type { HostSort } from '@/server/api/host/list'
import type { HostRow } from '@/server/api/host/view'
import type { Share } from '@/server/api/plain'
import { paths } from '../console/paths'
import { StateBadge } from '../ui/Badge'
import { count, gib, mib } from '../ui/format'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { ShareCell } from '../ui/Meter'
import type { Column } from '../ui/table/column'
import { shareParts } from '../ui/table/exported'
import { RelativeTime } from '../ui/time/Clock'
import { MovesInOut } from './cells'
import { admissionLooks, hostWords, statusLook } from './words'

const head = hostWords.columns

/** Column ids that the API can sort by. */
export const HOST_SORTS = [
  'name',
  'truth',
  'admission',
  'zone',
  'pcpu',
  'vcpu',
  'memory',
  'instances',
  'moves',
] as const satisfies readonly HostSort[]

interface ShareColumn {
  readonly id: string
  readonly label: string
  /** What stands over the column when its name is too long for it. */
  readonly short?: string
  readonly width?: number
  readonly of: (row: HostRow) => Share
}

const share = ({ id, label, short = label, width = 94, of }: ShareColumn): Column<HostRow> => ({
  id,
  head: short,
  help: label,
  width,
  fits: true,
  sortable: id === 'pcpu' || id === 'vcpu',
  value: (row) => of(row).used,
  parts: shareParts({ id, head: label, of }),
  cell: (row) => <ShareCell {...of(row)} format={count} />,
})

export const hostColumns: readonly Column<HostRow>[] = [
  {
    id: 'name',
    head: head.name,
    fixed: true,
    width: 104,
    sortable: true,
    value: (row) => row.name,
    exportId: (row) => row.id,
    cell: (row) => <TextLink href={paths.host(row.id)}>{row.name}</TextLink>,
  },
  {
    id: 'truth',
    head: head.truth,
    width: 96,
    fits: true,
    sortable: true,
    value: (row) => row.truth,
    exported: (row) => statusLook(row).label,
    // Nobody stated otherwise, and still it does not answer: in a list that is the news.
    cell: (row) => <StateBadge look={statusLook(row)} />,
  },
  {
    id: 'admission',
    head: head.admission,
    width: 104,
    fits: true,
    sortable: true,
    value: (row) => row.admission,
    parts: [
      { id: 'admission', head: head.admission, value: (row) => admissionLooks[row.admission].label },
      { id: 'reason', head: hostWords.facts.reason, value: (row) => row.reason },
    ],
    cell: (row) => <StateBadge look={admissionLooks[row.admission]} detail={row.reason} />,
  },
  { id: 'zone', head: head.zone, width: 60, sortable: true, value: (r) => r.zone, cell: (r) => r.zone ?? '–' },
  share({ id: 'pcpu', label: head.pinned, short: head.pinnedInShort, of: (row) => row.pinned }),
  share({ id: 'vcpu', label: head.vcpu, short: head.vcpuInShort, width: 106, of: (row) => row.vcpu }),
  {
    id: 'memory',
    head: head.memory,
    width: 130,
    fits: true,
    sortable: true,
    value: (row) => row.memoryMib.used,
    parts: shareParts({ id: 'memory', head: head.memory, exportUnit: 'mib', of: (row: HostRow) => row.memoryMib }),
    cell: (row) => <ShareCell {...row.memoryMib} format={mib} />,
  },
  share({ id: 'devices', label: head.devices, of: (row) => row.devices }),
  {
    id: 'instances',
    head: head.instances,
    width: 80,
    fits: true,
    align: 'end',
    sortable: true,
    value: (row) => row.instances,
    cell: (row) => count(row.instances),
  },
  {
    id: 'moves',
    head: head.moves,
    width: 84,
    fits: true,
    align: 'end',
    sortable: true,
    value: (row) => row.movesIn + row.movesOut,
    parts: [
      { id: 'movesIn', head: head.movesIn, value: (row) => row.movesIn },
      { id: 'movesOut', head: head.movesOut, value: (row) => row.movesOut },
    ],
    cell: (row) => <MovesInOut row={row} />,
  },
  {
    id: 'seen',
    head: head.seen,
    width: 96,
    value: (row) => row.lastSeenAt,
    moment: true,
    cell: (row) =>
      row.lastSeenAt === null ? <Unknown needs={hostWords.never} /> : <RelativeTime at={row.lastSeenAt} />,
  },
  {
    id: 'disk',
    head: head.disk,
    width: 136,
    fits: true,
    hidden: true,
    value: (row) => row.diskGib.used,
    parts: shareParts({ id: 'disk', head: head.disk, exportUnit: 'gib', of: (row: HostRow) => row.diskGib }),
    cell: (row) => <ShareCell {...row.diskGib} format={gib} />,
  },
  { id: 'cells', head: head.cells, width: 70, align: 'end', hidden: true, value: (r) => r.cells, cell: (r) => r.cells },
  { id: 'layout', head: head.layout, width: 90, hidden: true, value: (r) => r.layout, cell: (r) => r.layout },
  { id: 'driver', head: head.driver, width: 100, hidden: true, value: (r) => r.driver, cell: (r) => r.driver },
]
