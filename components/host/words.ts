import type { HostCounts } from '@/server/api/host/list'
import type { HostKind } from '@/server/api/host/view'
import type { HostAction } from '@/server/api/permit/permits'
import type { HostStatus } from '@/server/engine/host'
import type { BadgeContent } from '../ui/Badge'
import { plural } from '../ui/format'

export const hostWords = {
  title: 'Hosts',
  one: 'Host',
  filter: 'Name or id',
  empty: 'No host yet',
  emptyMore: 'Add a host, or import hosts to get started. Hosts managed by Nova are listed under Provider trees.',
  emptyFiltered: 'No host matches',
  emptyFilteredMore: 'Clear the filter to see every host.',
  migrationsIn: 'Migrations in',
  migrationsOut: 'Migrations out',
  never: 'its first survey',
  neverSeen: 'never',
  recordedUp: 'recorded up',
  silent: 'The host does not answer: its instances may still run there, and migrations from and to it wait.',
  lastContact: 'Last contact:',
  lastError: (why: string) => `Last error: ${why.replace(/\.$/, '')}. `,
  whatIsSafe: 'What is safe to do',
  findingCount: (n: number, worst: string) => `${plural(n, 'finding')}, worst: ${worst}`,
  leftoverCount: (n: number) => plural(n, 'leftover'),
  quickLabel: 'Hosts by state',
  tabs: {
    map: 'Map',
    instances: 'Instances',
    claims: 'Claims',
    migrations: 'Migrations',
    findings: 'Findings',
    adviser: 'Adviser',
    facts: 'Facts',
    events: 'Events',
  },
  remains: (n: number) =>
    `${plural(n, 'instance')} still ${n === 1 ? 'needs' : 'need'} clean-up here. No new claims until it finishes.`,
  facts: {
    title: 'Facts',
    cpu: 'CPU model',
    vendor: 'Vendor, arch',
    features: 'CPU features',
    sockets: 'Sockets',
    layout: 'Provider layout',
    memoryPolicy: 'Memory policy',
    ordinary: 'Memory in small pages',
    ordinaryShare: (held: string, capacity: string, huge: string) =>
      `${held} of ${capacity} claimed; huge pages use ${huge}`,
    policies: {
      exact: 'exact: small and huge pages separately',
      nova: 'nova: small pages include huge pages',
    },
    changePolicy: 'Change memory policy',
    policyHints: {
      exact:
        'Each NUMA node accounts for small and huge pages separately. Existing claims stay; an overcommitted host accepts no new claims in small pages and gets a finding.',
      nova: 'As in Nova, new claims may get small-page memory that huge pages already use. The OOM killer may then kill instances.',
    },
    policyChanged: (policy: string) => `memory policy set to ${policy}`,
    driver: 'Driver',
    reason: 'Reason given',
    seen: 'Last seen',
    generation: 'Generation',
    providers: 'Resource providers',
    provider: 'Provider',
    resourceClass: 'Class',
    used: 'Used',
    reserved: 'Reserved',
    total: 'Total',
    ratio: 'Ratio',
    capacity: 'Capacity',
    traits: 'Traits',
    aggregates: 'Aggregates',
    cell: (n: number) => `NUMA node ${n}`,
    sharing: 'sharing provider',
  },
  actions: 'Host actions',
} as const

/** One-click filters over the list, each with its count. */
export const quickBadges: Readonly<Record<keyof HostCounts, BadgeContent>> = {
  all: { shape: 'ring', tone: 'idle', label: 'all' },
  up: { shape: 'dot', tone: 'ok', label: 'up' },
  silent: { shape: 'unknown', tone: 'bad', label: 'no answer' },
  neverAnswered: { shape: 'dash', tone: 'warn', label: 'never answered' },
  down: { shape: 'triangle', tone: 'bad', label: 'down' },
  toEvacuate: { shape: 'cross', tone: 'bad', label: 'to evacuate' },
  disabled: { shape: 'pause', tone: 'warn', label: 'disabled' },
  quarantined: { shape: 'diamond', tone: 'bad', label: 'quarantined' },
  leftovers: { shape: 'square', tone: 'warn', label: 'with leftovers' },
  findings: { shape: 'diamond', tone: 'bad', label: 'with findings' },
  migrating: { shape: 'into', tone: 'flow', label: 'migrating' },
}

/** Whether a host is real, and what Berth may do there. */
export const kindBadges: Readonly<Record<HostKind, BadgeContent>> = {
  simulated: { shape: 'ring', tone: 'twice', label: 'Simulated' },
  real: { shape: 'dot', tone: 'ok', label: 'Real' },
  'read-only': { shape: 'pause', tone: 'flow', label: 'Real, read-only' },
  unconnected: { shape: 'unknown', tone: 'warn', label: 'Real, not connected' },
}

export const kindTags: Readonly<Record<HostKind, string>> = {
  ...{ simulated: 'simulated', real: 'real', 'read-only': 'read-only', unconnected: 'not connected' },
}

const statusMeans: Readonly<Record<HostStatus, string>> = {
  up: 'for a host that answers',
  down: 'for a host that does not answer; its instances may still run',
  fenced: 'for a host that is powered off; it may return',
  lost: 'for a host that never returns',
}

/** A host keeps one reason: of its status unless it is up, else of its scheduling. */
export const schedulingReason = ({ status, reason }: { status: HostStatus; reason: string | null }): string | null =>
  status === 'up' ? reason : null

export interface ActionWords {
  readonly verb: string
  readonly hint: string
  readonly danger: boolean
  readonly done: string
}

export const hostActionWords: Readonly<Record<HostAction, ActionWords>> = {
  up: { verb: 'Mark as up', hint: statusMeans.up, danger: false, done: 'marked as up' },
  down: { verb: 'Mark as down', hint: statusMeans.down, danger: true, done: 'marked as down' },
  fenced: { verb: 'Mark as fenced', hint: statusMeans.fenced, danger: true, done: 'marked as fenced' },
  lost: { verb: 'Mark as permanently lost', hint: statusMeans.lost, danger: true, done: 'marked as permanently lost' },
  enable: {
    verb: 'Enable scheduling',
    hint: 'the scheduler may place instances on it',
    danger: false,
    done: 'enabled',
  },
  disable: {
    verb: 'Disable scheduling',
    hint: 'no new claims; existing instances stay',
    danger: false,
    done: 'disabled',
  },
}

export const consequenceWords = {
  instances: (n: number) => `${plural(n, 'instance')} recorded on it`,
  answers: 'The host still answers, so its instances may still run there. Last contact:',
  goOn: (n: number) => `${plural(n, 'migration')} waiting for it will continue`,
  touched: (n: number) => `${plural(n, 'active migration')} from or to it`,
  signed: 'This is signed with your name in the audit log.',
  atOnce: 'Berth acts on it at once.',
} as const

export const secondPersonWords = {
  ask: (verb: string) => `Request approval: ${verb.charAt(0).toLowerCase()}${verb.slice(1)}`,
  asked: 'Sent for approval',
  askedMore: 'Nothing changes until a second person approves it.',
  where: 'Requests awaiting approval',
} as const
