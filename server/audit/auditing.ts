import {
  confidencesOf,
  type Finding,
  fingerprintOf,
  type InterruptibleAuditor,
  kindRow,
  newInterruptibleAuditor,
} from '../engine/audit'
import { type Evidence, witnessOf } from '../engine/audit/evidence'
import type { DemandFor } from '../engine/audit/finding'
import type { Snapshot } from '../engine/audit/snapshot'
import { type DemandOptions, demandOf } from '../engine/demand'
import { healEach } from '../engine/heal/plan'
import type { ClaimBody } from '../engine/host'
import { type Interruptible, runToCompletion } from '../engine/interruptible'
import type { Database } from '../store/database/database'
import { type AuditFinding, type FindingCounts, nextAuditNumber, recordAudit } from '../store/finding/finding'
import { runInSlices } from './event-loop'
import { healOptions } from './heal-options'
import type { AuditSnapshot, ReadOptions, SnapshotCache } from './memory'

// One audit: reads, checks, computes what can be done about each finding, and records it. Each caller gets an audit of
// data read after its request; of two that overlap the one that began later is recorded.

export interface AuditParts {
  readonly database: Database
  readonly memory: SnapshotCache
  /** The fleet's tables that a flavor refers to. */
  demand(): Promise<DemandOptions>
  /** ms since the epoch. */
  now(): number
}

/** What is stored of a finding besides the columns used to find it. */
export interface FindingBody {
  readonly finding: Finding
  readonly evidence: readonly Evidence[]
  /** Why no repair may touch it now. */
  readonly locked: string | null
  /** What a repair releases. */
  readonly givesBack: readonly ClaimBody[]
  /** Null when a repair can be planned, else the remedy. */
  readonly instead: string | null
}

export interface AuditRun extends AuditSnapshot {
  readonly tookMs: number
  readonly findings: readonly AuditFinding<FindingBody>[]
  /** Null when an audit that began later had been recorded. */
  readonly recorded: FindingCounts | null
}

export interface AuditedSnapshot extends AuditSnapshot {
  readonly findings: readonly Finding[]
  readonly demandFor: DemandFor
  /** The same audit of another snapshot; values shared with this one are not checked again. */
  audit(snapshot: Snapshot): readonly Finding[]
}

export interface AuditService {
  audit(ask?: ReadOptions): Promise<AuditRun>
  /** The same without recording, for a repair that is about to be planned. */
  judge(ask?: ReadOptions): Promise<AuditedSnapshot>
}

export function makeAuditing(parts: AuditParts): AuditService {
  const judgeBy = auditorMemory()
  const judge = async (ask?: ReadOptions): Promise<AuditedSnapshot> => {
    const [now, demand] = await Promise.all([parts.memory.read(ask), parts.demand()])
    const { auditor, demandFor } = judgeBy(demand)
    const findings = await runInSlices(auditor(now.snapshot))
    return { ...now, findings, demandFor, audit: (snapshot) => runToCompletion(auditor(snapshot)) }
  }
  return {
    judge,
    audit: async (ask) => {
      const begun = performance.now()
      const sequence = await nextAuditNumber(parts.database)
      const judged = await judge(ask)
      const findings = await runInSlices(enrichFindings(judged))
      const tookMs = performance.now() - begun
      const { hosts, instances } = judged.snapshot
      const recorded = await recordAudit(parts.database, {
        ...{ sequence, at: judged.at, tookMs, cold: judged.cold, findings },
        ...{ hosts: hosts.length, instances: instances.length },
      })
      return { ...judged, tookMs, findings, recorded }
    },
  }
}

interface FleetAuditor {
  readonly auditor: InterruptibleAuditor
  readonly demandFor: DemandFor
}

/** An auditor caches its results, so it is kept until an import brings other aliases. */
function auditorMemory(): (demand: DemandOptions) => FleetAuditor {
  let known: (FleetAuditor & { readonly key: string }) | null = null
  return (demand) => {
    const key = JSON.stringify(demand)
    if (known?.key !== key) {
      const demandFor: DemandFor = ({ flavor, image }) => {
        const result = demandOf(flavor, image, demand)
        return result.ok ? result.demand : null
      }
      known = { key, demandFor, auditor: newInterruptibleAuditor(demandFor) }
    }
    return known
  }
}

const FINDINGS_A_PART = 20

function* enrichFindings({
  findings,
  snapshot,
  demandFor,
}: AuditedSnapshot): Interruptible<AuditFinding<FindingBody>[]> {
  if (findings.length === 0) return []
  yield
  const confidence = confidencesOf(findings, snapshot)
  yield
  const healings = new Map(
    healEach(findings, snapshot, healOptions(demandFor)).map(({ finding, healing }) => [finding, healing]),
  )
  const evidence = witnessOf(snapshot)
  const bodies: AuditFinding<FindingBody>[] = []
  for (const [nth, finding] of findings.entries()) {
    if (nth % FINDINGS_A_PART === 0) yield
    const healing = healings.get(finding)
    bodies.push({
      fingerprint: fingerprintOf(finding),
      kind: finding.kind,
      severity: kindRow(finding.kind).severity,
      confidence: confidence.get(finding) ?? 'once',
      ...{ host: finding.host, instance: finding.instance, migration: finding.migration },
      unit: finding.where.unit ?? null,
      body: {
        finding,
        evidence: evidence(finding),
        locked: healing?.ok ? healing.part.locked : null,
        givesBack: healing?.ok ? healing.part.givesBack : [],
        instead: healing?.ok ? null : (healing?.why ?? kindRow(finding.kind).instead),
      },
    })
  }
  return bodies
}
