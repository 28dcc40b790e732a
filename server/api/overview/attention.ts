import { kindRow } from '../../engine/audit'
import type { FindingKind } from '../../engine/audit/finding'
import type { Severity } from '../../engine/audit/kinds'
import type { HealthCheck, HealthCheckName } from '../../engine/health/checks'
import { type Host, type HostStatus, isDead } from '../../engine/host'
import type { Migration, Step } from '../../engine/migration/state'
import type { HostId } from '../../engine/words/ids'
import type { AuditNow } from '../../store/finding/finding'
import type { ListedMigration } from '../../store/migration/list'
import type { OpenProposals } from '../../store/proposal/proposal'
import type { CloudHealth } from '../cloud/health'
import { contactOf, type HostNotes, instancesOn, NO_NOTES } from '../host/view'
import type { SlowMigrations } from '../migration/pace'
import type { Names, Ref } from '../names/names'
import type { Ms } from '../plain'

// Items that need attention, most urgent first. Migrations that wait for one host are one item about that host, and
// many items of a kind are one item, so that the list stays short.

export type AttentionKind =
  | 'health'
  /** Requests that a second person has to approve. */
  | 'approval'
  | 'waits-for-person'
  | 'waits-for-host'
  | 'retrying'
  | 'not-converging'
  | 'overdue'
  | 'parked'
  | 'failed'
  | 'host-down'
  /** Confirmed powered off or permanently lost, and instances are recorded there. */
  | 'to-evacuate'
  | 'host-silent'
  | 'host-never-answered'
  /** Instances that ran on a host until it went down, and are off since it is back. */
  | 'guests-off'
  | 'quarantined'
  | 'remains'
  | 'finding'
  /** Critical findings of a connected cloud. */
  | 'cloud-finding'
  /** The last poll of a connected cloud failed. */
  | 'cloud-unreachable'

export interface AttentionItem {
  readonly kind: AttentionKind
  readonly since: Ms | null
  readonly host: Ref | null
  readonly instance: Ref | null
  readonly migration: string | null
  /** For items about a connected cloud. */
  readonly cloud?: Ref
  /** For items of kind `health`. */
  readonly check?: HealthCheckName
  /** For items of kind `finding`. */
  readonly finding?: FindingKind
  /** For findings, those of a cloud too. */
  readonly severity?: Severity
  /** For items of kind `to-evacuate`: the recorded status of the host. */
  readonly status?: HostStatus
  /**
   * For items of kind `host-down`: the host answers although it is recorded as down, so its instances may still run
   * there.
   */
  readonly answers?: true
  /**
   * How many the item counts: migrations, findings, instances off; for the other kinds about hosts, the instances on
   * the one host, or the hosts where `host` is null.
   */
  readonly count: number
  /** There are more than were counted. */
  readonly more?: true
  readonly why: string | null
  /** The step that is overdue. */
  readonly step?: Step
}

export interface AttentionParts {
  readonly hosts: readonly Host[]
  readonly active: readonly Migration[]
  readonly slow: SlowMigrations
  readonly failed: readonly ListedMigration[]
  /** Not all failed ones were read. */
  readonly moreFailed?: boolean
  readonly notes: ReadonlyMap<string, HostNotes>
  readonly findings: AuditNow['byKind']
  readonly health: readonly HealthCheck[]
  readonly names: Names
  /** Instances that ran on a host until it went down, by host. */
  readonly ranBefore?: ReadonlyMap<HostId, number>
  /** Connected clouds that are watched. */
  readonly clouds?: readonly CloudHealth[]
  readonly requests?: OpenProposals
}

/**
 * Critical findings come before all but these; waste comes after hosts and migrations that are stuck, and information
 * comes last.
 */
const ORDER: readonly (AttentionKind | 'critical' | 'info')[] = [
  'guests-off',
  'health', // while it fails, the other items may be outdated
  'critical',
  'host-down',
  'to-evacuate',
  'host-silent',
  'cloud-unreachable',
  'approval', // of what somebody wants to do about one of these
  'waits-for-host',
  'parked',
  'finding',
  'cloud-finding', // a critical one has its rank above
  'host-never-answered',
  'not-converging',
  'retrying',
  'overdue',
  'waits-for-person',
  'failed',
  'quarantined',
  'remains',
  'info',
]

const rankOf = ({ kind, severity }: AttentionItem): number =>
  ORDER.indexOf(severity === 'critical' || severity === 'info' ? severity : kind)

export function attentionOf(parts: AttentionParts): AttentionItem[] {
  const items = [
    ...unhealthy(parts),
    ...requested(parts),
    ...grouped([
      ...parts.hosts.flatMap((host) => ofHost(host, parts)),
      ...waits(parts),
      ...slow(parts),
      ...failures(parts),
    ]),
    ...found(parts),
    ...(parts.clouds ?? []).flatMap(ofCloud),
  ]
  return items.sort((a, b) => rankOf(a) - rankOf(b) || (a.since ?? 0) - (b.since ?? 0))
}

/** More of a kind than this are one item: its link leads to the list of them. */
const EACH = 3

function grouped(items: readonly AttentionItem[]): AttentionItem[] {
  return [...new Set(items.map(({ kind }) => kind))].flatMap((kind) => {
    const all = items.filter((item) => item.kind === kind)
    if (all.length <= EACH) return all
    const times = all.flatMap(({ since }) => since ?? [])
    const since = times.length > 0 ? Math.min(...times) : null
    const count = COUNTS_HOSTS.has(kind) ? all.length : all.reduce((sum, item) => sum + item.count, 0)
    const more = all.some((item) => item.more)
    return [{ ...NONE, kind, since, count, ...(more ? { more } : {}) }]
  })
}

const COUNTS_HOSTS: ReadonlySet<AttentionKind> = new Set([
  'host-down',
  'to-evacuate',
  'host-silent',
  'host-never-answered',
  'quarantined',
  'remains',
])

const NONE = { since: null, host: null, instance: null, migration: null, count: 1, why: null }

function unhealthy({ health }: AttentionParts): AttentionItem[] {
  return health.flatMap(({ name, ok, why }) => (ok ? [] : [{ ...NONE, kind: 'health' as const, check: name, why }]))
}

const requested = ({ requests }: AttentionParts): AttentionItem[] =>
  requests && requests.count > 0 ? [{ ...NONE, kind: 'approval', count: requests.count, since: requests.since }] : []

/** One item per kind; what only one audit has found needs no action yet. */
function found({ findings, names }: AttentionParts): AttentionItem[] {
  return findings
    .filter(({ proven }) => proven > 0)
    .map(({ kind, proven, since, host, instance }) => ({
      ...{ ...NONE, kind: 'finding', finding: kind, since, count: proven, why: kindRow(kind).title },
      severity: kindRow(kind).severity,
      host: host === null ? null : names.host(host),
      instance: instance === null ? null : names.instance(instance),
    }))
}

function ofCloud({ id, name, critical, error, reachedAt }: CloudHealth): AttentionItem[] {
  const own = { ...NONE, cloud: { id, name } }
  const items: AttentionItem[] = []
  if (error !== null) items.push({ ...own, kind: 'cloud-unreachable', since: reachedAt, why: error })
  if (critical > 0) items.push({ ...own, kind: 'cloud-finding', severity: 'critical', count: critical })
  return items
}

function ofHost(host: Host, parts: AttentionParts): AttentionItem[] {
  const { status, scheduling, leftovers } = host
  const notes = parts.notes.get(host.id) ?? NO_NOTES
  const { reason, lastSeenAt: since } = notes
  const own = { ...NONE, host: { id: host.id, name: host.name } }
  const items: AttentionItem[] = []
  const contact = contactOf(host, notes)
  const instances = instancesOn(host)
  if (status === 'down') {
    const down = { ...own, kind: 'host-down', count: instances, why: reason } as const
    items.push(contact === 'answering' ? { ...down, answers: true } : down)
  }
  if (isDead(status) && instances > 0)
    items.push({ ...own, kind: 'to-evacuate', status, count: instances, why: reason })
  if (contact === 'never-answered') items.push({ ...own, kind: 'host-never-answered' })
  if (contact === 'silent') items.push({ ...own, kind: 'host-silent', since, count: instances })
  const off = parts.ranBefore?.get(host.id) ?? 0
  if (off > 0) items.push({ ...own, kind: 'guests-off', since, count: off })
  if (scheduling === 'quarantined') items.push({ ...own, kind: 'quarantined', why: reason })
  if (leftovers.length > 0) items.push({ ...own, kind: 'remains', count: leftovers.length })
  return items
}

function waits({ active, names }: AttentionParts): AttentionItem[] {
  const forHost = new Map<string, AttentionItem>()
  const items: AttentionItem[] = []
  for (const { id, instance, waiting, stepSince: since } of active) {
    const own = { ...NONE, since, instance: names.instance(instance), migration: id }
    if (waiting?.for === 'person') items.push({ ...own, kind: 'waits-for-person' })
    if (waiting?.for === 'retry') items.push({ ...own, kind: 'retrying', why: names.text(waiting.why) })
    if (waiting?.for === 'repair') items.push({ ...own, kind: 'parked', why: names.text(waiting.why) })
    if (waiting?.for !== 'host') continue
    const known = forHost.get(waiting.host)
    const one: AttentionItem = { ...own, kind: 'waits-for-host', host: names.host(waiting.host), why: waiting.why }
    forHost.set(waiting.host, known ? { ...known, instance: null, migration: null, count: known.count + 1 } : one)
  }
  return [...items, ...forHost.values()]
}

/** A waiting migration is already an item; one that does not converge is overdue for that reason. */
function slow({ slow: { overdue, notConverging }, names }: AttentionParts): AttentionItem[] {
  const late = overdue.filter((each) => each.waiting === null && !notConverging.includes(each))
  const items = (kind: 'overdue' | 'not-converging', migrations: readonly Migration[]): AttentionItem[] =>
    migrations.map(({ id, instance, step, stepSince }) => ({
      ...{ ...NONE, kind, since: stepSince, instance: names.instance(instance), migration: id, step },
    }))
  return [...items('not-converging', notConverging), ...items('overdue', late)]
}

function failures({ failed, moreFailed, names }: AttentionParts): AttentionItem[] {
  return failed.map(({ migration, endedAt }) => ({
    ...NONE,
    ...(moreFailed ? { more: true } : {}),
    kind: 'failed' as const,
    since: endedAt,
    instance: names.instance(migration.instance),
    migration: migration.id,
    why: migration.cause && names.text(migration.cause.message),
  }))
}
