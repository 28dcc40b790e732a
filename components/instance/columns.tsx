import type { InstanceRow } from '@/server/api/instance/view'
import type { ApiInputs, SortOf } from '@/server/api/router'
import { paths } from '../console/paths'
import { HostLink, MoveLink, moveText } from '../console/refs'
import { PowerCell } from '../power/PowerBadge'
import { powerLooks, powerWords } from '../power/words'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { gib, mib, ranges } from '../ui/format'
import { TextLink } from '../ui/Link'
import type { Column } from '../ui/table/column'
import { instanceWords, vmStateLooks } from './words'

const head = instanceWords.columns

export const INSTANCE_SORTS = [
  'name',
  'vmState',
  'power',
  'host',
  'flavor',
  'vcpus',
  'memory',
  'project',
] as const satisfies readonly SortOf<ApiInputs['instance']['list']>[]

const number = (id: string, label: string, of: (row: InstanceRow) => number): Column<InstanceRow> => ({
  id,
  head: label,
  width: 84,
  align: 'end',
  value: of,
  sortable: id === 'vcpus',
  cell: (row) => of(row) || dash,
})

export const instanceColumns: readonly Column<InstanceRow>[] = [
  {
    id: 'name',
    head: head.name,
    fixed: true,
    width: 140,
    sortable: true,
    value: (row) => row.name,
    exportId: (row) => row.id,
    cell: (row) => <TextLink href={paths.instance(row.id)}>{row.name}</TextLink>,
  },
  {
    id: 'vmState',
    head: head.state,
    width: 96,
    sortable: true,
    value: (row) => row.vmState,
    exported: (row) => vmStateLooks[row.vmState].label,
    cell: (row) => <StateBadge look={vmStateLooks[row.vmState]} />,
  },
  {
    id: 'power',
    head: powerWords.column,
    width: 96,
    sortable: true,
    value: (row) => row.power?.state ?? null,
    exported: (row) => powerLooks[row.power?.state ?? 'unknown'].label,
    cell: (row) => <PowerCell power={row.power} />,
  },
  {
    id: 'host',
    head: head.host,
    width: 92,
    sortable: true,
    value: (row) => row.host?.name ?? null,
    exportId: (row) => row.host?.id ?? null,
    cell: (row) => <HostLink host={row.host} none={instanceWords.nowhere} />,
  },
  {
    id: 'flavor',
    head: head.flavor,
    width: 104,
    sortable: true,
    value: (row) => row.flavor.name,
    cell: (row) => row.flavor.name,
  },
  number('vcpus', head.vcpus, (row) => row.flavor.vcpus),
  number('pinned', head.pinned, (row) => row.held.pinnedCpus),
  {
    id: 'cells',
    head: head.cells,
    width: 70,
    value: (row) => ranges(row.cells),
    cell: (row) => ranges(row.cells) || dash,
  },
  {
    id: 'memory',
    head: head.memory,
    width: 95,
    align: 'end',
    sortable: true,
    value: (row) => row.flavor.memoryMib,
    exportUnit: 'mib',
    cell: (row) => mib(row.flavor.memoryMib),
  },
  number('devices', head.devices, (row) => row.held.devices),
  {
    id: 'move',
    head: head.move,
    width: 172,
    value: (row) => row.migration?.operation ?? null,
    exported: (row) => moveText(row.migration),
    exportId: (row) => row.migration?.id ?? null,
    cell: (row) => <MoveLink move={row.migration} />,
  },
  {
    id: 'project',
    head: head.project,
    width: 105,
    sortable: true,
    value: (row) => row.project,
    cell: (row) => row.project,
  },
  {
    id: 'disk',
    head: head.disk,
    width: 90,
    align: 'end',
    hidden: true,
    value: (row) => row.flavor.diskGib,
    exportUnit: 'gib',
    cell: (row) => gib(row.flavor.diskGib),
  },
  { id: 'zone', head: head.zone, width: 90, hidden: true, value: (row) => row.zone, cell: (row) => row.zone ?? '–' },
  { id: 'image', head: head.image, width: 150, hidden: true, value: (row) => row.image, cell: (row) => row.image },
  {
    id: 'group',
    head: head.group,
    width: 150,
    hidden: true,
    value: (row) => row.group?.name ?? null,
    cell: (row) => row.group?.name ?? '–',
  },
]
