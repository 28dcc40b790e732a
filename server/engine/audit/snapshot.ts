import type { Instance } from '../change'
import type { Group } from '../demand'
import type { ClaimBody, Host } from '../host'
import type { Migration, Side } from '../migration/state'
import type { Power } from '../power/state'
import type { ConsumerId, HostId, InstanceId, MigrationId, ProviderId } from '../words/ids'
import type { Owner } from '../words/owner'
import type { UnitName } from '../words/units'
import type { MayBeUnreadable, RawColumns, Unreadable } from '../words/unreadable'

// What the audit reads. Callers that have only the records pass only those; a check whose facts are omitted does not
// run, so it reports nothing.

/** The server that runs a migration, with the fence of its lease. */
export interface MigrationLease {
  readonly migration: MigrationId
  readonly owner: string
  readonly fence: number
}

export type GroupLimits = Pick<Group, 'id' | 'policy' | 'maxPerHost'>

/** A domain as a hypervisor reports it at the time of the records; for simulations that can be paused. */
export interface CurrentDomain {
  readonly host: HostId
  readonly instance: InstanceId
  readonly observedState: 'running' | 'stopped' | 'shell'
}

/** A domain as a hypervisor reported it at some time. `left`: shut off because it was handed over alive. */
export interface SurveyedDomain {
  readonly instance: InstanceId
  readonly observedState: 'running' | 'stopped' | 'left' | 'shell'
  /** Omitted for surveys from before power was observed. */
  readonly power?: Power
  /** The migration that created it there; null when it was built there, or when that is not reported. */
  readonly migration: MigrationId | null
  /** Its actual pins, NUMA nodes and devices; null when the hypervisor does not report them. */
  readonly body: ClaimBody | null
  /** It runs under the id of the instance, without Berth's tag in its definition. */
  readonly untagged?: true
}

/** A device as its host reports it: libvirt's node devices, and the domains they are attached to. */
export interface NodeDeviceState {
  readonly unit: UnitName
  /** Kernel driver it is bound to, such as `vfio-pci`; null: none, or not reported. */
  readonly driver: string | null
  /** The instance whose domain it is attached to; null: none. */
  readonly attachedTo: InstanceId | null
}

/** One query to one host. No answer does not mean that nothing runs there: an empty `domains` then proves nothing. */
export interface SurveyResult {
  /** ms since the epoch. */
  readonly at: number
  readonly answered: boolean
  readonly domains: readonly SurveyedDomain[]
  /** All devices that the host reports; null when its driver does not report any, which is not the same as none. */
  readonly devices: readonly NodeDeviceState[] | null
}

/** The last two surveys of a host; `earlier` null when there was only one. */
export interface HostSurveys {
  readonly host: HostId
  readonly latest: SurveyResult
  readonly earlier: SurveyResult | null
}

/**
 * An allocation row of a consumer that has no claim on the provider's host. `host` null: the provider is in no host's
 * tree.
 */
export interface StrayAllocation {
  readonly consumer: ConsumerId
  /** Type of the consumer row: INSTANCE, MIGRATION, or what a client of the Placement API set. */
  readonly type: string
  readonly provider: ProviderId
  readonly host: HostId | null
  readonly resourceClass: string
  readonly amount: number
  /** The client that owns the consumer; null or omitted: Berth itself. */
  readonly owner?: Owner | null
}

/** An amount of one class from one provider tree. `host`: the host of Berth that the tree belongs to. */
export interface TreeAmount {
  readonly tree: string
  readonly host: HostId | null
  readonly resourceClass: string
  readonly amount: number
}

/** The two halves of another client's migration: its migration consumer holds what the instance held before. */
export interface AllocationSwap {
  readonly migration: ConsumerId
  readonly instance: ConsumerId
  readonly at: number
  readonly owner: Owner
  readonly heldByMigration: readonly TreeAmount[]
  /** Amounts on the target, once the instance claimed there. */
  readonly heldByInstance: readonly TreeAmount[]
}

/** A consumer row of Berth that has no claim anywhere, with or without allocations. */
export interface ConsumerWithoutClaim {
  readonly id: ConsumerId
  readonly type: string
}

/** A root provider without a host row that shares nothing. */
export interface RootWithoutHost {
  readonly provider: ProviderId
  readonly name: string
}

const LAYOUT_STATES = ['flat', 'planned', 'blocked', 'transforming', 'healed', 'verified', 'failed'] as const
export type LayoutState = (typeof LAYOUT_STATES)[number]

/** Progress of the conversion of a host's provider layout, and since when. */
export interface LayoutMark {
  readonly host: HostId
  readonly state: LayoutState
  readonly since: number
  /** Why it is blocked or failed. */
  readonly why: string | null
}

/** Root generation of a host in memory (null: absent) and in the tables, and since when the two differ. */
export interface ProjectedGeneration {
  readonly host: HostId
  readonly memory: number | null
  readonly tables: number
  readonly differsSince: number | null
}

/** A provider whose generation in responses to Placement's clients differs from the tables. null: absent. */
export interface MisplacedProvider {
  readonly provider: string
  readonly name: string
  readonly memory: number | null
  readonly tables: number | null
}

/** An inventory whose `used` was not the sum of its allocations; it was recounted when that was detected. */
export interface UsageMismatch {
  readonly name: string
  readonly host: HostId | null
  readonly class: string
  readonly used: number
  readonly held: number
}

/** A row of what migrations and deletions left on a host. */
export interface ObservedLeftover {
  readonly host: HostId
  readonly instance: InstanceId
  readonly migration: MigrationId | null
  readonly side: Side
}

/** A row that breaks a rule of its table, or refers to a row that does not exist. */
export interface BrokenRecord extends Unreadable {
  readonly host: HostId | null
  readonly instance: InstanceId | null
  readonly migration: MigrationId | null
  readonly raw: RawRecord
}

/** The row as the database prints it: columns that no reader can decode, and its key. */
export interface RawRecord {
  readonly key: RawColumns
  /** The columns that the broken rule is about. */
  readonly columns: RawColumns
  /** Those of them that may be null. */
  readonly nullable: readonly string[]
  /** For a dangling reference: what the schema does with the row when its target is deleted. Else null. */
  readonly onDelete: 'cascade' | 'set-null' | 'restrict' | null
}

/** Frozen values of one moment. An unchanged host may be the same object as in the previous snapshot. */
export interface Snapshot {
  readonly hosts: readonly Host[]
  readonly instances: readonly Instance[]
  readonly migrations: readonly Migration[]
  readonly leases?: readonly MigrationLease[]
  /** Server groups, if there are any. */
  readonly groups?: readonly GroupLimits[]
  /** Domains at the time of the records; omitted if no hypervisor was queried. */
  readonly domains?: readonly CurrentDomain[]
  /** ms since the epoch. Without it, checks for conditions that last too long find nothing. */
  readonly now?: number
  readonly hostSurveys?: readonly HostSurveys[]
  /** When a row of an instance was last written: earlier surveys say nothing about it. */
  readonly written?: ReadonlyMap<InstanceId, number>
  readonly strayAllocations?: readonly StrayAllocation[]
  readonly swaps?: readonly AllocationSwap[]
  /** Other clients may claim for their own instances on hosts of Berth. */
  readonly foreignAllowed?: boolean
  /** Needed by repairs that create or delete a consumer: whether its row exists already. */
  readonly looseConsumers?: readonly ConsumerWithoutClaim[]
  /** Consumer rows whose type does not match their claim, for repairs that rewrite a consumer. */
  readonly mistypedConsumers?: readonly ConsumerWithoutClaim[]
  readonly looseRoots?: readonly RootWithoutHost[]
  readonly layouts?: readonly LayoutMark[]
  readonly projected?: readonly ProjectedGeneration[]
  readonly forest?: readonly MisplacedProvider[]
  readonly miscounted?: readonly UsageMismatch[]
  readonly leftovers?: readonly ObservedLeftover[]
  /** Rows that violate rules of the database, regardless of the reader. */
  readonly records?: readonly BrokenRecord[]
  /** Hosts whose last answer cannot be read; in `hostSurveys` they are silent. */
  readonly surveys?: readonly (MayBeUnreadable & { readonly host: HostId })[]
}
