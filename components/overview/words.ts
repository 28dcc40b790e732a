import type { TypicalShape } from '@/server/api/capacity/router'
import type { AttentionItem, AttentionKind } from '@/server/api/overview/attention'
import type { Severity } from '@/server/engine/audit/kinds'
import type { RunKind } from '@/server/engine/drain/plan'
import type { HealthCheckName } from '@/server/engine/health/checks'
import type { HostStatus } from '@/server/engine/host'
import { severityBadges } from '../finding/kind/words'
import type { BadgeContent } from '../ui/Badge'
import { count, plural } from '../ui/format'
import type { AttentionAction, HealthPart } from './health'

export const overviewWords = {
  title: 'Overview',
  noCapacity: 'No inventory yet',
  noCapacityMore: 'Add a host, or import hosts to get started.',
  fleet: 'Fleet',
  fleetFacts: (hosts: number, instances: number) => `${plural(hosts, 'host')}, ${plural(instances, 'instance')}`,
  zone: (name: string, hosts: number) => `${name}, ${plural(hosts, 'host')}`,
  noZone: 'no zone',
  shade: 'Color by',
  shades: { cpus: 'CPUs', memoryMib: 'Memory', room: 'Free capacity for' },
  chooseShape: 'Choose a flavor or enter a custom size to see where more of it fits.',
  typed: 'of the custom size',
  shape: 'Free capacity for',
  room: (more: number, exact: boolean, what: string) => `${exact ? '' : 'at least '}${count(more)} more ${what}`,
  fitsOn: (hosts: number, of: number) => `on ${count(hosts)} of ${plural(of, 'host')}`,
  fitsUnanswered: (more: number, hosts: number) =>
    `and ${count(more)} on ${plural(hosts, 'host')} that ${hosts === 1 ? 'does' : 'do'} not answer`,
  largestLike: 'Largest similar shape',
  whyNot: 'Explain why not elsewhere',
  marks: { into: 'migrations in', outof: 'migrations out', critical: 'critical findings', warning: 'warnings' },
  marksLabel: 'Legend',
  orMore: (n: number) => `${n} or more`,
  scaleOf: (what: string) => `${what} used`,
  scaleOfFits: (what: string) => `how many more ${what} fit`,
  numberAndShade: (what: string) => `number and shade: ${what}`,
  runs: {
    drain: (done: number, of: number) => `draining, ${done} of ${of}`,
    evacuation: (done: number, of: number) => `evacuating, ${done} of ${of}`,
  } satisfies Record<RunKind, (done: number, of: number) => string>,
  columns: {
    host: 'Host',
    zone: 'Zone',
    state: 'State',
    into: 'In',
    intoHelp: 'Migrations into the host',
    outof: 'Out',
    outofHelp: 'Migrations out of the host',
    findings: 'Findings',
  },
  findings: (n: number) => (n > 0 ? plural(n, 'finding') : ''),
  hostText: (name: string, status: string, share: string, marks: readonly string[]) =>
    [name, status, share, ...marks].filter(Boolean).join(', '),
  percent: (percent: number) => `${percent} %`,
  used: (percent: number, of: string) => `${percent} % of ${of} used`,
  health: {
    critical: { shape: 'cross', tone: 'bad', label: 'Critical' },
    warning: { shape: 'triangle', tone: 'warn', label: 'Warning' },
    ok: { shape: 'dot', tone: 'ok', label: 'Healthy' },
  } satisfies Record<string, BadgeContent>,
  healthLabel: 'Health of the fleet',
  healthy: 'Every host answers, the records match, and no migration waits.',
  attention: 'Needs attention',
  instances: (instances: number) => `${plural(instances, 'instance')} recorded`,
  downWith: (instances: string, why: string | null | undefined) => (why ? `${instances}. Reason: ${why}` : instances),
  cloudFindings: (n: number) => `${plural(n, 'critical finding')} in Nova and Placement`,
  answersAllTheSame: (text: string) => `It still answers. ${text}`,
  requests: (n: number) => plural(n, 'request'),
  hostCount: (hosts: number) => plural(hosts, 'host'),
  instancesOff: (n: number) => `${plural(n, 'instance')} off since it went down.`,
  neverAnswered: 'Imported; no survey has reached it yet.',
  migrationCount: (n: number, more: boolean) => `${plural(n, 'migration')}${more ? ' or more' : ''}`,
  calm: 'Nothing needs attention',
  calmMore: 'No migration is waiting, overdue or not converging. Every host answered the last survey.',
  notConverging: 'Dirties memory faster than the link copies it.',
  overdueIn: (step: string) => `In ${step} for longer than 95 % of earlier migrations.`,
  migrations: 'Migrations in progress',
  allMigrations: 'All migrations',
  fromTo: 'From, to',
  from: 'From',
  to: 'To',
  capacity: 'Capacity',
  byFlavor: 'By flavor and zone',
  capacityColumns: {
    ...{ resourceClass: 'Class', used: 'Used', total: 'Capacity', share: 'Share', twice: 'Migrating' },
    largest: 'Largest',
    largestHelp: 'The most that is free on one host.',
    twiceHelp: 'Held on both sides of migrations.',
  },
  largest: 'Largest shape that fits on one host',
  largestKinds: {
    shared: 'Shared vCPUs',
    pinned: 'Pinned CPUs',
    'pinned-large-pages': 'Pinned, large pages',
  } satisfies Record<TypicalShape, string>,
  nothingFree: 'none: no CPU is free',
  largestOf: (cpus: number) => `of ${count(cpus)} free`,
  largestMore: '2 GiB per vCPU',
  counts: (flight: number, queued: number, waiting: number) =>
    `${flight} in flight, ${queued} queued, ${waiting} waiting`,
  view: 'Show the fleet as',
} as const

/** The verb in a row that needs attention. */
export const attentionActions: Readonly<Record<AttentionAction, string>> = {
  'review-repair': 'Review repair',
  'review-requests': 'Review requests',
  'fence-host': 'Mark as fenced',
  'evacuate-host': 'Evacuate host',
  'mark-down': 'Mark as down',
  'open-host': 'Open host',
  'open-hosts': 'Open hosts',
  'start-instances': 'Start instances',
  'review-leftovers': 'Review leftovers',
  'review-options': 'Review options',
  'confirm-or-revert': 'Confirm or revert',
  'review-transfer': 'Review transfer',
  'open-migration': 'Open migration',
  'open-migrations': 'Open migrations',
  'open-findings': 'Open findings',
  'open-cloud': 'Open cloud',
}

/** A finding has the badge of its severity, and a host is named by its recorded status. */
export const attentionBadge = ({ kind, severity, status }: AttentionSubject): BadgeContent => {
  if (severity) return { ...severityBadges[severity], label: attentionBadges[kind].label }
  const badge = attentionBadges[kind]
  return status ? { ...badge, label: deadLabels[status] ?? badge.label } : badge
}

type AttentionSubject = Pick<AttentionItem, 'kind' | 'severity' | 'status'>

const deadLabels: Readonly<Partial<Record<HostStatus, string>>> = {
  fenced: 'Host fenced',
  lost: 'Host permanently lost',
}

/** One part of the health line. */
export function healthText({ kind, severity, count: n, more }: HealthPart): string {
  const [one, many] = partWords[kind]
  return `${count(n)}${more ? '+' : ''} ${severity ? severityWords[severity] : ''}${n === 1 ? one : many}`
}

const severityWords: Readonly<Record<Severity, string>> = { critical: 'critical ', warning: '', info: 'info-level ' }

const partWords: Readonly<Record<AttentionKind, readonly [one: string, many: string]>> = {
  health: ['failing check of Berth', 'failing checks of Berth'],
  'guests-off': ['instance off', 'instances off'],
  'host-down': ['host down', 'hosts down'],
  'to-evacuate': ['host to evacuate', 'hosts to evacuate'],
  'host-silent': ['host not answering', 'hosts not answering'],
  'host-never-answered': ['host never answered', 'hosts never answered'],
  quarantined: ['host quarantined', 'hosts quarantined'],
  remains: ['host with leftovers', 'hosts with leftovers'],
  finding: ['state mismatch', 'state mismatches'],
  'cloud-finding': ['cloud finding', 'cloud findings'],
  'cloud-unreachable': ['cloud not reached', 'clouds not reached'],
  approval: ['request awaiting approval', 'requests awaiting approval'],
  'waits-for-person': ['migration awaiting confirm or revert', 'migrations awaiting confirm or revert'],
  'waits-for-host': ['migration waiting for an unreachable host', 'migrations waiting for an unreachable host'],
  retrying: ['migration retrying', 'migrations retrying'],
  parked: ['migration blocked by its records', 'migrations blocked by their records'],
  failed: ['migration failed in 24 h', 'migrations failed in 24 h'],
  overdue: ['migration overdue', 'migrations overdue'],
  'not-converging': ['migration not converging', 'migrations not converging'],
}

/** The subject of a health check. */
export const checkWords: Readonly<Record<HealthCheckName, string>> = {
  relay: 'Outbox relay',
  outbox: 'Unpublished events',
  tasks: 'Periodic tasks',
  audit: 'Periodic audit',
  survey: 'Survey',
  leases: 'Leases',
  clock: 'Server clock',
  replica: 'Database replica',
}

export const attentionBadges: Readonly<Record<AttentionKind, BadgeContent>> = {
  health: { shape: 'triangle', tone: 'bad', label: 'Berth check failed' },
  approval: { shape: 'pause', tone: 'warn', label: 'Awaiting approval' },
  'waits-for-person': { shape: 'pause', tone: 'warn', label: 'Awaiting confirm or revert' },
  'waits-for-host': { shape: 'triangle', tone: 'bad', label: 'Host unreachable' },
  'not-converging': { shape: 'half', tone: 'warn', label: 'Migration not converging' },
  overdue: { shape: 'pause', tone: 'warn', label: 'Migration overdue' },
  retrying: { shape: 'half', tone: 'warn', label: 'Migration retrying' },
  parked: { shape: 'cross', tone: 'bad', label: 'Migration blocked' },
  failed: { shape: 'cross', tone: 'bad', label: 'Migration failed' },
  'host-silent': { shape: 'unknown', tone: 'bad', label: 'Host does not answer' },
  'guests-off': { shape: 'outof', tone: 'bad', label: 'Instances off' },
  'host-never-answered': { shape: 'dash', tone: 'warn', label: 'Host never answered' },
  'host-down': { shape: 'triangle', tone: 'bad', label: 'Host down' },
  'to-evacuate': { shape: 'cross', tone: 'bad', label: 'To evacuate' },
  quarantined: { shape: 'diamond', tone: 'bad', label: 'Quarantined' },
  remains: { shape: 'square', tone: 'warn', label: 'Leftovers' },
  finding: { shape: 'cross', tone: 'bad', label: 'State mismatch' },
  'cloud-finding': { shape: 'cross', tone: 'bad', label: 'Cloud finding' },
  'cloud-unreachable': { shape: 'unknown', tone: 'bad', label: 'Cloud not reached' },
}

/** The kind of run that empties a host. */
export const runBadges: Readonly<Record<RunKind, BadgeContent>> = {
  drain: { shape: 'half', tone: 'flow', label: 'draining' },
  evacuation: { shape: 'moon', tone: 'warn', label: 'evacuating' },
}
