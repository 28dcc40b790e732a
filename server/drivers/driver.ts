import type { Flavor, Image } from '../engine/demand'
import type { ClaimBody } from '../engine/host'
import type { Operation, Progress, Side } from '../engine/migration/state'
import type { PowerAction } from '../engine/power/request'
import type { Power } from '../engine/power/state'
import type { StorageUsed } from '../engine/storage/storage'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import type { UnitName } from '../engine/words/units'

// The interface to a hypervisor. Every operation is idempotent (L4); with a fence older than the host has seen for the
// migration it is refused (L7). Long work is started and polled, never waited for.

/**
 * The part of a migration that an operation needs. Everything it creates on a host carries `migration`, so that
 * leftovers are found.
 */
export interface DriverOperation {
  readonly migration: MigrationId
  readonly fence: number
  /** The instance's generation: every host that gets an operation of a migration refuses builds decided earlier. */
  readonly instanceFence: number
  readonly operation: Operation
  readonly instance: InstanceId
  readonly name: string
  readonly source: HostId | null
  readonly target: HostId | null
  readonly flavor: { readonly source: Flavor; readonly target: Flavor }
  readonly image: { readonly source: Image; readonly target: Image }
  readonly claim: { readonly source: ClaimBody | null; readonly target: ClaimBody | null }
  readonly wasRunning: boolean
  /** How a live migration treats the disk: block copies it, shared leaves it; null for other operations. */
  readonly storage: StorageUsed | null
  /**
   * Which sides the operation must query. False for a side that is certain not to run the instance: its host is fenced
   * or permanently lost, there is none, or the instance was just seen on the other side while this one is silent.
   */
  readonly reach: { readonly source: boolean; readonly target: boolean }
}

/** `no-answer`: the operation may or may not have happened. `failed`: it did not, and the host says why. */
export type Answer =
  | { readonly did: 'done' }
  | { readonly did: 'failed'; readonly why: string }
  /** `host`: the host that did not answer, if it is not the one that was called. */
  | { readonly did: 'no-answer'; readonly why: string; readonly host?: HostId }
  | { readonly did: 'stale-fence' }

/** `progress` of a transfer that is done: its final statistics, downtime included, unless the host kept none. */
export type TransferAnswer =
  | Answer
  | { readonly did: 'done'; readonly progress: Progress }
  | { readonly did: 'running'; readonly progress: Progress; readonly handedOver: boolean }

/**
 * Observed state of the instance on one side. `silent`: no answer, which does not mean that nothing runs there. `left`:
 * shut off because it was handed over alive (libvirt's shutoff reason `migrated`); that copy is old and must not start.
 * In a live migration `stopped` at the target means that the instance had arrived, `shell` that it has not.
 */
export type ObservedState = 'running' | 'stopped' | 'left' | 'shell' | 'absent' | 'silent'

export interface DomainStates {
  readonly source: ObservedState
  readonly target: ObservedState
}

export interface SurveyedInstance {
  readonly instance: InstanceId
  readonly migration: MigrationId | null
  readonly observedState: Exclude<ObservedState, 'absent' | 'silent'>
  /** In addition to the observed state: a paused domain is `running` there, a crashed one `stopped`. */
  readonly power: Power
  readonly claim: ClaimBody | null
  /** It runs under the id of an instance, but no longer says that it is Berth's: no operation changes it. */
  readonly untagged?: true
}

/** Any domain of a host, foreign ones included. */
export interface HostDomain {
  readonly uuid: string
  readonly name: string
  /** A paused domain is alive; one that shuts down still runs. */
  readonly state: 'running' | 'paused' | 'shut off' | 'crashed' | 'other'
  /** Guest CPU → host CPUs as libvirt lists them (`0-3,^2`); null: they were not read. */
  readonly pins: ReadonlyMap<number, string> | null
}

/** A host's own report. */
export interface HostDomains {
  /** The machine's name on its hypervisor, which is also Nova's name for it (`hypervisor_hostname`). */
  readonly hostname: string
  readonly domains: readonly HostDomain[]
}

/**
 * An existing PCI function, mediated device or namespace. Source: libvirt's node device list (`<driver>`), and the
 * `<hostdev>` and `<memory model='nvdimm'>` of its domains.
 */
export interface SurveyedDevice {
  readonly unit: UnitName
  /** Kernel driver it is bound to, such as `vfio-pci`; null: none, or not reported. */
  readonly driver: string | null
  /** The instance whose domain it is attached to; null: none. */
  readonly attachedTo: InstanceId | null
}

export interface Driver {
  /** Creates the paused target domain, ports and volumes on the target, after checks of the source. */
  prepare(driverOperation: DriverOperation): Promise<Answer>
  /** Starts the transfer, or reports its progress. */
  transfer(driverOperation: DriverOperation): Promise<TransferAnswer>
  /** `no-answer` also while a stopped transfer has not ended yet: call again. */
  stopTransfer(driverOperation: DriverOperation): Promise<Answer>
  /** Completes a live transfer: pauses the instance, or hands it over by post-copy. Cannot be undone. */
  forceTransfer(driverOperation: DriverOperation): Promise<Answer>
  /** Observes both sides; changes nothing. */
  locate(driverOperation: DriverOperation): Promise<DomainStates>
  /**
   * Makes the instance run (or, if stopped, exist) on that side and nowhere else. Never starts a copy that was `left`.
   */
  runAt(driverOperation: DriverOperation, side: Side): Promise<Answer>
  /** Removes everything of the migration on that side. Never touches what the migration does not own (L8). */
  clean(driverOperation: DriverOperation, side: Side): Promise<Answer>
  /** Creates the domain of a new instance on a host; a repeated call returns the same domain. */
  build(order: BuildOrder): Promise<Answer>
  /** Removes everything of the instance on the host, and refuses a build with an older fence from then on. */
  destroy(order: DestroyOrder): Promise<Answer>
  /**
   * Changes the power of an instance on the host; its domain and everything of it stay there. A start never creates a
   * domain, and refuses one whose disk is open elsewhere.
   */
  power(order: PowerOrder): Promise<PowerAnswer>
  /**
   * All domains of a host. Without an answer null, or an error that says why. Aborted, it ends before the next domain,
   * and leaves the connection to others.
   */
  survey(host: HostId, signal?: AbortSignal): Promise<readonly SurveyedInstance[] | null>
  /** All assignable devices of a host; null without an answer. Omitted by a driver that cannot list them. */
  devices?(host: HostId): Promise<readonly SurveyedDevice[] | null>
  /**
   * All domains of a host, foreign ones included; null without an answer. Aborted, it ends like a survey. Omitted by a
   * driver without domains.
   */
  domains?(host: HostId, signal?: AbortSignal): Promise<HostDomains | null>
  /** The hypervisor's name for the machine; null without an answer. */
  hostname?(host: HostId): Promise<string | null>
}

export interface BuildOrder {
  readonly instance: InstanceId
  readonly name: string
  readonly host: HostId
  readonly flavor: Flavor
  readonly image: Image
  readonly claim: ClaimBody
  /** The instance's generation when the action was decided: a late build must not undo a destroy. */
  readonly fence: number
}

export interface PowerOrder {
  readonly instance: InstanceId
  readonly host: HostId
  /** The instance's generation when it was decided. */
  readonly fence: number
  readonly action: PowerAction
  /** When it was requested, ms since the epoch: an instance started since then has been rebooted. */
  readonly at: number
  /** A stop no longer waits for the guest to shut down. */
  readonly hard: boolean
}

/** `under-way`: the guest was requested to shut down and is not off yet; call again. */
export type PowerAnswer = Answer | { readonly did: 'under-way' }

export interface DestroyOrder {
  readonly instance: InstanceId
  readonly host: HostId
  readonly fence: number
}
