import type { Instance } from '../books'
import type { Group } from '../demand'
import type { ClaimBody, Host } from '../host'
import type { Migration, Side } from '../migration/state'
import type { Power } from '../power/state'
import type { ConsumerId, HostId, InstanceId, MigrationId, ProviderId } from '../words/ids'
import type { Owner } from '../words/owner'
import type { UnitName } from '../words/units'
import type { MayBeUnreadable, RawColumns, Unreadable } from '../words/unreadable'

// The input of the audit. Callers without surveys pass only the records; a check without its facts does not run, so
// nothing is found without evidence.

/** Who drives a migration, with the fence the lease was taken at. */
export interface SeenLease {
  readonly migration: MigrationId
  readonly owner: string
  readonly fence: number
}

export type SeenGroup = Pick<Group, 'id' | 'policy' | 'maxPerHost'>

/** A domain as its hypervisor shows it at the time of the records; for simulations that can be paused. */
export interface SeenGuest {
  readonly host: HostId
  readonly instance: InstanceId
  readonly observedState: 'running' | 'stopped' | 'shell'
}

/** A guest as a hypervisor answered it at some time. `left`: shut off because it was handed over alive. */
export interface LookedGuest {
  readonly instance: InstanceId
  readonly observedState: 'running' | 'stopped' | 'left' | 'shell'
  /** Undefined where the hypervisor was surveyed before power was observed. */
  readonly power?: Power
  /** The migration that created it there; null when it was built there, or unknown. */
  readonly migration: MigrationId | null
  /** Pins, cells and devices it really has; null when the hypervisor does not say. */
  readonly body: ClaimBody | null
}

/** A device as its host shows it: libvirt's node devices, and the domains they are attached to. */
export interface LookedDevice {
  readonly unit: UnitName
  /** Kernel driver it is bound to, such as `vfio-pci`; null: to none, or the host does not say. */
  readonly driver: string | null
  /** The domain it is attached to; null: none. */
  readonly attachedTo: InstanceId | null
}

/** One question to one host. Nobody answered is not nowhere: then `guests` is empty and proves nothing. */
export interface Look {
  /** ms since the epoch. */
  readonly at: number
  readonly answered: boolean
  readonly guests: readonly LookedGuest[]
  /** All devices the host shows; null when its driver does not say, which is not the same as none. */
  readonly devices: readonly LookedDevice[] | null
}

/** The last two surveys of a host; `earlier` null after only one. */
export interface HostLooks {
  readonly host: HostId
  readonly latest: Look
  readonly earlier: Look | null
}

/**
 * An allocation row of a consumer that has no claim on the provider's host. `host` null: the provider belongs to no
 * host's tree.
 */
export interface Stray {
  readonly consumer: ConsumerId
  /** Of the consumer row: INSTANCE, MIGRATION, or what a client of the Placement API said. */
  readonly type: string
  readonly provider: ProviderId
  readonly host: HostId | null
  readonly resourceClass: string
  readonly amount: number
  /** The client whose consumer it is; null or left out: Berth itself. */
  readonly owner?: Owner | null
}

/** So much of one class from one provider tree. `host`: of Berth, whose tree it is. */
export interface TreeAmount {
  readonly tree: string
  readonly host: HostId | null
  readonly resourceClass: string
  readonly amount: number
}

/** Two halves of a move that another client makes: what the instance held before it, its migration holds. */
export interface SeenSwap {
  readonly migration: ConsumerId
  readonly instance: ConsumerId
  readonly at: number
  readonly owner: Owner
  readonly heldByMigration: readonly TreeAmount[]
  /** Of the target, once the instance claimed there. */
  readonly heldByInstance: readonly TreeAmount[]
}

/** A consumer row of Berth's that has no claim anywhere, with or without allocations. */
export interface LooseConsumer {
  readonly id: ConsumerId
  readonly type: string
}

/** A root provider without a host row that shares nothing. */
export interface LooseRoot {
  readonly provider: ProviderId
  readonly name: string
}

export const LAYOUT_STATES = ['flat', 'planned', 'blocked', 'transforming', 'healed', 'verified', 'failed'] as const
export type LayoutState = (typeof LAYOUT_STATES)[number]

/** How far the reshape of a host is, and since when. */
export interface LayoutMark {
  readonly host: HostId
  readonly state: LayoutState
  readonly since: number
  /** Why it is blocked or failed. */
  readonly why: string | null
}

/** Root generation of a host in memory (null: not there) and in the tables, and since when the two differ. */
export interface Projected {
  readonly host: HostId
  readonly memory: number | null
  readonly tables: number
  readonly differsSince: number | null
}

/** A provider that clients of Placement saw differently than it is in the tables. Generations; null: missing. */
export interface MisplacedProvider {
  readonly provider: string
  readonly name: string
  readonly memory: number | null
  readonly tables: number | null
}

/** An inventory whose `used` was not the sum of its allocations; it was recounted when that was found. */
export interface SeenMiscount {
  readonly name: string
  readonly host: HostId | null
  readonly class: string
  readonly used: number
  readonly held: number
}

/** A row of what moves and deletions left on a host. */
export interface SeenRemain {
  readonly host: HostId
  readonly instance: InstanceId
  readonly migration: MigrationId | null
  readonly side: Side
}

/** A row that breaks a rule of its table, or refers to a row that is not there. */
export interface SeenRecord extends Unreadable {
  readonly host: HostId | null
  readonly instance: InstanceId | null
  readonly migration: MigrationId | null
  readonly raw: RawRecord
}

/** The row as the database prints it: columns that no reader can decode, and the key it is found by. */
export interface RawRecord {
  readonly key: RawColumns
  /** Those that the broken rule is about. */
  readonly columns: RawColumns
  /** Of these, columns that may be null. */
  readonly nullable: readonly string[]
  /** Of a reference that leads nowhere: what the schema does with the row when its target is deleted. Else null. */
  readonly onDelete: 'cascade' | 'set-null' | 'restrict' | null
}

/** A consumer row whose type is not what its claim says. */
export interface MistypedConsumer {
  readonly id: ConsumerId
  readonly type: string
}

/** Frozen values of one point in time. An unchanged host may be the same object as in the previous snapshot. */
export interface Snapshot {
  readonly hosts: readonly Host[]
  readonly instances: readonly Instance[]
  readonly migrations: readonly Migration[]
  readonly leases?: readonly SeenLease[]
  /** Server groups, if there are any. */
  readonly groups?: readonly SeenGroup[]
  /** What hypervisors answered at this very time; undefined without a query. */
  readonly guests?: readonly SeenGuest[]
  /** ms since the epoch. Without it nothing is found that is wrong only because it lasts. */
  readonly now?: number
  readonly looks?: readonly HostLooks[]
  /** When a row of an instance was last written: what was seen before that says nothing about it. */
  readonly written?: ReadonlyMap<InstanceId, number>
  readonly strays?: readonly Stray[]
  readonly swaps?: readonly SeenSwap[]
  /** Other clients may claim for instances of their own on hosts of Berth. */
  readonly foreignAllowed?: boolean
  /** Needed by heals that make or end a consumer: whether its row is there already. */
  readonly looseConsumers?: readonly LooseConsumer[]
  /** As `looseConsumers`, for heals that rewrite a consumer. */
  readonly mistypedConsumers?: readonly MistypedConsumer[]
  readonly looseRoots?: readonly LooseRoot[]
  readonly layouts?: readonly LayoutMark[]
  readonly projected?: readonly Projected[]
  readonly forest?: readonly MisplacedProvider[]
  readonly miscounted?: readonly SeenMiscount[]
  readonly remains?: readonly SeenRemain[]
  /** Rows that violate a constraint of their table, whatever reads them. */
  readonly records?: readonly SeenRecord[]
  /** Hosts whose last answer cannot be read; `looks` has them as silent. */
  readonly surveys?: readonly (MayBeUnreadable & { readonly host: HostId })[]
}
