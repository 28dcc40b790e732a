import { HOST_LIST, type HostColumn } from '@/lists/host'
import type { HostRow } from '@/server/api/host/view'
import type { Share } from '@/server/api/plain'
import { type Cells, columnsOf } from '../console/list/columns'
import { paths } from '../console/paths'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { count, gib, mib } from '../ui/format'
import { TextLink } from '../ui/Link'
import { ShareCell } from '../ui/Meter'
import type { Column } from '../ui/table/column'
import { shareParts } from '../ui/table/exported'
import { RelativeTime } from '../ui/time/Clock'
import { HostMarks } from './HostMarks'
import { hostMigrationsText, schedulingBadges, statusBadge } from './state/words'
import { hostWords, kindBadges, schedulingReason } from './words'

const head = (id: HostColumn) => HOST_LIST.columns[id].head

/** A share of capacity, in the unit that exports name. */
const share = (id: HostColumn, of: (row: HostRow) => Share, width = 98): Omit<Column<HostRow>, 'id' | 'head'> => ({
  width,
  fits: true,
  value: (row) => of(row).used,
  parts: shareParts({ id, head: head(id), of }),
  cell: (row) => <ShareCell {...of(row)} format={count} />,
})

const cells: Cells<HostRow, typeof HOST_LIST> = {
  name: {
    fixed: true,
    width: 120,
    value: (row) => row.name,
    exportId: (row) => row.id,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-1.5">
        <TextLink href={paths.host(row.id)}>{row.name}</TextLink>
        <HostMarks row={row} />
      </span>
    ),
  },
  status: {
    width: 128,
    fits: true,
    value: (row) => row.status,
    // Recorded as up but unreachable: the badge shows that first.
    badge: statusBadge,
  },
  scheduling: {
    width: 100,
    value: (row) => row.scheduling,
    parts: [
      { id: 'scheduling', head: head('scheduling'), value: (row) => schedulingBadges[row.scheduling].label },
      { id: 'reason', head: hostWords.facts.reason, value: (row) => row.reason },
    ],
    cell: (row) => <StateBadge badge={schedulingBadges[row.scheduling]} detail={schedulingReason(row)} />,
  },
  zone: { width: 60, secondLine: 'value', value: (r) => r.zone },
  pcpu: share('pcpu', (row) => row.pinned),
  vcpu: share('vcpu', (row) => row.vcpu, 106),
  memory: {
    width: 134,
    fits: true,
    value: (row) => row.memoryMib.used,
    parts: shareParts({ id: 'memory', head: head('memory'), exportUnit: 'mib', of: (row: HostRow) => row.memoryMib }),
    cell: (row) => <ShareCell {...row.memoryMib} format={mib} />,
  },
  devices: { ...share('devices', (row) => row.devices), hidden: true },
  instances: {
    width: 80,
    secondLine: 'named',
    fits: true,
    align: 'end',
    value: (row) => row.instances,
    cell: (row) => count(row.instances),
  },
  migrations: {
    width: 84,
    fits: true,
    align: 'end',
    value: (row) => row.movesIn + row.movesOut,
    parts: [
      { id: 'movesIn', head: hostWords.migrationsIn, value: (row) => row.movesIn },
      { id: 'movesOut', head: hostWords.migrationsOut, value: (row) => row.movesOut },
    ],
    cell: (row) => <MigrationsInOut row={row} />,
  },
  seen: {
    width: 112,
    secondLine: 'named',
    value: (row) => row.lastSeenAt,
    timestamp: true,
    cell: (row) =>
      row.lastSeenAt === null ? (
        <span className="text-faint italic">{hostWords.neverSeen}</span>
      ) : (
        <RelativeTime at={row.lastSeenAt} />
      ),
  },
  findings: { width: 84, align: 'end', hidden: true, value: (r) => r.findings, cell: (r) => r.findings || dash },
  leftovers: { width: 84, align: 'end', hidden: true, value: (r) => r.remains, cell: (r) => r.remains || dash },
  disk: {
    width: 136,
    fits: true,
    hidden: true,
    value: (row) => row.diskGib.used,
    parts: shareParts({ id: 'disk', head: head('disk'), exportUnit: 'gib', of: (row: HostRow) => row.diskGib }),
    cell: (row) => <ShareCell {...row.diskGib} format={gib} />,
  },
  nodes: { width: 70, align: 'end', hidden: true, value: (r) => r.cells },
  layout: { width: 90, hidden: true, value: (r) => r.layout },
  driver: { width: 100, hidden: true, value: (r) => r.driver },
  kind: {
    width: 130,
    hidden: true,
    value: (row) => row.kind,
    exported: ({ kind }) => kind && kindBadges[kind].label,
    cell: ({ kind }) => (kind ? <StateBadge badge={kindBadges[kind]} /> : dash),
  },
}

export const hostColumns: readonly Column<HostRow>[] = Object.values(columnsOf(HOST_LIST, cells))

const migrationsText = ({ movesIn, movesOut }: HostRow): string | null =>
  movesIn + movesOut === 0 ? null : hostMigrationsText(movesIn, movesOut)

function MigrationsInOut({ row }: { row: HostRow }) {
  const text = migrationsText(row)
  if (text === null) return dash
  return <TextLink href={paths.host(row.id, { tab: 'migrations' })}>{text}</TextLink>
}
