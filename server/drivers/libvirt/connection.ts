import type { DomainControl } from './control'
import type { DomainStatus } from './domain-status'
import type { JobStatistics } from './statistics/job'
import type { MemoryStatistics } from './statistics/memory'
import type { StorageControl } from './storage/control'

// One libvirt daemon as Berth speaks to it. Two implementations answer alike: libvirt's RPC (rpc/) and the `virsh`
// command (virsh/), which is the fallback and, in tests, the independent witness. Every call ends by its own deadline.

export interface HypervisorConnection extends DomainControl, StorageControl {
  versions(): Promise<HypervisorVersions>
  hostname(): Promise<string>
  /** XML of `virsh capabilities`. */
  capabilities(): Promise<string>
  /** PCI functions with their XML, by name; one that vanishes while they are read is left out. */
  nodeDevices(): Promise<readonly NodeDevice[]>
  /** Free pages of one size on one NUMA node. Refused for a size that the node does not have. */
  freePages(node: number, sizeKib: number): Promise<number>
  /** All domains, running or only defined, by name; one that vanishes while they are read is left out. */
  domains(): Promise<readonly Domain[]>
  /** Null when libvirt knows no domain of this uuid. */
  domain(uuid: string): Promise<Domain | null>
  /**
   * XML with its secrets, as another daemon accepts it: of the running domain, or of its next start. Null when libvirt
   * knows no domain of this uuid. A read-only connection returns it without secrets, and no daemon accepts that.
   */
  migratableXml(uuid: string, which: 'running' | 'stored'): Promise<string | null>
  /** The job under way, or the one that completed last; null when libvirt knows no domain of this uuid. */
  jobStatistics(uuid: string, which: 'current' | 'completed'): Promise<JobStatistics | null>
  /** libvirt's memory statistics; null when libvirt knows no domain of this uuid. */
  memoryStatistics(uuid: string): Promise<MemoryStatistics | null>
  /**
   * Events are hints that shorten a wait: they are lost with the connection, so listeners list everything again after
   * each connect. Returns the unsubscribe function.
   */
  subscribe(listener: (event: DomainEvent) => void): Promise<() => Promise<void>>
  /** Resolves once the connection has ended: null when it was closed here, otherwise what ended it. */
  readonly ended: Promise<Error | null>
  close(): Promise<void>
}

/** As libvirt writes them: `9.0.0`. */
export interface HypervisorVersions {
  readonly libvirt: string
  readonly hypervisor: string
}

export interface NodeDevice {
  readonly name: string
  readonly xml: string
}

export interface Domain extends DomainStatus {
  readonly uuid: string
  readonly name: string
  /** Of the running domain when it runs, otherwise of its definition. Without secrets. */
  readonly xml: string
}

export type DomainEvent = {
  readonly name: string
  /** Null when the implementation only gets names (virsh). */
  readonly uuid: string | null
} & (
  | { readonly kind: 'lifecycle'; readonly event: LifecycleEvent }
  | { readonly kind: 'migration-iteration'; readonly iteration: number }
  | { readonly kind: 'job-completed' }
)

/** Source: libvirt-domain.h, virDomainEventType; the place in the list is its number. */
export const LIFECYCLE_EVENTS = [
  'defined',
  'undefined',
  'started',
  'suspended',
  'resumed',
  'stopped',
  'shutdown',
  'pmsuspended',
  'crashed',
] as const
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number]
