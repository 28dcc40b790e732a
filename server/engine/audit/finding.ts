import type { Instance } from '../change'
import type { Demand } from '../demand'
import type { Holding, Host } from '../host'
import { memoize } from '../memoize'
import type { Migration } from '../migration/state'
import type { ClaimId, ConsumerId, HostId, InstanceId, MigrationId } from '../words/ids'
import type { Owner } from '../words/owner'
import type { RefusalLocation } from '../words/refusal'
import type { FindingKind } from './kinds'
import type { Snapshot } from './snapshot'

// What the audit returns.

export type { FindingKind } from './kinds'

/** One discrepancy. `expected` and `found` are ready to print; the ids name the objects concerned. */
export interface Finding {
  readonly kind: FindingKind
  readonly host: HostId | null
  readonly instance: InstanceId | null
  readonly migration: MigrationId | null
  readonly consumers: readonly ConsumerId[]
  readonly claims: readonly ClaimId[]
  readonly where: RefusalLocation
  /** Owner of the row, when that is not Berth: no repair touches it then. */
  readonly owner?: Owner
  readonly expected: string
  readonly found: string
}

/** The subjects of a finding about one claim. */
export const ofHolding = ({ instance, consumer, claim }: Holding) => ({
  ...{ instance, consumers: [consumer], claims: [claim] },
})

/** Defaults for what a check does not set. */
export const BLANK = { host: null, instance: null, migration: null, consumers: [], claims: [], where: {} } as const

export type Report = (finding: Pick<Finding, 'kind' | 'expected' | 'found'> & Partial<Finding>) => void

/** What a claim of the instance must look like. Null when that is unknown; then its shape is not checked. */
export type DemandFor = (of: Pick<Instance, 'flavor' | 'image'>) => Demand | null

/** Flavors and images are frozen values, and thousands of instances share a few. */
export function rememberedDemands(demandFor: DemandFor): DemandFor {
  const known = memoize((flavor: Instance['flavor']) =>
    memoize((image: Instance['image']) => demandFor({ flavor, image })),
  )
  return ({ flavor, image }) => known(flavor)(image)
}

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
  readonly activeMigrationOf: ReadonlyMap<InstanceId, Migration>
  readonly claimsByConsumer: ReadonlyMap<ConsumerId, readonly HeldClaim[]>
}

const NO_CLAIMS: readonly HeldClaim[] = []

export const heldBy = (records: AuditRecords, consumer: ConsumerId): readonly HeldClaim[] =>
  records.claimsByConsumer.get(consumer) ?? NO_CLAIMS
