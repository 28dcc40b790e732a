import { type Interruptible, runToCompletion } from '../interruptible'
import { type CloudAuditSettings, type CloudFacts, DEFAULT_SETTINGS, interruptibleFacts } from './facts'
import {
  type CloudCheck,
  type CloudDraft,
  type CloudEvidence,
  type CloudFinding,
  type CloudInstanceCheck,
  identityOf,
} from './finding'
import { heldByOthers, holdingChecks, unknownConsumers } from './holding-checks'
import { hostChecks, powerChecks } from './host-checks'
import { type CloudFindingKind, cloudKindRow } from './kinds'
import type { CloudSnapshot } from './snapshot'
import { stuckChecks } from './stuck-checks'
import { witnessChecks } from './witness-checks'

// The audit of an OpenStack cloud. The parts of a snapshot are answers of different moments, so one may show an
// instance before its migration and an allocation after it. What two snapshots agree on, with every answer of the later
// one newer than every answer of the earlier, was true at one time: a row that is equal, its time of writing included,
// did not change in between.

const CHECKS: readonly CloudCheck[] = [heldByOthers, witnessChecks, hostChecks]
const INSTANCE_CHECKS: readonly CloudInstanceCheck[] = [holdingChecks, stuckChecks, powerChecks]
/** Instances checked before yielding to the event loop. */
const INSTANCES_A_PART = 100

export interface CloudAuditRequest {
  /** Any earlier snapshot, ideally that of the previous pass. A finding counts once all its facts were read again. */
  readonly before: CloudSnapshot
  readonly after: CloudSnapshot
  readonly settings?: CloudAuditSettings
}

/** Worst first, then by group and object. */
export const auditCloud = (request: CloudAuditRequest): readonly CloudFinding[] =>
  runToCompletion(interruptibleCloudAudit(request))

export function* interruptibleCloudAudit({
  before,
  after,
  settings = DEFAULT_SETTINGS,
}: CloudAuditRequest): Interruptible<readonly CloudFinding[]> {
  const drafts = yield* draftsOf(yield* interruptibleFacts(after, settings))
  if (drafts.length === 0) return []
  // Rows that are equal in both have not changed in between, so only the later snapshot has to check their age.
  const then = yield* draftsOf(yield* interruptibleFacts(before, { ...settings, settleMs: 0 }))
  const earlier = new Map(then.map((draft) => [identityOf(draft), draft]))
  return drafts
    .filter((draft) => isRecurring({ draft, earlier: earlier.get(identityOf(draft)), since: before.now }, settings))
    .map((draft) => ({ ...draft, ...rowOf(draft) }))
    .sort(bySeverity)
}

const UNDATED: ReadonlySet<CloudFindingKind> = new Set([
  ...(['provider-without-service', 'service-without-provider', 'provider-uuid-differs'] as const),
])

function* draftsOf(facts: CloudFacts): Interruptible<readonly CloudDraft[]> {
  const drafts: CloudDraft[] = []
  let judged = 0
  for (const server of facts.servers.values()) {
    if (judged++ % INSTANCES_A_PART === 0) yield
    for (const check of INSTANCE_CHECKS) drafts.push(...check(facts, server))
  }
  for (const check of CHECKS) {
    yield
    drafts.push(...check(facts))
  }
  return drafts
}

const rowOf = ({ kind }: CloudDraft) => {
  const { group, severity, title } = cloudKindRow(kind)
  return { group, severity, title }
}

interface DraftHistory {
  readonly draft: CloudDraft
  readonly earlier: CloudDraft | undefined
  /** When the earlier snapshot was complete. */
  readonly since: number
}

function isRecurring({ draft, earlier, since }: DraftHistory, { settleMs }: CloudAuditSettings): boolean {
  if (earlier === undefined) return false
  // An instance may be built and deleted between two lists that both lack it. A consumer read before such a list does
  // not belong to an instance created later; one still there some time after it does not belong to one being deleted.
  if (draft.kind === 'orphaned-allocation') {
    const without = timesOf(earlier, 'nova')[0]
    return timesOf(earlier, 'placement')[1] <= without && timesOf(draft, 'placement')[0] - without >= settleMs
  }
  // A cached answer may be older than the record of another source.
  if (timesOf(draft)[0] - Math.max(since, timesOf(earlier)[1]) < 1) return false
  // Facts without the time of their last write may be a moment old, so the two reads themselves must be that far apart.
  const sources = new Set(UNDATED.has(draft.kind) ? draft.evidence.map(({ source }) => source) : [])
  return [...sources].every((source) => timesOf(draft, source)[0] - timesOf(earlier, source)[1] >= settleMs)
}

/** The oldest and the newest answer, of one source or of all. */
function timesOf({ evidence }: CloudDraft, source?: CloudEvidence['source']): readonly [number, number] {
  const times = evidence.filter((each) => source === undefined || each.source === source).map(({ at }) => at)
  return [Math.min(...times), Math.max(...times)]
}

const WORST = ['critical', 'warning', 'info']
const bySeverity = (one: CloudFinding, other: CloudFinding): number =>
  WORST.indexOf(one.severity) - WORST.indexOf(other.severity) ||
  one.group - other.group ||
  (one.object.id < other.object.id ? -1 : 1)

interface Reading {
  readonly snapshot: CloudSnapshot
  readonly findings: readonly CloudFinding[]
  readonly settings?: CloudAuditSettings
}

/**
 * Consumers to query with `GET /allocations/{c}` before the next audit: they are unknown, or a repair has to write for
 * them and needs their project and user.
 */
export function* consumersToRead({
  snapshot,
  findings,
  settings = DEFAULT_SETTINGS,
}: Reading): Interruptible<readonly string[]> {
  const facts = yield* interruptibleFacts(snapshot, settings)
  yield
  const subjects = findings.flatMap(({ instances, migrations, object }) => [...instances, ...migrations, object.id])
  return [...new Set([...unknownConsumers(facts), ...subjects.filter((id) => facts.consumers.has(id))])]
}
