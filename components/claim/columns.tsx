import type { ClaimView } from '@/server/api/claim/view'
import { hostContent, instanceContent, MigrationLink, migrationLabel } from '../console/refs'
import { dash } from '../ui/dash'
import { mib, ranges } from '../ui/format'
import { Unknown } from '../ui/KeyValue'
import type { Column } from '../ui/table/column'
import { RelativeTime } from '../ui/time/Clock'
import { claimWords, markBadges } from './words'

const head = claimWords.columns

export const cpusOf = (claim: ClaimView) =>
  claim.cells.flatMap((cell) => [...cell.pins.map(([, cpu]) => cpu), ...cell.emulatorCpus])

function cpuText(claim: ClaimView): string {
  const pinned = cpusOf(claim)
  const shared = claim.cells.reduce((sum, cell) => sum + cell.sharedVcpus.length, 0)
  const parts = [pinned.length > 0 ? ranges(pinned) : null, shared > 0 ? claimWords.shared(shared) : null]
  return claimWords.cpus(parts) || (claim.held.vcpus > 0 ? claimWords.shared(claim.held.vcpus) : '–')
}

/** A migration that has ended, or never was, still holds an orphaned claim. */
function HolderCell({ claim: { holder, migration } }: { claim: ClaimView }) {
  if (holder.kind === 'instance') return claimWords.byInstance
  return migration ? (
    <MigrationLink migration={migration} />
  ) : (
    <span className="text-warn">{claimWords.byNoMigration}</span>
  )
}

const cellText = (claim: ClaimView) => ranges([...new Set(claim.cells.map((cell) => cell.hostCell))])

export const claimColumns: readonly Column<ClaimView>[] = [
  {
    id: 'instance',
    head: head.instance,
    fixed: true,
    ...instanceContent((claim: ClaimView) => claim.instance),
  },
  {
    id: 'mark',
    head: head.mark,
    width: 100,
    value: (claim) => claim.mark,
    badge: (claim) => markBadges[claim.mark],
  },
  {
    id: 'holder',
    head: head.holder,
    width: 190,
    value: (claim) => claim.holder.kind,
    exported: ({ holder, migration }) =>
      holder.kind === 'migration' ? (migrationLabel(migration) ?? claimWords.byNoMigration) : claimWords.byInstance,
    cell: (claim) => <HolderCell claim={claim} />,
  },
  {
    id: 'host',
    head: head.host,
    width: 130,
    hidden: true,
    ...hostContent((claim: ClaimView) => claim.host),
  },
  {
    id: 'cpus',
    head: head.cpus,
    width: 190,
    secondLine: 'named',
    value: cpuText,
    cell: (claim) => <span className="font-mono text-xs">{cpuText(claim)}</span>,
  },
  { id: 'cells', head: head.cells, width: 70, value: cellText, cell: (claim) => cellText(claim) || '–' },
  {
    id: 'memory',
    head: head.memory,
    width: 100,
    secondLine: 'named',
    align: 'end',
    value: (claim) => claim.held.memoryMib,
    exportUnit: 'mib',
    cell: (claim) => (claim.held.memoryMib > 0 ? mib(claim.held.memoryMib) : dash),
  },
  {
    id: 'devices',
    head: head.devices,
    width: 80,
    align: 'end',
    value: (claim) => claim.held.devices,
    cell: (claim) => claim.held.devices || '–',
  },
  {
    id: 'since',
    head: head.since,
    width: 112,
    secondLine: 'named',
    value: (claim) => claim.since,
    timestamp: true,
    cell: (claim) => (claim.since === null ? <Unknown /> : <RelativeTime at={claim.since} />),
  },
]
