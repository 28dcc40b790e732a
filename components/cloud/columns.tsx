import { CLOUD_HOST_LIST, CLOUD_INSTANCE_LIST } from '@/lists/cloud'
import type { CloudHostRow, CloudInstanceRow } from '@/server/api/cloud/view'
import type { Share } from '@/server/api/plain'
import { type Cells, columnsOf } from '../console/list/columns'
import { StateBadge, Tag } from '../ui/Badge'
import { Copyable } from '../ui/Copyable'
import { dash } from '../ui/dash'
import { count, gib, mib, utc } from '../ui/format'
import { Unknown } from '../ui/KeyValue'
import type { Column } from '../ui/table/column'
import { shareParts } from '../ui/table/exported'
import { serviceBadge, vmStateBadge, cloudWords as words } from './words'

// Times are absolute and by the cloud's clock: an age would mix two clocks.

const notReported = <Unknown needs={words.unreported} />

type ColumnContent<Row> = Omit<Column<Row>, 'id' | 'head' | 'sortable'>

export const timeColumn = <Row,>(of: (row: Row) => number | null): ColumnContent<Row> => ({
  ...{ width: 168, value: of, timestamp: true },
  cell: (row) => {
    const at = of(row)
    return at === null ? dash : <span className="tabular-nums">{utc(at)}</span>
  },
})

const findings = <Row extends { readonly findings: number }>(): ColumnContent<Row> => ({
  ...{ width: 88, secondLine: 'named', align: 'end', value: (row) => row.findings },
  cell: (row) => (row.findings > 0 ? <Tag tone="warn">{count(row.findings)}</Tag> : dash),
})

const share = (
  of: (row: CloudHostRow) => Share | null,
  { id, head, show }: { readonly id: string; readonly head: string; readonly show: (value: number) => string },
): ColumnContent<CloudHostRow> => ({
  ...{ width: 144, align: 'end', value: (row) => of(row)?.used ?? null },
  parts: shareParts({ id, head, of }),
  cell: (row) => {
    const held = of(row)
    return held === null ? notReported : words.ofTotal(show(held.used), show(held.total))
  },
})

const HOST_HEADS = CLOUD_HOST_LIST.columns
const hostCells: Cells<CloudHostRow, typeof CLOUD_HOST_LIST> = {
  name: { fixed: true, minWidth: 130, value: (row) => row.name },
  state: {
    ...{ width: 112, keep: true, value: (row) => row.state },
    cell: (row) => <StateBadge badge={serviceBadge(row.state, row.forcedDown)} />,
  },
  status: {
    ...{ minWidth: 120, secondLine: 'value', value: (row) => row.status },
    cell: (row) =>
      row.status === null ? notReported : <span title={row.disabledReason ?? undefined}>{row.status}</span>,
  },
  zone: { minWidth: 80, secondLine: 'value', value: (row) => row.zone },
  instances: {
    width: 88,
    secondLine: 'named',
    align: 'end',
    value: (row) => row.instances,
    cell: (row) => count(row.instances),
  },
  vcpu: share((row) => row.vcpu, { id: 'vcpu', head: HOST_HEADS.vcpu.head, show: count }),
  memory: share((row) => row.memoryMib, { id: 'memory', head: HOST_HEADS.memory.head, show: mib }),
  disk: share((row) => row.diskGib, { id: 'disk', head: HOST_HEADS.disk.head, show: gib }),
  findings: findings(),
  type: { width: 100, value: (row) => row.type },
  aggregates: { minWidth: 110, value: (row) => words.names(row.aggregates) || null },
  reported: timeColumn((row) => row.reportedAt),
}
export const cloudHostColumns = Object.values(columnsOf(CLOUD_HOST_LIST, hostCells))

const instanceCells: Cells<CloudInstanceRow, typeof CLOUD_INSTANCE_LIST> = {
  name: { fixed: true, minWidth: 140, value: (row) => row.name, exportId: (row) => row.id },
  state: {
    ...{ minWidth: 124, keep: true, value: (row) => row.vmState },
    cell: (row) => (
      <span title={row.fault ?? undefined}>
        <StateBadge badge={vmStateBadge(row.vmState)} />
      </span>
    ),
  },
  task: {
    ...{ minWidth: 110, secondLine: 'value', value: (row) => row.taskState },
    cell: (row) => (row.taskState === null ? dash : <Tag tone="flow">{row.taskState}</Tag>),
  },
  power: { width: 92, value: (row) => row.power },
  host: { minWidth: 110, secondLine: 'value', value: (row) => row.host },
  flavor: { minWidth: 100, secondLine: 'value', value: (row) => row.flavor },
  findings: findings(),
  holds: {
    ...{ width: 264, value: (row) => row.holds },
    cell: (row) => (row.holds === null ? notReported : <span title={row.holds}>{row.holds}</span>),
  },
  pins: {
    ...{ minWidth: 110, value: (row) => row.pins },
    cell: (row) => (row.pins === null ? dash : <span className="font-mono text-xs">{row.pins}</span>),
  },
  project: {
    ...{ width: 104, value: (row) => row.project },
    cell: (row) => <Copyable text={row.project} short={row.project.slice(0, 8)} />,
  },
  zone: { minWidth: 80, hidden: true, value: (row) => row.zone },
  updated: timeColumn((row) => row.updatedAt),
  created: { ...timeColumn((row) => row.createdAt), hidden: true },
}
export const cloudInstanceColumns = Object.values(columnsOf(CLOUD_INSTANCE_LIST, instanceCells))
