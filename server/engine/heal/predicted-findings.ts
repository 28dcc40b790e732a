import { type Finding, fingerprintOf } from '../audit'
import type { Snapshot } from '../audit/snapshot'
import type { HostId, InstanceId } from '../words/ids'
import { applyPart } from './apply'
import type { HealPart } from './part'

// What the next audit will find after a repair: the repair is applied to a copy of the records, and audited there.

/** The short form of a finding, as a plan stores it. */
export interface FindingBrief {
  readonly kind: Finding['kind']
  readonly host: HostId | null
  readonly instance: InstanceId | null
  readonly unit: string | null
  /** It did not exist before the repair. */
  readonly isNew: boolean
}

export interface AuditBaseline {
  readonly snapshot: Snapshot
  readonly findings: readonly Finding[]
  audit(snapshot: Snapshot): readonly Finding[]
}

/** Findings that these parts together leave or cause; null when they cannot be applied to a copy. */
export function predictFindings(
  parts: readonly HealPart[],
  { snapshot, findings, audit }: AuditBaseline,
): FindingBrief[] | null {
  let picture = snapshot
  for (const part of parts) {
    const applied = applyPart(picture, part)
    if (!applied.ok) return null
    picture = applied.snapshot
  }
  const known = new Set(findings.map(fingerprintOf))
  const repaired = new Set(parts.map(({ fingerprint }) => fingerprint))
  return audit(picture).flatMap((finding) => {
    const print = fingerprintOf(finding)
    return !known.has(print) || repaired.has(print) ? [briefOf(finding, !known.has(print))] : []
  })
}

export const briefOf = ({ kind, host, instance, where }: Finding, isNew: boolean): FindingBrief => ({
  ...{ kind, host, instance, isNew },
  unit: where.unit ?? null,
})
