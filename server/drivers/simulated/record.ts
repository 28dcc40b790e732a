import type { Flavor, Image } from '../../engine/demand'
import type { ClaimBody } from '../../engine/host'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { UnitName } from '../../engine/words/units'
import type { Force, Rate } from './physics'

// The state of the simulated fleet: one record per host, one per instance with all its copies. Plain JSON, because it
// is in a table; only facts with times, because their present effect is computed at every read.

export const DRIVER_OPERATIONS = [
  'prepare',
  'transfer',
  'stopTransfer',
  'forceTransfer',
  'locate',
  'runAt',
  'clean',
  'build',
  'destroy',
  'power',
  'survey',
] as const
export type DriverOperationKind = (typeof DRIVER_OPERATIONS)[number]

/**
 * fail: nothing happens and the host reports it. lose-answer: it happens but the answer is lost. silent: the host stops
 * answering before it does anything. half: it stops in the middle.
 */
export const OUTCOMES_OF_A_FAULT = ['fail', 'lose-answer', 'silent', 'half'] as const
export type FaultOutcome = (typeof OUTCOMES_OF_A_FAULT)[number]

/** The nth call of this operation on the host from now on fails in this way. */
export interface PlannedFault {
  readonly on: DriverOperationKind
  readonly nth: number
  readonly goes: FaultOutcome
}

/** Without power from `from` until `to`: everything that ran there has stopped. */
export interface Outage {
  readonly from: number
  readonly to: number | null
  readonly by: 'killed' | 'fenced' | 'gone'
}

export interface HostRecord {
  readonly host: HostId
  /** Does not answer although it has power; its domains go on. */
  readonly silent: boolean
  readonly outages: readonly Outage[]
  /** Power is back, and the host boots until this time and does not answer. */
  readonly bootsUntil?: number | null
  /** Changes of the network's rate; before the first one it has the fleet's usual rate. */
  readonly bandwidth: readonly Rate[]
  readonly plan: readonly PlannedFault[]
  /** Devices that were taken away. */
  readonly missing?: readonly UnitName[]
  /** Devices that stay attached to an instance even after it has left. */
  readonly keptAttached?: readonly { readonly unit: UnitName; readonly instance: InstanceId }[]
}

/**
 * shell: prepared by a migration, without the guest (libvirt: defined, or `paused (migrating)`). left: handed over
 * alive, so that this copy is old (libvirt: shut off, `migrated`).
 */
export type DomainCopyState = 'shell' | 'stopped' | 'running' | 'left'

/** Only these copies still have the guest. */
export const hasGuest = (copy: Copy): boolean => copy.is === 'stopped' || copy.is === 'running'

/** The copy of an instance on one host. */
export interface Copy {
  readonly host: HostId
  /** The migration that created it; null if it was built here. */
  readonly madeBy: MigrationId | null
  /** The other side of that migration is cleaned up, so that the copy is not a leftover. */
  readonly settled: boolean
  readonly is: DomainCopyState
  readonly since: number
  /** Paused with its memory kept (libvirt: paused, by `user`). Only a running copy can be. */
  readonly paused?: boolean
  /** Why it is off, in libvirt's words. */
  readonly reason?: string | null
  /** A shutdown was requested and completes at this time. */
  readonly offAt?: number | null
  readonly flavor: Flavor
  readonly image: Image
  readonly claim: ClaimBody | null
}

/** The transfer of one migration: started once, computed at every read. */
export interface Job {
  readonly migration: MigrationId
  readonly kind: 'live' | 'copy'
  /** Null where nothing is read from the source (evacuate, rebuild, unshelve). */
  readonly source: HostId | null
  readonly target: HostId
  readonly startedAt: number
  readonly delayMs: number
  readonly totalBytes: number
  readonly workingSetBytes: number
  readonly bytesPerS: number
  readonly speed: number
  readonly force: Force | null
  /** An injected fault breaks it once this much has been sent. */
  readonly breaksAtBytes: number | null
  readonly end: JobEnd | null
}

export interface JobEnd {
  readonly at: number
  readonly how: 'done' | 'stopped' | 'failed'
  readonly why: string
}

export interface InstanceRecord {
  readonly instance: InstanceId
  readonly name: string
  readonly copies: readonly Copy[]
  /** The latest transfer. An instance has one active migration, so there is never a second. */
  readonly job: Job | null
  /** Changes of the rate at which the guest writes; before the first one it has its usual rate. */
  readonly dirty: readonly Rate[]
  /** Ignores a shutdown request. */
  readonly ignoresButton?: boolean
  /** The highest fence that each host has seen per migration (L7), and for builds and destroys; latest last. */
  readonly fences: readonly SeenFence[]
}

export interface SeenFence {
  /** Null for building and destroying. */
  readonly migration: MigrationId | null
  readonly host: HostId
  readonly fence: number
}

/** Everything that one operation reads and changes. */
export interface Scene {
  readonly record: InstanceRecord
  readonly hosts: ReadonlyMap<HostId, HostRecord>
}

export const emptyInstance = (instance: InstanceId): InstanceRecord => ({
  instance,
  name: '',
  copies: [],
  job: null,
  dirty: [],
  fences: [],
})

export const healthyHost = (host: HostId): HostRecord => ({
  host,
  silent: false,
  outages: [],
  bandwidth: [],
  plan: [],
})

/** The outage a host is in now; null while it has power. */
export function outageOf(host: HostRecord): Outage | null {
  return host.outages.find((outage) => outage.to === null) ?? null
}

export function answers(host: HostRecord): boolean {
  return !host.silent && outageOf(host) === null && !host.bootsUntil
}

/** The host by now: one that has booted answers again. */
export function booted(host: HostRecord, now: number): HostRecord {
  return host.bootsUntil && host.bootsUntil <= now ? { ...host, bootsUntil: null } : host
}

/** A host of the scene; one without a record is healthy. */
export function hostIn(scene: Scene, host: HostId): HostRecord {
  return scene.hosts.get(host) ?? healthyHost(host)
}

export function withInstance(scene: Scene, change: Partial<InstanceRecord>): Scene {
  return { ...scene, record: { ...scene.record, ...change } }
}
