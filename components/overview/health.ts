import type { AttentionItem, AttentionKind } from '@/server/api/overview/attention'
import type { Severity } from '@/server/engine/audit/kinds'
import { paths } from '../console/paths'

// Counts of what needs attention: the overview's health line, and the link of each count and row.

export interface HealthPart {
  readonly kind: AttentionKind
  /** For findings: critical ones are counted apart from informational ones. */
  readonly severity?: Severity
  readonly count: number
  /** The count is a lower bound. */
  readonly more: boolean
}

const OF_HOSTS: ReadonlySet<AttentionKind> = new Set([
  'host-down',
  'to-evacuate',
  'host-silent',
  'host-never-answered',
  'quarantined',
  'remains',
])

/** For these kinds an item about one host counts the instances there. */
export const countsHosts = (kind: AttentionKind): boolean => OF_HOSTS.has(kind)

/** One part per kind, and per severity for findings, in the order of the list. */
export function healthParts(items: readonly AttentionItem[]): readonly HealthPart[] {
  const parts = new Map<string, HealthPart>()
  for (const { kind, severity, host, count, more = false } of items) {
    const key = `${kind} ${severity ?? ''}`
    const before = parts.get(key)
    const own = countsHosts(kind) && host !== null ? 1 : count
    parts.set(key, { kind, severity, count: (before?.count ?? 0) + own, more: (before?.more ?? false) || more })
  }
  return [...parts.values()]
}

/** Link to the list of everything of a kind. Hosts are filtered by the quick filter that counts the same ones. */
export const listOf: Readonly<Record<AttentionKind, string>> = {
  health: '#attention',
  'host-down': paths.hosts({ q: 'status:down' }),
  'to-evacuate': paths.hosts({ q: 'status:fenced,lost instances:yes' }),
  'host-silent': paths.hosts({ q: 'state:silent' }),
  'host-never-answered': paths.hosts({ q: 'status:never-answered' }),
  quarantined: paths.hosts({ q: 'scheduling:quarantined' }),
  remains: paths.hosts({ q: 'leftovers:yes' }),
  'guests-off': paths.heal({ kind: 'instance-shut-down' }),
  finding: paths.heal(),
  'cloud-finding': paths.clouds(),
  'cloud-unreachable': paths.clouds(),
  approval: paths.heal(),
  'waits-for-person': paths.migrations({ view: 'waiting', q: 'waiting:person' }),
  'waits-for-host': paths.migrations({ view: 'waiting', q: 'waiting:host' }),
  retrying: paths.migrations({ view: 'waiting', q: 'waiting:retry' }),
  parked: paths.migrations({ view: 'waiting', q: 'waiting:repair' }),
  failed: paths.migrations({ view: 'history', q: 'outcome:failed' }),
  overdue: paths.migrations({ view: 'overdue' }),
  'not-converging': paths.migrations({ view: 'flight', q: 'state:not-converging' }),
}

/** The action of a row; its text is in `attentionActions`. */
export type AttentionAction =
  | 'review-repair'
  | 'review-requests'
  | 'fence-host'
  | 'evacuate-host'
  | 'mark-down'
  | 'open-host'
  | 'open-hosts'
  | 'start-instances'
  | 'review-leftovers'
  | 'review-options'
  | 'confirm-or-revert'
  | 'review-transfer'
  | 'open-migration'
  | 'open-migrations'
  | 'open-findings'
  | 'open-cloud'

export interface AttentionStep {
  readonly action: AttentionAction
  readonly href: string
}

/** The next action on an item, as a link to its page or dialog; null if no page has it. */
export function stepFor(item: AttentionItem): AttentionStep | null {
  const { kind, host, migration, finding, cloud } = item
  if (cloud) return cloudStep(kind, cloud.id)
  if (kind === 'finding') {
    const href = finding ? paths.heal({ kind: finding }) : paths.heal()
    return { action: item.severity === 'info' ? 'open-findings' : 'review-repair', href }
  }
  if (migration) return migrationStep(kind, migration)
  if (host) return hostStep(item, host.id)
  if (kind === 'health') return null
  if (kind === 'approval') return { action: 'review-requests', href: listOf[kind] }
  if (kind === 'guests-off') return { action: 'open-findings', href: listOf[kind] }
  return { action: countsHosts(kind) ? 'open-hosts' : 'open-migrations', href: listOf[kind] }
}

const cloudStep = (kind: AttentionKind, id: string): AttentionStep =>
  kind === 'cloud-finding'
    ? { action: 'review-repair', href: paths.cloud(id, { tab: 'findings', q: 'severity:critical' }) }
    : { action: 'open-cloud', href: paths.cloud(id) }

const ADVISED: ReadonlySet<AttentionKind> = new Set(['waits-for-host', 'parked', 'retrying', 'overdue'])

function migrationStep(kind: AttentionKind, id: string): AttentionStep {
  if (kind === 'waits-for-person') return { action: 'confirm-or-revert', href: paths.migration(id) }
  if (kind === 'not-converging') return { action: 'review-transfer', href: paths.migration(id, { tab: 'transfer' }) }
  // The adviser shows the safe actions, with proof.
  if (ADVISED.has(kind)) return { action: 'review-options', href: paths.migration(id, { tab: 'adviser' }) }
  return { action: 'open-migration', href: paths.migration(id) }
}

function hostStep({ kind, answers }: AttentionItem, id: string): AttentionStep {
  switch (kind) {
    case 'host-down':
      // Its page says that it answers, and offers to mark it as up as well.
      return answers
        ? { action: 'open-host', href: paths.host(id) }
        : { action: 'fence-host', href: paths.host(id, { act: 'fenced' }) }
    case 'to-evacuate':
      return { action: 'evacuate-host', href: paths.evacuate(id) }
    case 'host-silent':
      return { action: 'mark-down', href: paths.host(id, { act: 'down' }) }
    case 'waits-for-host':
      return { action: 'review-options', href: paths.host(id, { tab: 'adviser' }) }
    case 'guests-off':
      return { action: 'start-instances', href: paths.host(id) }
    case 'quarantined':
    case 'remains':
      return { action: 'review-leftovers', href: paths.host(id, { tab: 'adviser' }) }
    default:
      return { action: 'open-host', href: paths.host(id) }
  }
}
