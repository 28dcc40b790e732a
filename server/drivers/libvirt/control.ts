import type { HypervisorAddress } from './address'

// Changing calls to a libvirt daemon, which the daemon refuses on a read-only connection. None of these is idempotent:
// libvirt may refuse a second call, so the driver reads the state first.

export interface DomainControl {
  /** Adds the domain, or replaces what it is started with next; a running domain goes on as it is. */
  define(xml: string): Promise<void>
  /** Removes the definition, with managed saves and metadata of snapshots; NVRAM and disks stay. */
  undefine(uuid: string): Promise<void>
  start(uuid: string): Promise<void>
  /** Presses the power button (ACPI); what the guest makes of it shows later. */
  shutdown(uuid: string): Promise<void>
  /** Takes its power. */
  destroy(uuid: string): Promise<void>
  /** Asks the guest to reboot. */
  reboot(uuid: string): Promise<void>
  /** Presses the reset button, without the guest's cooperation. */
  reset(uuid: string): Promise<void>
  suspend(uuid: string): Promise<void>
  resume(uuid: string): Promise<void>
  /**
   * Migrates a running domain to another daemon, to which this daemon connects itself (peer to peer): the migration
   * goes on when Berth ends. Resolves at its end and has no deadline. It occupies one of the few calls that a daemon
   * serves per connection at a time, so it has its own connection. Both hosts show how it ended, not the answer.
   */
  migrate(uuid: string, order: MigrationOrder): Promise<void>
  /** Ends the migration that is under way; refused when there is none. */
  abortJob(uuid: string): Promise<void>
  setMigrationSpeed(uuid: string, mibPerS: number): Promise<void>
  setMigrationDowntime(uuid: string, ms: number): Promise<void>
  /** Has the hypervisor sample how fast the guest dirties its memory; memoryStatistics returns the result. */
  startDirtyRate(uuid: string, seconds: number): Promise<void>
  /** The guest runs at the destination from now on; refused unless the migration was started for it. */
  startPostCopy(uuid: string): Promise<void>
}

export interface MigrationOrder {
  /** The destination as the source's daemon reaches it. */
  readonly destination: HypervisorAddress
  /** The network address of the destination that takes the memory; null: the one that its daemon names. */
  readonly dataAddress: string | null
  /** The domain at the destination, and what it is started with there later. */
  readonly liveXml: string
  readonly persistentXml: string
  /** Disks by the names under which the guest sees them (`vda`), copied into volumes that are there; empty: they are shared. */
  readonly copiedDisks: readonly string[]
  readonly policy: MigrationPolicy
}

/** Source: libvirt-domain.h, VIR_MIGRATE_PARAM_… and virDomainMigrateFlags. */
export interface MigrationPolicy {
  /** Null: as fast as it goes. */
  readonly bandwidthMibPerS: number | null
  /** Longest time for which the guest may stand still at the switch; null: libvirt's own. */
  readonly maxDowntimeMs: number | null
  readonly autoConverge: boolean
  /** Allows startPostCopy later; it is not started by this. */
  readonly postCopy: boolean
  /** Rounds over the memory after which post-copy is started; null: only by a forced transfer. */
  readonly postCopyAfterRounds: number | null
  /** Null: one. */
  readonly parallelConnections: number | null
  /** The memory goes over TLS as well. */
  readonly tls: boolean
}

export const PLAIN_POLICY: MigrationPolicy = {
  bandwidthMibPerS: null,
  maxDowntimeMs: null,
  autoConverge: false,
  postCopy: false,
  postCopyAfterRounds: null,
  parallelConnections: null,
  tls: false,
}
