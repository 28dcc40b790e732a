import type { Instance } from '../books'
import type { Demand, Group } from '../demand'
import type { Holding, Host } from '../host'
import type { Migration } from '../migration/state'
import type { ClaimId, ConsumerId, HostId, InstanceId, MigrationId } from '../words/ids'
import type { Place } from '../words/refusal'

// What the audit reads and what it answers.

/** Who drives a migration, with the fence the lease was taken at. */
export interface SeenLease {
  readonly migration: MigrationId
  readonly owner: string
  readonly fence: number
}

export type SeenGroup = Pick<Group, 'id' | 'policy' | 'maxPerHost'>

/** A guest as a hypervisor shows it. */
export interface SeenGuest {
  readonly host: HostId
  readonly instance: InstanceId
  readonly sight: 'running' | 'stopped' | 'shell'
}

/** Frozen values of one moment. A host that did not change may be the same object as in the snapshot before. */
export interface Snapshot {
  readonly hosts: readonly Host[]
  readonly instances: readonly Instance[]
  readonly migrations: readonly Migration[]
  readonly leases?: readonly SeenLease[]
  /** Server groups, where somebody made any. */
  readonly groups?: readonly SeenGroup[]
  /** What hypervisors answered; left out where nobody was asked. */
  readonly guests?: readonly SeenGuest[]
}

export const FINDING_KINDS = [
  'over-capacity',
  'usage-mismatch',
  'unit-held-twice',
  'place-unknown',
  'pins-and-units-differ',
  'child-class-on-root',
  'consumer-holds-twice',
  'orphan-claim',
  'ended-move-holds',
  'move-holds-wrong',
  'instance-holds-wrong',
  'instance-host-wrong',
  'claim-not-as-demanded',
  'two-active-moves',
  'lease-wrong',
  'group-broken',
  'guest-runs-twice',
  'guest-runs-elsewhere',
  'guest-unknown',
  'quarantined-host-runs',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** One disagreement. `expected` and `found` are ready to print; the ids say whose matter it is. */
export interface Finding {
  readonly kind: FindingKind
  readonly host: HostId | null
  readonly instance: InstanceId | null
  readonly migration: MigrationId | null
  readonly consumers: readonly ConsumerId[]
  readonly claims: readonly ClaimId[]
  readonly where: Place
  readonly expected: string
  readonly found: string
}

export type Report = (finding: Pick<Finding, 'kind' | 'expected' | 'found'> & Partial<Finding>) => void

/** What a claim of the instance must look like. Null when nobody can say; then its shape is not judged. */
export type DemandFor = (of: Pick<Instance, 'flavor' | 'image'>) => Demand | null

export interface Held {
  readonly host: Host
  readonly holding: Holding
}

/** A snapshot with the look-ups the checks share, built once per audit. */
export interface Books {
  readonly snapshot: Snapshot
  readonly hosts: ReadonlyMap<HostId, Host>
  readonly instances: ReadonlyMap<InstanceId, Instance>
  readonly migrations: ReadonlyMap<MigrationId, Migration>
  readonly activeOf: ReadonlyMap<InstanceId, Migration>
  readonly heldBy: ReadonlyMap<ConsumerId, readonly Held[]>
}

export const NOTHING_HELD: readonly Held[] = []

export const heldBy = (books: Books, consumer: ConsumerId): readonly Held[] =>
  books.heldBy.get(consumer) ?? NOTHING_HELD
