import type { HypervisorAddress } from './address'

// The calls that change something at a libvirt daemon. The daemon itself refuses all of them over a read-only
// connection. None is idempotent: libvirt may refuse a repeated call, so the driver observes before it calls.

export interface DomainControl {
  /** Adds the domain, or replaces its stored definition; a running domain is not affected. */
  define(xml: string): Promise<void>
  /** Removes the definition, with managed saves and metadata of snapshots; NVRAM and disks stay. */
  undefine(uuid: string): Promise<void>
  start(uuid: string): Promise<void>
  /** Presses the power button (ACPI); the guest's reaction shows later. */
  shutdown(uuid: string): Promise<void>
  /** Cuts its power. */
  destroy(uuid: string): Promise<void>
  /** Requests a reboot from the guest. */
  reboot(uuid: string): Promise<void>
  /** Presses the reset button, without the guest's cooperation. */
  reset(uuid: string): Promise<void>
  suspend(uuid: string): Promise<void>
  resume(uuid: string): Promise<void>
  /**
   * Migrates a running domain from this daemon to another, to which this daemon connects itself (peer to peer): the
   * migration continues if Berth ends. Resolves at its end and has no deadline. It takes one of the few concurrent
   * calls that a daemon serves per connection, so use a separate connection. Its result is read from both hosts, not
   * from the answer.
   */
  migrate(uuid: string, order: MigrationOrder): Promise<void>
  /** Aborts the running migration; refused when there is none. */
  abortJob(uuid: string): Promise<void>
  setMigrationSpeed(uuid: string, mibPerS: number): Promise<void>
  setMigrationDowntime(uuid: string, ms: number): Promise<void>
  /** Has the hypervisor sample how fast the guest dirties its memory; memoryStatistics returns the result. */
  startDirtyRate(uuid: string, seconds: number): Promise<void>
  /** Continues the domain at the destination from now on; refused unless the migration was started for it. */
  startPostCopy(uuid: string): Promise<void>
}

export interface MigrationOrder {
  /** The destination as the source's daemon reaches it. */
  readonly destination: HypervisorAddress
  /** The destination's network address for the memory; null: the one that its daemon names. */
  readonly dataAddress: string | null
  /** The domain at the destination, and its stored definition there. */
  readonly liveXml: string
  readonly persistentXml: string
  /** Disks by the guest's names (`vda`), copied into existing volumes; empty: they are shared. */
  readonly copiedDisks: readonly string[]
  readonly policy: MigrationPolicy
}

/** Source: libvirt-domain.h, VIR_MIGRATE_PARAM_… and virDomainMigrateFlags. */
export interface MigrationPolicy {
  /** Null: unlimited. */
  readonly bandwidthMibPerS: number | null
  /** Maximum downtime at the switch; null: libvirt's own. */
  readonly maxDowntimeMs: number | null
  readonly autoConverge: boolean
  /** Permits startPostCopy later; does not start it. */
  readonly postCopy: boolean
  /** Rounds over the memory after which post-copy is started; null: only by a forced transfer. */
  readonly postCopyAfterRounds: number | null
  /** Null: one. */
  readonly parallelConnections: number | null
  /** The memory is sent over TLS as well. */
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
