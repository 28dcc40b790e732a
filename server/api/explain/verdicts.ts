import { type ClaimPlan, decide, type Verdict } from '../../engine/claim'
import type { Demand } from '../../engine/demand'
import { type FreeRoom, freeRoom } from '../../engine/explain/free-room'
import { changesNeeded, type Remedy, remedyFor } from '../../engine/explain/remedy'
import { bodyOf } from '../../engine/holdings'
import type { Host, HostScheduling, HostStatus } from '../../engine/host'
import { choose, type Policy, type RankFacts } from '../../engine/scheduler'
import type { StorageUsed } from '../../engine/storage/storage'
import { devicesCounted } from '../../engine/topology/device/devices'
import { preparedOf } from '../../engine/topology/numa'
import type { Refusal, RefusalKind } from '../../engine/words/refusal'
import { DISK_GB, MEMORY_MB, PCPU, VCPU } from '../../engine/words/units'
import { type MappingView, mappingView } from '../claim/mapping'
import type { ClaimTotals } from '../claim/view'
import { isSilent, type Silence, silentLast } from '../host/fleet-now'
import type { Ref } from '../names/names'
import { holdersIn, namesOf } from '../names/read'
import { denialReason, isOutside, touchedHost } from '../permit/rights'
import { type RefusalView, refusalView } from '../refusal/view'
import type { ApiServices } from '../services'
import type { ExplainRequest } from './question'
import type { SummaryView } from './summary'

// The matrix: one demand on every host, each with all its reasons, in the scheduler's order.

export interface HostVerdict {
  readonly host: Ref
  readonly zone: string | null
  readonly status: HostStatus
  readonly scheduling: HostScheduling
  readonly verdict: 'ok' | 'warning' | 'refused'
  /** Position in the scheduler's order among hosts that fit; null when refused. */
  readonly rank: number | null
  /** The basis of `rank`, with the instance included; null when refused, and for a claim that is kept unchanged. */
  readonly standing: RankFacts | null
  /** Lower bound of the changes until it fits; 0 when it does, null when no change would help. */
  readonly changes: number | null
  readonly free: FreeRoom
  readonly isSource: boolean
  /** How a live migration to this host treats the disk; null when refused, and for every other operation. */
  readonly storage: StorageUsed | null
  readonly refusals: readonly RefusalView[]
  readonly warnings: readonly RefusalView[]
}

/** One rule on one host: its worst case with at most one holder, the largest, and the number of cases. */
export interface RuleInShort extends RefusalView {
  readonly times: number
}

/** Five hundred hosts with every case of every rule would be megabytes: `migrate.plan` answers one host in full. */
export interface VerdictSummary extends Omit<HostVerdict, 'refusals' | 'warnings'> {
  /** One entry per rule; for a host that fits, its warnings. */
  readonly reasons: readonly RuleInShort[]
  /** Set when the host fits but does not answer: it ranks last, as in the scheduler. */
  readonly silence: Silence | null
}

export interface MigrationVerdictsView {
  /** Whether the migration may be started at all, whatever the host. */
  readonly permit: { readonly ok: true } | { readonly ok: false; readonly why: string }
  readonly demand: ClaimTotals
  readonly counts: { readonly ok: number; readonly warning: number; readonly refused: number }
  /** Why hosts refuse, in one sentence. */
  readonly summary: SummaryView
  /** The policy that ranks `standing`. */
  readonly policy: Policy
  /** In the scheduler's order, then the refusing ones: fewest changes first, those that nothing helps last. */
  readonly hosts: readonly VerdictSummary[]
  readonly tookMs: number
  readonly seq: string
}

/** One host's verdict before names are resolved. */
export interface HostEvaluation {
  readonly host: Host
  readonly verdict: HostVerdict['verdict']
  /** Place among those that fit; null when refused. */
  readonly rank: number | null
  /** Warnings of a host where it fits. */
  readonly reasons: readonly Refusal[]
  readonly standing: RankFacts | null
  /** Null when it fits. */
  readonly remedy: Remedy | null
  readonly storage: StorageUsed | null
}

/**
 * Hosts that fit in the scheduler's order, silent hosts last; then refusing hosts by fewest changes, number of reasons,
 * and name.
 */
export function evaluateHosts(request: ExplainRequest): readonly HostEvaluation[] {
  const { plans, refusals } = request.keepsClaim
    ? plansKeepingClaim(request)
    : choose(request.question, request.hosts, request.rules)
  const hosts = new Map(request.hosts.map((host) => [host.id, host]))
  const outside = new Set(request.hosts.filter((host) => isOutsideOf(request, host)))
  const inScope = plans.filter(({ host }) => !outside.has(host))
  const fits = silentLast(inScope, request.silentHosts).map(
    ({ host, warnings, plan, standing }, at): HostEvaluation => {
      const verdict = warnings.length > 0 ? 'warning' : 'ok'
      return { host, verdict, rank: at + 1, reasons: warnings, standing, remedy: null, storage: plan?.storage ?? null }
    },
  )
  const refused = refusals.flatMap(({ host: id, refusals: reasons }): HostEvaluation[] => {
    const host = hosts.get(id)
    if (!host || outside.has(host)) return []
    const remedy = remedyFor({ ...request.question, host, prepared: preparedOf(host) }, reasons)
    return [{ host, verdict: 'refused', rank: null, reasons, standing: null, remedy, storage: null }]
  })
  refused.sort(byChanges)
  const elsewhere = new Map(refusals.map(({ host, refusals: reasons }) => [host, reasons]))
  const unchosen = [...outside].map((host) => unchosenFor(request, host, elsewhere.get(host.id) ?? []))
  return [...fits, ...refused, ...unchosen]
}

const isOutsideOf = ({ rights }: ExplainRequest, host: Host): boolean =>
  rights !== undefined && isOutside(rights, 'operate', host)

/** No change to the host would help: a user with rights on it has to do it. */
function unchosenFor({ rights }: ExplainRequest, host: Host, others: readonly Refusal[]): HostEvaluation {
  const why = rights ? denialReason(rights, 'operate', [touchedHost(host)]) : ''
  const have = `${why.charAt(0).toLowerCase()}${why.slice(1).replace(/\.$/, '')}`
  const mine = { kind: 'not-permitted', where: {}, need: 'operator', have } as const
  const reasons = [mine, ...others]
  const remedy = { kind: 'unfixable', refusals: reasons, because: mine.kind } as const
  return { host, verdict: 'refused', rank: null, reasons, standing: null, remedy, storage: null }
}

const changesOf = ({ remedy }: HostEvaluation) => (remedy === null ? 0 : changesNeeded(remedy))

function byChanges(a: HostEvaluation, b: HostEvaluation): number {
  const [few, more] = [changesOf(a), changesOf(b)]
  if (few !== more) return few - more
  return a.reasons.length - b.reasons.length || (a.host.name < b.host.name ? -1 : 1)
}

/** In the order of `evaluateHosts`, every reason in full. */
export async function verdictsOf(services: ApiServices, request: ExplainRequest): Promise<readonly HostVerdict[]> {
  const all = evaluateHosts(request)
  const names = await namesOf(services, holdersIn(all.flatMap(({ reasons }) => reasons)))
  return all.map((each) => {
    const shown = each.reasons.map((reason) => refusalView(reason, names))
    const refused = each.verdict === 'refused'
    return { ...rowOf(each, request), refusals: refused ? shown : [], warnings: refused ? [] : shown }
  })
}

/** The short form. Only visible names are resolved: the refusals of a full fleet name most of its instances. */
export async function verdictsInShort(
  services: ApiServices,
  request: ExplainRequest,
  all: readonly HostEvaluation[],
): Promise<readonly VerdictSummary[]> {
  const rows = all.map((each) => ({ each, worst: worstOfRules(each.reasons) }))
  const names = await namesOf(
    services,
    holdersIn(
      rows.flatMap(({ worst }) => worst).map(([refusal]) => refusal),
      IN_SHORT,
    ),
  )
  return rows.map(({ each, worst }) => {
    const reasons = worst.map(([refusal, times]) => ({ ...refusalView(refusal, names, IN_SHORT), times }))
    const isTaking = each.verdict !== 'refused' && isSilent(each.host, request.silentHosts)
    return {
      ...rowOf(each, request),
      reasons,
      silence: isTaking ? (request.silentHosts.get(each.host.id) ?? null) : null,
    }
  })
}

export function countsOf(verdicts: readonly Pick<HostEvaluation, 'verdict'>[]): MigrationVerdictsView['counts'] {
  const count = (verdict: HostVerdict['verdict']) => verdicts.filter((each) => each.verdict === verdict).length
  return { ok: count('ok'), warning: count('warning'), refused: count('refused') }
}

/** Holders that a reason in short names: the one with most. */
const IN_SHORT = 1

/** For each rule the worst case, and the number of cases. */
function worstOfRules(reasons: readonly Refusal[]): readonly (readonly [Refusal, number])[] {
  const worst = new Map<RefusalKind, readonly [Refusal, number]>()
  for (const reason of reasons) {
    const [before, times] = worst.get(reason.kind) ?? [null, 0]
    worst.set(reason.kind, [before === null || shortBy(reason) > shortBy(before) ? reason : before, times + 1])
  }
  return [...worst.values()]
}

const shortBy = (refusal: Refusal) => ('shortBy' in refusal ? refusal.shortBy : 0)

function plansKeepingClaim({ hosts }: ExplainRequest): {
  plans: readonly Fit[]
  refusals: ReturnType<typeof choose>['refusals']
} {
  return { plans: hosts.map((host) => ({ host, warnings: [], plan: null, standing: null })), refusals: [] }
}

interface Fit {
  readonly host: Host
  /** Null for a claim that is kept as it is. */
  readonly plan: ClaimPlan | null
  readonly standing: RankFacts | null
  readonly warnings: readonly Refusal[]
}

function rowOf(each: HostEvaluation, { now, question }: ExplainRequest) {
  const { host, verdict, rank, standing, storage } = each
  const { id, name, zone, status, scheduling } = host
  const changes = changesOf(each)
  return {
    host: { id, name },
    ...{ zone, status, scheduling, verdict, rank, standing, storage },
    changes: Number.isFinite(changes) ? changes : null,
    free: freeRoom(host, question.demand),
    isSource: id === now?.host.id,
  }
}

/** Resource mapping of the claim on that host; null when it is refused there. */
export function planMapping(request: ExplainRequest, host: Host): MappingView | null {
  const now = request.now && { body: request.now.body, devices: request.now.host.devices }
  if (request.keepsClaim) return mappingView(now, now)
  const verdict: Verdict = decide({ ...request.question, host })
  return verdict.ok ? mappingView(now, { body: bodyOf(verdict.plan), devices: host.devices }) : null
}

export function heldOfDemand({ amounts, topology, devices }: Demand): ClaimTotals {
  const pinned = topology?.cells.reduce((sum, node) => sum + node.dedicatedVcpus.length, 0) ?? 0
  return {
    vcpus: (amounts[VCPU] ?? 0) + (amounts[PCPU] ?? 0),
    pinnedCpus: pinned,
    memoryMib: amounts[MEMORY_MB] ?? 0,
    diskGib: amounts[DISK_GB] ?? 0,
    devices: devicesCounted(devices),
  }
}
