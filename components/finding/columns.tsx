import type { FindingRow } from '@/server/api/finding/view'
import type { ApiInputs, SortOf } from '@/server/api/router'
import { heldParts } from '../claim/held-parts'
import { heldText } from '../claim/words'
import { paths } from '../console/paths'
import { HostLink, InstanceLink } from '../console/refs'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { TextLink } from '../ui/Link'
import type { Column } from '../ui/table/column'
import { RelativeTime } from '../ui/time/Clock'
import { FindingOpener } from './FindingOpener'
import { HealCell, healText, whyNotHeal } from './HealCell'
import { confidenceWords, kindWords, severityLooks, findingWords as words } from './words'

type FindingSort = SortOf<ApiInputs['finding']['list']>
export const FINDING_SORTS = ['severity', 'kind', 'first', 'host', 'instance'] as const satisfies readonly FindingSort[]

const head = words.columns
type FindingColumn = Column<FindingRow>

const severity: FindingColumn = {
  id: 'severity',
  head: head.severity,
  width: 92,
  sortable: true,
  value: (row) => row.severity,
  exported: (row) => severityLooks[row.severity].label,
  cell: (row) => <StateBadge look={severityLooks[row.severity]} />,
}
const kind: FindingColumn = {
  id: 'kind',
  head: head.kind,
  fixed: true,
  width: 180,
  sortable: true,
  value: (row) => kindWords[row.kind],
  cell: (row) => <FindingOpener finding={row} />,
}
const host: FindingColumn = {
  id: 'host',
  head: head.host,
  width: 84,
  sortable: true,
  value: (row) => row.host?.name ?? null,
  exportId: (row) => row.host?.id ?? null,
  cell: (row) => <HostLink host={row.host} />,
}
const instance: FindingColumn = {
  id: 'instance',
  head: head.instance,
  width: 96,
  sortable: true,
  value: (row) => row.instance?.name ?? null,
  exportId: (row) => row.instance?.id ?? null,
  cell: (row) => (row.instance ? <InstanceLink instance={row.instance} /> : dash),
}
const move: FindingColumn = {
  id: 'move',
  head: head.move,
  width: 66,
  value: (row) => row.migration,
  cell: (row) => (row.migration ? <TextLink href={paths.migration(row.migration)}>{words.showMove}</TextLink> : dash),
}
const where: FindingColumn = {
  id: 'where',
  head: head.where,
  width: 130,
  value: (row) => row.where,
  cell: (row) => (row.where ? <span className="font-mono text-xs">{row.where}</span> : dash),
}
const expected: FindingColumn = {
  id: 'expected',
  head: head.expected,
  width: 104,
  value: (row) => row.expected,
  cell: (row) => row.expected,
}
const found: FindingColumn = {
  id: 'found',
  head: head.found,
  minWidth: 140,
  value: (row) => row.found,
  cell: (row) => row.found,
}
const first: FindingColumn = {
  id: 'first',
  head: head.first,
  width: 96,
  sortable: true,
  value: (row) => row.firstSeenAt,
  moment: true,
  cell: (row) => <RelativeTime at={row.firstSeenAt} />,
}
const last: FindingColumn = {
  id: 'last',
  head: head.last,
  width: 92,
  hidden: true,
  value: (row) => row.lastSeenAt,
  moment: true,
  cell: (row) => <RelativeTime at={row.lastSeenAt} />,
}
const confidence: FindingColumn = {
  id: 'confidence',
  head: head.confidence,
  width: 100,
  value: (row) => confidenceWords[row.confidence].label,
  cell: (row) => <span title={confidenceWords[row.confidence].means}>{confidenceWords[row.confidence].label}</span>,
}
const held: FindingColumn = {
  id: 'held',
  head: head.held,
  help: head.heldHelp,
  width: 112,
  value: (row) => (row.held ? heldText(row.held) : null),
  parts: heldParts(head.held, (row) => row.held),
  cell: (row) => (row.held ? heldText(row.held) : dash),
}
const heal: FindingColumn = {
  id: 'heal',
  head: head.heal,
  width: 145,
  value: (row) => whyNotHeal(row),
  exported: healText,
  cell: (row) => <HealCell row={row} />,
}

export const findingColumns: readonly FindingColumn[] = [
  severity,
  kind,
  host,
  instance,
  { ...move, hidden: true },
  { ...where, hidden: true },
  expected,
  found,
  held,
  first,
  last,
  { ...confidence, hidden: true },
  heal,
]

/** On the page of a host, an instance or a move, where the subject is said already. */
export const findingsOf: Readonly<Record<'host' | 'instance' | 'migration', readonly FindingColumn[]>> = {
  host: [severity, kind, instance, move, where, expected, found, held, first, confidence, heal],
  instance: [severity, kind, host, move, where, expected, found, held, first, confidence, heal],
  migration: [severity, kind, host, where, expected, found, held, first, confidence, heal],
}
