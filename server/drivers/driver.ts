import type { Flavor, Image } from '../engine/demand'
import type { ClaimBody } from '../engine/host'
import type { Operation, Progress, Side } from '../engine/migration/state'
import type { PowerAction } from '../engine/power/request'
import type { Power } from '../engine/power/state'
import type { StorageUsed } from '../engine/storage/storage'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import type { UnitName } from '../engine/words/units'

// The interface to a hypervisor. Every operation is idempotent (L4); one with an older fencing token than the host has
// seen for the migration is refused (L7). Long work is started and polled, never awaited.

/** What a verb needs to know of a move. Everything made on a host carries `migration`, so remains can be found. */
export interface DriverOperation {
  readonly migration: MigrationId
  readonly fence: number
  /** The instance's generation: every host that hears a verb of a move refuses builds that were decided earlier. */
  readonly guestFence: number
  readonly operation: Operation
  readonly instance: InstanceId
  readonly name: string
  readonly source: HostId | null
  readonly target: HostId | null
  readonly flavor: { readonly source: Flavor; readonly target: Flavor }
  readonly image: { readonly source: Image; readonly target: Image }
  readonly claim: { readonly source: ClaimBody | null; readonly target: ClaimBody | null }
  readonly wasRunning: boolean
  /** What a live migration does with the disk: copies it (block) or leaves it at shared storage; null for other operations. */
  readonly storage: StorageUsed | null
  /**
   * Which sides the verb has to ask. False for a side that surely does not run the guest: its host is fenced or permanently lost,
   * there is none, or the guest was just seen on the other side while this one is silent.
   */
  readonly reach: { readonly source: boolean; readonly target: boolean }
}

/** `no-answer`: the verb may or may not have happened. `failed`: it did not, and the host says why. */
export type Answer =
  | { readonly did: 'done' }
  | { readonly did: 'failed'; readonly why: string }
  /** `host`: which one did not answer, when that is not the one called. */
  | { readonly did: 'no-answer'; readonly why: string; readonly host?: HostId }
  | { readonly did: 'stale-fence' }

/** `progress` of a transfer that is done: its final statistics, downtime included, unless the host kept none. */
export type TransferAnswer =
  | Answer
  | { readonly did: 'done'; readonly progress: Progress }
  | { readonly did: 'running'; readonly progress: Progress; readonly handedOver: boolean }

/**
 * The domain's observed state on one side. `silent` means no answer, which does not prove that nothing runs. `left`:
 * shut off because it was migrated away (libvirt's shutoff reason `migrated`); what is there is old and must not start.
 * In a live migration `stopped` at the target means that the guest had arrived, `shell` that it has not.
 */
export type ObservedState = 'running' | 'stopped' | 'left' | 'shell' | 'absent' | 'silent'

export interface DomainStates {
  readonly source: ObservedState
  readonly target: ObservedState
}

export interface SurveyedGuest {
  readonly instance: InstanceId
  readonly migration: MigrationId | null
  readonly observedState: Exclude<ObservedState, 'absent' | 'silent'>
  /** What it is in besides: a paused guest has the observed state `running`, a crashed one `stopped`. */
  readonly power: Power
  readonly claim: ClaimBody | null
}

/** A domain of a host, whoever made it. */
export interface HostDomain {
  readonly uuid: string
  readonly name: string
  /** A paused guest is alive; one that shuts down still runs. */
  readonly state: 'running' | 'paused' | 'shut off' | 'crashed' | 'other'
  /** Guest CPU → host CPUs as libvirt lists them (`0-3,^2`); null: they were not read. */
  readonly pins: ReadonlyMap<number, string> | null
}

/** What a host says of itself. */
export interface HostDomains {
  /** As its hypervisor calls the machine, which is also what Nova calls it (`hypervisor_hostname`). */
  readonly hostname: string
  readonly domains: readonly HostDomain[]
}

/**
 * A PCI function, mediated device or namespace that is there. Source: libvirt's node device list (`<driver>`), and the
 * `<hostdev>` and `<memory model='nvdimm'>` of its domains.
 */
export interface SurveyedDevice {
  readonly unit: UnitName
  /** Kernel driver it is bound to, such as `vfio-pci`; null: to none, or the host does not say. */
  readonly driver: string | null
  /** The domain it is attached to; null: none. */
  readonly attachedTo: InstanceId | null
}

export interface Driver {
  /** Shell, ports and volumes stand on the target; the source is checked. */
  prepare(driverOperation: DriverOperation): Promise<Answer>
  /** Starts the transfer, or says how far it is. */
  transfer(driverOperation: DriverOperation): Promise<TransferAnswer>
  stopTransfer(driverOperation: DriverOperation): Promise<Answer>
  /** Makes a live transfer end: pauses the guest, or hands it over by post-copy. No way back. */
  forceTransfer(driverOperation: DriverOperation): Promise<Answer>
  /** Looks at both sides; changes nothing. */
  locate(driverOperation: DriverOperation): Promise<DomainStates>
  /** The guest runs (or, when it was stopped, stands) at that side and nowhere else. Never starts a copy that was `left`. */
  runAt(driverOperation: DriverOperation, side: Side): Promise<Answer>
  /** Nothing of the migration remains at that side. Never touches what the migration does not own (L8). */
  clean(driverOperation: DriverOperation, side: Side): Promise<Answer>
  /** Creates the domain of a new instance on a host; a second call finds the same domain. */
  build(guest: NewGuest): Promise<Answer>
  /** Nothing of the instance remains on the host, and a build with an older fence is refused from then on. */
  destroy(guest: DoomedGuest): Promise<Answer>
  /**
   * Changes the power of a guest that stands on the host; it stays there with all that is its own. A start never makes
   * a guest, and refuses one whose disk is open elsewhere.
   */
  power(order: PowerOrder): Promise<PowerAnswer>
  /** All domains of Berth on a host; null without an answer. */
  survey(host: HostId): Promise<readonly SurveyedGuest[] | null>
  /** All assignable devices that a host shows; null without an answer. A driver that cannot report them omits this. */
  devices?(host: HostId): Promise<readonly SurveyedDevice[] | null>
  /** All domains of a host, whoever made them; null without an answer. A driver without domains omits this. */
  domains?(host: HostId): Promise<HostDomains | null>
  /** The host name that the hypervisor reports; null without an answer. */
  hostname?(host: HostId): Promise<string | null>
}

export interface NewGuest {
  readonly instance: InstanceId
  readonly name: string
  readonly host: HostId
  readonly flavor: Flavor
  readonly image: Image
  readonly claim: ClaimBody
  /** The instance's generation when the act was decided: a late build must not undo a destroy. */
  readonly fence: number
}

export interface PowerOrder {
  readonly instance: InstanceId
  readonly host: HostId
  /** The instance's generation when it was decided. */
  readonly fence: number
  readonly action: PowerAction
  /** When it was requested, ms since the epoch: a guest that runs since then has been rebooted. */
  readonly at: number
  /** A stop no longer waits for the guest to shut down. */
  readonly hard: boolean
}

/** `under-way`: the shutdown was requested and the guest is not off yet; call again. */
export type PowerAnswer = Answer | { readonly did: 'under-way' }

export interface DoomedGuest {
  readonly instance: InstanceId
  readonly host: HostId
  readonly fence: number
}
