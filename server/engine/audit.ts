import { CLAIM_CHECKS } from './audit/claim-checks'
import { BLANK, type DemandFor, type Finding, type Report, rememberedDemands } from './audit/finding'
import { HOST_CHECKS, usageIsSum } from './audit/host-checks'
import { fingerprintOf } from './audit/identity'
import { indexSnapshot } from './audit/index-snapshot'
import { lastingChecks } from './audit/lasting-checks'
import { devicesAreNear } from './audit/off-node-check'
import { withRecords } from './audit/record-check'
import { runningDomainChecks } from './audit/running-domain-checks'
import { claimsAreAsDemanded, type Shape, type ShapeProblems, shapeProblems } from './audit/shape-check'
import { sharedChecks } from './audit/shared-check'
import type { Snapshot } from './audit/snapshot'
import { surveyChecks } from './audit/survey-checks'
import { UNCLAIMED_ROW_CHECK_LIST } from './audit/unclaimed-row-checks'
import type { ClaimBody, Host } from './host'
import { type Interruptible, runToCompletion } from './interruptible'
import { grouped } from './ledger/grouped'
import { memoize } from './memoize'
import { withAmounts } from './resources/allocation'
import type { Amount } from './resources/inventory'
import type { HostId } from './words/ids'

// The invariants, one function each, in the tables of `audit/`. They hold in tests, in the simulation after every
// micro-step, in the survey and on the heal page. Wrong records become findings and never crash the
// audit.

export { confidenceOf, confidencesOf } from './audit/confidence'
export type { DemandFor, Finding } from './audit/finding'
export { fingerprintOf } from './audit/identity'
export {
  type Confidence,
  FINDING_KINDS,
  type FindingKind,
  KINDS,
  kindRow,
  SEVERITIES,
  type Severity,
} from './audit/kinds'
export type { CurrentDomain, GroupLimits, MigrationLease, Snapshot } from './audit/snapshot'

export type Auditor = (snapshot: Snapshot) => readonly Finding[]
/** The same audit, which can yield between its parts: the snapshot does not change meanwhile. */
export type InterruptibleAuditor = (snapshot: Snapshot) => Interruptible<readonly Finding[]>

/** All findings, in a fixed order; empty if the records are consistent. */
export function audit(snapshot: Snapshot, demandFor: DemandFor): readonly Finding[] {
  return newAuditor(demandFor)(snapshot)
}

/**
 * An auditor for many snapshots of one fleet. Hosts, claims, flavors and images are frozen values, so it caches its
 * result for each value by identity; it still checks a snapshot as a whole, and recomputes what changed.
 *
 * `demandFor` returns what a claim must look like: `demandOf` with the fleet's aliases and classes, null when refused.
 */
export function newAuditor(demandFor: DemandFor): Auditor {
  const auditor = newInterruptibleAuditor(demandFor)
  return (snapshot) => runToCompletion(auditor(snapshot))
}

const HOSTS_A_PART = 50

export function newInterruptibleAuditor(demandFor: DemandFor): InterruptibleAuditor {
  const judgeHost = memoize(hostFindings(HOST_LIST))
  const judgeUsage = memoize(hostFindings([usageIsSum]))
  const demandOf = rememberedDemands(demandFor)
  const problemsOf = shapeMemory(demandOf)
  return function* (snapshot) {
    const findings: Finding[] = []
    const report: Report = (finding) => findings.push({ ...BLANK, ...finding })
    const others = straysByHost(snapshot)
    for (const [nth, host] of snapshot.hosts.entries()) {
      if (nth % HOSTS_A_PART === 0) yield
      findings.push(...judgeHost(host), ...judgeUsage(withoutOthers(host, others.get(host.id))))
    }
    const index = indexSnapshot(snapshot)
    for (const check of CLAIM_CHECK_LIST) {
      yield
      check(index, report)
    }
    yield
    claimsAreAsDemanded(index, report, problemsOf)
    yield
    devicesAreNear(index, report, demandOf)
    yield
    lastingChecks(index, report)
    const running = snapshot.domains?.filter(({ observedState }) => observedState === 'running')
    if (running) runningDomainChecks(index, running, report)
    if (snapshot.hostSurveys) yield* surveyChecks(index, 'latest', report)
    return merged(withRecords(findings, snapshot))
  }
}

/** One finding per fingerprint, because findings are tracked over time by fingerprint. */
function merged(findings: readonly Finding[]): readonly Finding[] {
  const byPrint = new Map<string, Finding>()
  for (const finding of findings) {
    const print = fingerprintOf(finding)
    const first = byPrint.get(print)
    byPrint.set(print, first === undefined ? finding : joined(first, finding))
  }
  return [...byPrint.values()]
}

const joined = (one: Finding, other: Finding): Finding => ({
  ...one,
  claims: [...new Set([...one.claims, ...other.claims])],
  expected: one.expected === other.expected ? one.expected : `${one.expected}; ${other.expected}`,
  found: one.found === other.found ? one.found : `${one.found}; ${other.found}`,
})

const HOST_LIST = Object.values(HOST_CHECKS)
const CLAIM_CHECK_LIST = [...Object.values(CLAIM_CHECKS), ...UNCLAIMED_ROW_CHECK_LIST, sharedChecks]

const hostFindings =
  (checks: readonly ((host: Host, report: Report) => void)[]) =>
  (host: Host): readonly Finding[] => {
    const findings: Finding[] = []
    const report: Report = (finding) => findings.push({ ...BLANK, host: host.id, ...finding })
    for (const check of checks) check(host, report)
    return findings
  }

// Consumers of the Placement API, and strays, count in a host's usage but are in none of its holdings.
const straysByHost = ({ strayAllocations = [] }: Snapshot): ReadonlyMap<HostId | null, readonly Amount[]> =>
  grouped(strayAllocations, ({ host }) => host)

const withoutOthers = (host: Host, amounts: readonly Amount[] | undefined): Host =>
  amounts === undefined ? host : { ...host, providers: withAmounts(host.providers, amounts, -1) }

function shapeMemory(demandOf: DemandFor): ShapeProblems {
  const problems = memoize((body: ClaimBody) =>
    memoize((flavor: Shape['flavor']) =>
      memoize((image: Shape['image']) => {
        const demand = demandOf({ flavor, image })
        return demand === null ? [] : shapeProblems(demand, body)
      }),
    ),
  )
  return (body, of) => problems(body)(of.flavor)(of.image)
}
