import { INSTANCE_LIST } from '@/lists/instance'
import type { InstanceRow } from '@/server/api/instance/view'
import { type Cells, columnsOf } from '../console/list/columns'
import { paths } from '../console/paths'
import { hostContent, MigrationLink, migrationLabel } from '../console/refs'
import { PowerCell } from '../power/PowerBadge'
import { powerBadges } from '../power/words'
import { dash } from '../ui/dash'
import { gib, mib, ranges } from '../ui/format'
import { TextLink } from '../ui/Link'
import type { Column } from '../ui/table/column'
import { instanceWords, vmStateBadges } from './words'

const number = (of: (row: InstanceRow) => number): Omit<Column<InstanceRow>, 'id' | 'head'> => ({
  width: 64,
  align: 'end',
  value: of,
  cell: (row) => of(row) || dash,
})

const cells: Cells<InstanceRow, typeof INSTANCE_LIST> = {
  name: {
    fixed: true,
    width: 132,
    value: (row) => row.name,
    exportId: (row) => row.id,
    cell: (row) => <TextLink href={paths.instance(row.id)}>{row.name}</TextLink>,
  },
  vmState: {
    width: 92,
    value: (row) => row.vmState,
    badge: (row) => vmStateBadges[row.vmState],
  },
  power: {
    width: 96,
    value: (row) => row.power?.state ?? null,
    exported: (row) => powerBadges[row.power?.state ?? 'unknown'].label,
    cell: (row) => <PowerCell power={row.power} />,
  },
  host: {
    width: 92,
    secondLine: 'value',
    ...hostContent((row: InstanceRow) => row.host, { none: instanceWords.nowhere }),
  },
  flavor: {
    width: 92,
    secondLine: 'value',
    value: (row) => row.flavor.name,
  },
  vcpus: number((row) => row.flavor.vcpus),
  pinned: number((row) => row.held.pinnedCpus),
  nodes: {
    width: 70,
    value: (row) => ranges(row.cells),
    cell: (row) => ranges(row.cells) || dash,
  },
  memory: {
    width: 84,
    align: 'end',
    secondLine: 'named',
    value: (row) => row.flavor.memoryMib,
    exportUnit: 'mib',
    cell: (row) => mib(row.flavor.memoryMib),
  },
  devices: number((row) => row.held.devices),
  migration: {
    width: 140,
    value: (row) => row.migration?.operation ?? null,
    exported: (row) => migrationLabel(row.migration),
    exportId: (row) => row.migration?.id ?? null,
    cell: (row) => <MigrationLink migration={row.migration} />,
  },
  project: {
    width: 96,
    hidden: true,
    value: (row) => row.project,
  },
  disk: {
    width: 90,
    align: 'end',
    hidden: true,
    value: (row) => row.flavor.diskGib,
    exportUnit: 'gib',
    cell: (row) => gib(row.flavor.diskGib),
  },
  zone: { width: 90, hidden: true, value: (row) => row.zone },
  image: { width: 150, hidden: true, value: (row) => row.image },
  group: {
    width: 150,
    hidden: true,
    value: (row) => row.group?.name ?? null,
  },
}

export const instanceColumns: readonly Column<InstanceRow>[] = Object.values(columnsOf(INSTANCE_LIST, cells))
