import { CLOUD_FINDING_LIST, CLOUD_MIGRATION_LIST } from '@/lists/cloud'
import type { CloudFindingRow, CloudMigrationRow } from '@/server/api/cloud/view'
import { type Cells, columnsOf } from '../console/list/columns'
import { severityBadges } from '../finding/kind/words'
import { StateBadge, Tag } from '../ui/Badge'
import { dash } from '../ui/dash'
import { bytes } from '../ui/format'
import { timeColumn } from './columns'
import { migrationBadge, cloudWords as words } from './words'

const migrationCells: Cells<CloudMigrationRow, typeof CLOUD_MIGRATION_LIST> = {
  number: {
    ...{ width: 96, fixed: true, align: 'end', value: (row) => row.number, exportId: (row) => row.id },
    cell: (row) => String(row.number),
  },
  instance: {
    ...{ minWidth: 140, keep: true, value: (row) => row.instanceName ?? row.instance },
    cell: (row) => row.instanceName ?? <span className="text-faint">{words.deletedInstance(row.instance)}</span>,
  },
  type: { minWidth: 120, secondLine: 'value', value: (row) => row.type },
  status: {
    ...{ minWidth: 124, keep: true, value: (row) => row.status },
    cell: (row) => <StateBadge badge={migrationBadge(row.status, row.isActive)} />,
  },
  source: { minWidth: 110, secondLine: 'named', value: (row) => row.source },
  target: { minWidth: 110, secondLine: 'named', value: (row) => row.target },
  copied: {
    ...{ minWidth: 150, align: 'end', value: (row) => row.memory?.remaining ?? null, exportUnit: 'bytes' },
    cell: (row) => (row.memory === null ? dash : words.ofTotal(bytes(row.memory.remaining), bytes(row.memory.total))),
  },
  created: timeColumn((row) => row.createdAt),
  updated: timeColumn((row) => row.updatedAt),
}
export const cloudMigrationColumns = Object.values(columnsOf(CLOUD_MIGRATION_LIST, migrationCells))

const findingCells: Cells<CloudFindingRow, typeof CLOUD_FINDING_LIST> = {
  severity: {
    ...{ width: 100, secondLine: 'value', value: (row) => row.severity },
    cell: (row) => <StateBadge badge={severityBadges[row.severity]} />,
  },
  title: { fixed: true, width: 260, wraps: true, value: (row) => row.title },
  object: { width: 110, keep: true, value: (row) => row.objectName, exportId: (row) => row.objectId },
  hosts: { width: 120, secondLine: 'value', value: (row) => words.names(row.hosts) || null },
  cause: { minWidth: 320, secondLine: 'value', value: (row) => row.cause },
  repair: {
    ...{ width: 116, value: (row) => (row.locked === null ? words.repairable : words.locked) },
    cell: (row) => (row.locked === null ? words.repairable : <Tag tone="flow">{words.locked}</Tag>),
  },
}
export const cloudFindingColumns = Object.values(columnsOf(CLOUD_FINDING_LIST, findingCells))
