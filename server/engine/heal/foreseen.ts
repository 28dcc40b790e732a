import { type Finding, fingerprintOf } from '../audit'
import type { Snapshot } from '../audit/snapshot'
import type { HostId, InstanceId } from '../words/ids'
import { applyPart } from './apply'
import type { HealPart } from './part'

// What the next audit will find of a repair: tried on a picture of the records, and audited there.

/** A finding in few words, as a plan keeps it. */
export interface FindingBrief {
  readonly kind: Finding['kind']
  readonly host: HostId | null
  readonly instance: InstanceId | null
  readonly unit: string | null
  /** It was not there before the repair. */
  readonly isNew: boolean
}

interface Audited {
  readonly snapshot: Snapshot
  readonly findings: readonly Finding[]
  audit(snapshot: Snapshot): readonly Finding[]
}

/** Findings that these parts leave or bring about, together; null when they cannot be tried on a picture. */
export function foreseen(parts: readonly HealPart[], { snapshot, findings, audit }: Audited): FindingBrief[] | null {
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
