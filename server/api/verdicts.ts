import { decide, type Verdict } from '../engine/claim'
import type { Demand } from '../engine/demand'
import type { Host } from '../engine/host'
import { choose } from '../engine/scheduler'
import type { Refusal } from '../engine/words/refusal'
import { DISK_GB, MEMORY_MB, PCPU, VCPU } from '../engine/words/units'
import type { Held, MappingView, RefusalView } from './contract'
import type { ExplainView, HostVerdict, RuleInShort, VerdictInShort } from './contract-moves'
import type { Asked } from './explain'
import { holdersIn, namesOf } from './names'
import type { ApiServices } from './services'
import { mappingView } from './views/mapping'
import type { Names } from './views/names'
import { refusalView } from './views/refusal'

// The matrix: one question, every host, each with all its reasons, in the order the scheduler would try them.

/** Those that fit in the scheduler's order, then the refused by number of reasons, then by name. */
export async function verdictsOf(services: ApiServices, asked: Asked): Promise<readonly HostVerdict[]> {
  const { plans, refusals } = asked.keepsClaim ? keptClaim(asked) : choose(asked.question, asked.hosts, asked.rules)
  const all = [...plans.flatMap(({ warnings }) => warnings), ...refusals.flatMap((each) => each.refusals)]
  const names = await namesOf(services, holdersIn(all))
  const source = asked.now?.host.id ?? null
  const hosts = new Map(asked.hosts.map((host) => [host.id, host]))
  const fits = plans.map(({ host, warnings }, at) => fitting(host, { rank: at + 1, warnings, names, source }))
  const refused = refusals.flatMap(({ host: id, refusals: reasons }) => {
    const host = hosts.get(id)
    return host ? [refusing(host, { reasons, names, source })] : []
  })
  refused.sort((a, b) => a.refusals.length - b.refusals.length || (a.host.name < b.host.name ? -1 : 1))
  return [...fits, ...refused]
}

export function countsOf(verdicts: readonly HostVerdict[]): ExplainView['counts'] {
  const count = (verdict: HostVerdict['verdict']) => verdicts.filter((each) => each.verdict === verdict).length
  return { ok: count('ok'), warning: count('warning'), refused: count('refused') }
}

/** Of each rule the worst case. */
export function inShort({ refusals, warnings, ...row }: HostVerdict): VerdictInShort {
  const worst = new Map<RefusalView['kind'], RuleInShort>()
  for (const refusal of row.verdict === 'refused' ? refusals : warnings) {
    const before = worst.get(refusal.kind)
    const times = (before?.times ?? 0) + 1
    const worse = !before || (refusal.shortBy ?? 0) > (before.shortBy ?? 0)
    worst.set(refusal.kind, worse ? { ...refusal, ...mostOf(refusal), times } : { ...before, times })
  }
  return { ...row, reasons: [...worst.values()] }
}

function mostOf({ heldBy, heldByMore }: RefusalView): Pick<RefusalView, 'heldBy' | 'heldByMore'> {
  return { heldBy: heldBy.slice(0, 1), heldByMore: heldByMore + Math.max(0, heldBy.length - 1) }
}

function keptClaim({ hosts }: Asked): { plans: readonly Fit[]; refusals: ReturnType<typeof choose>['refusals'] } {
  return { plans: hosts.map((host) => ({ host, warnings: [] })), refusals: [] }
}

interface Fit {
  readonly host: Host
  readonly warnings: readonly Refusal[]
}

interface Fitting extends Omit<Fit, 'host'> {
  readonly rank: number
  readonly names: Names
  readonly source: string | null
}

function fitting(host: Host, { rank, warnings, names, source }: Fitting): HostVerdict {
  const verdict = warnings.length > 0 ? 'warning' : 'ok'
  const shown = warnings.map((warning) => refusalView(warning, names))
  return { ...standing(host, source), verdict, rank, refusals: [], warnings: shown }
}

interface Refusing {
  readonly reasons: readonly Refusal[]
  readonly names: Names
  readonly source: string | null
}

function refusing(host: Host, { reasons, names, source }: Refusing): HostVerdict {
  const shown = reasons.map((refusal) => refusalView(refusal, names))
  return { ...standing(host, source), verdict: 'refused', rank: null, refusals: shown, warnings: [] }
}

function standing({ id, name, zone, truth, admission }: Host, source: string | null) {
  return { host: { id, name }, ...{ zone, truth, admission }, isSource: id === source }
}

/** Old → new as the claim would be on that host; null when it is refused there. */
export function planMapping(asked: Asked, host: Host): MappingView | null {
  const now = asked.now && { body: asked.now.body, devices: asked.now.host.devices }
  if (asked.keepsClaim) return mappingView(now, now)
  const verdict: Verdict = decide({ ...asked.question, host })
  return verdict.ok ? mappingView(now, { body: verdict.plan, devices: host.devices }) : null
}

export function heldOfDemand({ amounts, guest, devices, vgpus, vpmem }: Demand): Held {
  const pinned = guest?.cells.reduce((sum, cell) => sum + cell.dedicatedVcpus.length, 0) ?? 0
  const counted = [...devices, ...vgpus].reduce((sum, request) => sum + request.count, vpmem.length)
  return {
    vcpus: (amounts[VCPU] ?? 0) + (amounts[PCPU] ?? 0),
    pinnedCpus: pinned,
    memoryMib: amounts[MEMORY_MB] ?? 0,
    diskGib: amounts[DISK_GB] ?? 0,
    devices: counted,
  }
}
