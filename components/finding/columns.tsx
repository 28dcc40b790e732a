import { FINDING_LIST } from '@/lists/finding'
import type { FindingRow } from '@/server/api/finding/view'
import { claimTotalsText } from '../claim/amount/words'
import { claimedParts } from '../claim/claimed-parts'
import { type Cells, columnsOf } from '../console/list/columns'
import { paths } from '../console/paths'
import { hostContent, instanceContent } from '../console/refs'
import { dash } from '../ui/dash'
import { TextLink } from '../ui/Link'
import type { Column } from '../ui/table/column'
import { FindingOpener } from './FindingOpener'
import { HealCell, healDisabledReason, healText } from './HealCell'
import { kindWords, severityBadges } from './kind/words'
import { confidenceWords, findingWords as words } from './words'

const cells: Cells<FindingRow, typeof FINDING_LIST> = {
  severity: {
    width: 88,
    secondLine: 'value',
    value: (row) => row.severity,
    badge: (row) => severityBadges[row.severity],
  },
  kind: {
    fixed: true,
    // “device on another NUMA node” in full.
    width: 208,
    value: (row) => kindWords[row.kind],
    cell: (row) => <FindingOpener finding={row} />,
  },
  host: {
    width: 84,
    secondLine: 'value',
    ...hostContent((row: FindingRow) => row.host),
  },
  instance: {
    width: 96,
    secondLine: 'value',
    ...instanceContent((row: FindingRow) => row.instance),
  },
  migration: {
    width: 66,
    value: (row) => row.migration,
    cell: (row) =>
      row.migration ? <TextLink href={paths.migration(row.migration)}>{words.showMigration}</TextLink> : dash,
  },
  where: {
    width: 130,
    value: (row) => row.where,
    cell: (row) => (row.where ? <span className="font-mono text-xs">{row.where}</span> : dash),
  },
  expected: {
    width: 104,
    value: (row) => row.expected,
  },
  found: {
    minWidth: 190,
    secondLine: 'value',
    value: (row) => row.found,
  },
  first: {
    width: 112,
    value: (row) => row.firstSeenAt,
    timestamp: true,
  },
  last: {
    width: 92,
    hidden: true,
    value: (row) => row.lastSeenAt,
    timestamp: true,
  },
  confidence: {
    width: 100,
    value: (row) => confidenceWords[row.confidence].label,
    cell: (row) => <span title={confidenceWords[row.confidence].means}>{confidenceWords[row.confidence].label}</span>,
  },
  held: {
    width: 104,
    value: (row) => (row.held ? claimTotalsText(row.held) : null),
    parts: claimedParts(FINDING_LIST.columns.held.short, (row) => row.held),
    cell: (row) => (row.held ? claimTotalsText(row.held) : dash),
  },
  heal: {
    width: 128,
    keep: true,
    value: (row) => healDisabledReason(row),
    exported: healText,
    cell: (row) => <HealCell row={row} />,
  },
}

const { severity, kind, host, instance, migration, where, expected, found, first, last, confidence, held, heal } =
  columnsOf(FINDING_LIST, cells)

export const findingColumns: readonly Column<FindingRow>[] = [
  severity,
  kind,
  host,
  instance,
  { ...migration, hidden: true },
  { ...where, hidden: true },
  { ...expected, hidden: true },
  found,
  held,
  first,
  last,
  { ...confidence, hidden: true },
  heal,
]

/** On the page of a host, an instance or a migration, where the subject is already named. */
export const findingsOf: Readonly<Record<'host' | 'instance' | 'migration', readonly Column<FindingRow>[]>> = {
  host: [severity, kind, instance, migration, where, expected, found, held, first, confidence, heal],
  instance: [severity, kind, host, migration, where, expected, found, held, first, confidence, heal],
  migration: [severity, kind, host, migration, where, expected, found, held, first, confidence, heal],
}
