import type { FindingBody } from '../../audit/auditing'
import type { FindingKind } from '../../engine/audit/finding'
import { type Confidence, KINDS, kindRow, type Severity } from '../../engine/audit/kinds'
import type { StoredFinding } from '../../store/finding/list'
import { addTotals, type ClaimTotals, totalsOf } from '../claim/view'
import { idsInText, type Names, type Ref } from '../names/names'
import { type HostOf, permitTargetsOf } from '../permit/permits'
import { type Permit, permitOn, type Rights } from '../permit/rights'
import type { Ms } from '../plain'

// A finding for display: the engine's sentence, and the remedy.

/** The source of a statement about an instance. */
export type Source = 'records' | 'allocations' | 'hypervisor'

export type { Confidence, Severity }

export interface EvidenceView {
  readonly source: Source
  readonly host: Ref | null
  /** Ready to print: `runs on h-07`, `4 PCPU, 8192 MEMORY_MB`, `nobody answered`. */
  readonly says: string
  /** When it was read or seen; null when unknown. */
  readonly at: Ms | null
}

export interface FindingRow {
  readonly id: string
  readonly kind: FindingKind
  readonly severity: Severity
  readonly confidence: Confidence
  readonly host: Ref | null
  readonly instance: Ref | null
  readonly migration: string | null
  readonly where: string | null
  readonly expected: string
  readonly found: string
  readonly firstSeenAt: Ms
  readonly lastSeenAt: Ms
  /** Set when it is resolved. */
  readonly closedAt: Ms | null
  /** What a repair releases; null when nothing. */
  readonly held: ClaimTotals | null
  /** Why no repair may touch it now (a migration in flight, a host that does not answer), else null. */
  readonly locked: string | null
  /** Whether this kind has a repair at all, and if not, what to do instead. */
  readonly heal: Permit
  /** The consumer of another client that it is about: only its owner changes it, or a release. */
  readonly foreign: string | null
}

export type FindingRecord = StoredFinding<FindingBody>

export interface FindingContext {
  readonly names: Names
  readonly rights: Rights
  readonly host: HostOf
}

export function findingRow(finding: FindingRecord, context: FindingContext): FindingRow {
  const { names } = context
  const { id, kind, severity, confidence, host, instance, migration, body } = finding
  const { firstSeenAt, lastSeenAt, closedAt } = finding
  return {
    ...{ id, kind, severity, confidence, migration, firstSeenAt, lastSeenAt, closedAt },
    host: host === null ? null : names.host(host),
    instance: instance === null ? null : names.instance(instance),
    where: whereOf(body.finding.where),
    expected: names.text(body.finding.expected),
    found: names.text(body.finding.found),
    held: freedTotals(body),
    locked: body.locked,
    heal: healPermit(finding, context),
    foreign: body.finding.owner && closedAt === null ? (body.finding.consumers[0] ?? null) : null,
  }
}

/** The part of the host: `cpu:12`, `PCPU of h-07`, `NUMA node 1`. */
function whereOf({
  unit,
  resourceClass,
  provider,
  hostCell,
  guestCell,
  pageKib,
  requestId,
  record,
  column,
}: FindingRecord['body']['finding']['where']) {
  const parts = [
    unit,
    resourceClass && (provider ? `${resourceClass} of ${provider}` : resourceClass),
    resourceClass ? undefined : provider,
    hostCell === undefined ? undefined : `NUMA node ${hostCell}`,
    guestCell === undefined ? undefined : `guest NUMA node ${guestCell}`,
    pageKib === undefined ? undefined : `pages of ${pageKib} KiB`,
    requestId,
    record,
    column === undefined ? undefined : `column ${column}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? null : parts.join(', ')
}

export function freedTotals({ givesBack }: Pick<FindingBody, 'givesBack'>): ClaimTotals | null {
  return givesBack.length === 0 ? null : givesBack.map(totalsOf).reduce(addTotals)
}

function healPermit(
  { kind, closedAt, body, host: at }: Pick<FindingRecord, 'kind' | 'closedAt' | 'body' | 'host'>,
  { rights, host }: Pick<FindingContext, 'rights' | 'host'>,
): Permit {
  const mine = permitOn(rights, 'propose', permitTargetsOf(host, [at], 'the finding'))
  if (!mine.ok) return mine
  if (closedAt !== null) return { ok: false, why: 'It no longer exists.' }
  const why = body.instead ?? (kind in KINDS ? kindRow(kind).instead : null) ?? body.locked
  return why === null ? { ok: true } : { ok: false, why }
}

export function evidenceView({ source, host, says, at }: FindingBody['evidence'][number], names: Names): EvidenceView {
  return { source, host: host === null ? null : names.host(host), says: names.text(says), at }
}

/** Every id that a view of these names. */
export const idsIn = (finding: readonly FindingRecord[]): string[] =>
  finding.flatMap(({ instance, body }) => [
    ...(instance === null ? [] : [instance]),
    ...body.finding.consumers,
    ...idsInText([body.finding.expected, body.finding.found, ...body.evidence.map(({ says }) => says)].join(' ')),
  ])
