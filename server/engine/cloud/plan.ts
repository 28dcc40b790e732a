import { type CloudAuditSettings, DEFAULT_SETTINGS, factsOf } from './facts'
import { type CloudFinding, identityOf } from './finding'
import { type CloudFindingKind, cloudKindRow } from './kinds'
import type { CloudCall } from './repair'
import { repairOf } from './repair-of'
import type { CloudSnapshot } from './snapshot'

// One plan for several findings: repairs that free capacity, then those that need it, then those that make Nova act.
// One repair per instance, because the next one depends on its result.

export interface PlanStep {
  readonly call: CloudCall
  /** Identity of the finding: `identityOf`. */
  readonly finding: string
}

export interface PlannedRepair {
  readonly finding: CloudFinding
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface LeftOut {
  readonly finding: CloudFinding
  readonly reason: string
  /** The remedy without calls; null where another plan follows this one. */
  readonly instead: string | null
}

export interface CloudPlan {
  /** Time of its snapshot; reads of guards must be newer. */
  readonly at: number
  readonly steps: readonly PlanStep[]
  readonly repairs: readonly PlannedRepair[]
  readonly leftOut: readonly LeftOut[]
}

const ORDER: readonly CloudFindingKind[] = [
  ...(['ended-migration-holds-allocation', 'orphaned-allocation', 'evacuated-holds-source'] as const),
  ...(['instance-holds-two-hosts', 'shared-storage-doubled', 'allocations-swapped'] as const),
  ...(['allocation-on-other-host', 'allocation-missing', 'amounts-differ-from-flavor'] as const),
  ...([
    'confirm-stuck',
    'resize-awaits-confirm',
    'instance-in-error',
    'guest-pins-differ',
    'instance-shut-down',
  ] as const),
  ...(['service-down', 'provider-without-service'] as const),
]
const rankOf = ({ kind }: CloudFinding): number => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length)

export interface PlanRequest {
  readonly findings: readonly CloudFinding[]
  /** The snapshot that they were found in. */
  readonly snapshot: CloudSnapshot
  readonly settings?: CloudAuditSettings
}

const LATER = 'An earlier step of this plan changes the same instance: audit and plan again after it.'

export function planRepairs({ findings, snapshot, settings = DEFAULT_SETTINGS }: PlanRequest): CloudPlan {
  const facts = factsOf(snapshot, settings)
  const touched = new Set<string>()
  const steps: PlanStep[] = []
  const repairs: PlannedRepair[] = []
  const leftOut: LeftOut[] = []
  for (const finding of [...findings].sort((one, other) => rankOf(one) - rankOf(other))) {
    const repair = repairOf(facts, finding)
    if (repair.kind === 'none') {
      leftOut.push({ finding, reason: repair.reason, instead: cloudKindRow(finding.kind).instead })
      continue
    }
    const calls = repair.calls.filter(({ instance }) => instance === null || !touched.has(instance))
    if (calls.length < repair.calls.length) leftOut.push({ finding, reason: LATER, instead: null })
    if (calls.length === 0) continue
    for (const call of calls) steps.push({ call, finding: identityOf(finding) })
    for (const { instance } of calls) if (instance !== null) touched.add(instance)
    repairs.push({ finding, before: repair.before, after: repair.after })
  }
  return { at: snapshot.now, steps, repairs, leftOut }
}
