import type { Instance } from '../books'
import type { Demand } from '../demand'
import type { Holding, Host } from '../host'
import type { Migration } from '../migration/state'
import type { ClaimId, ConsumerId, HostId, InstanceId, MigrationId } from '../words/ids'
import type { Owner } from '../words/owner'
import type { RefusalLocation } from '../words/refusal'
import type { FindingKind } from './kinds'
import type { Snapshot } from './snapshot'

// What the audit answers.

export type { FindingKind } from './kinds'

/** One disagreement. `expected` and `found` are ready to print; the ids say whose matter it is. */
export interface Finding {
  readonly kind: FindingKind
  readonly host: HostId | null
  readonly instance: InstanceId | null
  readonly migration: MigrationId | null
  readonly consumers: readonly ConsumerId[]
  readonly claims: readonly ClaimId[]
  readonly where: RefusalLocation
  /** Whose row it is about, when it is not Berth's: then no repair touches it. */
  readonly owner?: Owner
  readonly expected: string
  readonly found: string
}

/** What a finding is about when its check does not say. */
export const BLANK = { host: null, instance: null, migration: null, consumers: [], claims: [], where: {} } as const

export type Report = (finding: Pick<Finding, 'kind' | 'expected' | 'found'> & Partial<Finding>) => void

/** What a claim of the instance must look like. Null when unknown; then its shape is not judged. */
export type DemandFor = (of: Pick<Instance, 'flavor' | 'image'>) => Demand | null

export interface HeldClaim {
  readonly host: Host
  readonly holding: Holding
}

/** A snapshot with the look-ups that the checks share, built once per audit. */
export interface AuditRecords {
  readonly snapshot: Snapshot
  readonly hosts: ReadonlyMap<HostId, Host>
  readonly instances: ReadonlyMap<InstanceId, Instance>
  readonly migrations: ReadonlyMap<MigrationId, Migration>
  readonly activeOf: ReadonlyMap<InstanceId, Migration>
  readonly heldBy: ReadonlyMap<ConsumerId, readonly HeldClaim[]>
}

export const NO_CLAIMS: readonly HeldClaim[] = []

export const heldBy = (records: AuditRecords, consumer: ConsumerId): readonly HeldClaim[] =>
  records.heldBy.get(consumer) ?? NO_CLAIMS
