import type { DeviceDriftRow } from '@/server/api/drift/devices'
import { paths } from '../console/paths'
import { hostContent } from '../console/refs'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import type { Column } from '../ui/table/column'
import { wholeSeconds } from '../ui/table/exported'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import { detailWords, sourceWords } from './detail/words'

const { drift, devices: words } = detailWords

const columns: readonly Column<DeviceDriftRow>[] = [
  {
    id: 'unit',
    head: words.unit,
    fixed: true,
    width: 190,
    value: (row) => row.unit,
    cell: (row) => (
      <TextLink href={paths.host(row.host.id, { tab: 'map', unit: row.unit })}>
        <span className="font-mono">{row.unit}</span>
      </TextLink>
    ),
  },
  {
    id: 'host',
    head: words.host,
    width: 90,
    secondLine: 'value',
    ...hostContent((row: DeviceDriftRow) => row.host),
  },
  { id: 'label', head: words.label, width: 160, value: (row) => row.label },
  {
    id: 'agree',
    head: drift.agree,
    width: 90,
    keep: true,
    badge: (row) => drift.badges[row.agreement],
  },
  { id: 'records', head: sourceWords.records, minWidth: 140, secondLine: 'named', value: (row) => row.records },
  {
    id: 'hypervisor',
    head: sourceWords.hypervisor,
    secondLine: 'named',
    minWidth: 220,
    value: (row) => row.hypervisor ?? '',
    cell: (row) => row.hypervisor ?? <Unknown needs={row.needs ?? ''} />,
  },
  {
    id: 'hypervisorAt',
    head: drift.at(sourceWords.hypervisor),
    width: 120,
    value: (row) => row.hypervisorAt,
    exported: (row, now) => wholeSeconds(row.hypervisorAt && now - row.hypervisorAt),
    exportUnit: 'seconds',
    cell: (row) =>
      row.hypervisorAt === null ? <Unknown needs={row.needs ?? ''} /> : <RelativeTime happened at={row.hypervisorAt} />,
  },
  {
    id: 'findings',
    head: drift.findings,
    width: 80,
    align: 'end',
    value: (row) => row.findings.length,
  },
]

const rowKey = (row: DeviceDriftRow) => `${row.host.id} ${row.unit}`

/** Records and host report of each device, side by side; an unknown state gives the missing information. */
export function DeviceDriftTable({ rows }: { rows: readonly DeviceDriftRow[] }) {
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
