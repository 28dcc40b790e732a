import type { DomainControl } from './control'
import type { DomainStatus } from './domain-status'
import type { JobStatistics } from './statistics/job'
import type { MemoryStatistics } from './statistics/memory'
import type { StorageControl } from './storage/control'

// A connection to one libvirt daemon. Two implementations give equal answers: libvirt's RPC (rpc/) and the `virsh`
// command (virsh/), which is the fallback and, in tests, the independent witness. Every call has its own deadline.

export interface HypervisorConnection extends DomainControl, StorageControl {
  versions(): Promise<HypervisorVersions>
  hostname(): Promise<string>
  /** XML of `virsh capabilities`. */
  capabilities(): Promise<string>
  /** PCI functions with their XML, by name; one that vanishes during the read is omitted. */
  nodeDevices(): Promise<readonly NodeDevice[]>
  /** Free pages of one size on one NUMA node. Refused for a size that the node does not have. */
  freePages(node: number, sizeKib: number): Promise<number>
  /**
   * What `of` returns for each domain, running or only defined, by name; one that vanishes during the read is omitted.
   * A few are read at a time, so that a host with many occupies neither the memory nor the whole connection.
   */
  domains<T>(of: (domain: Domain) => T | Promise<T>): Promise<readonly T[]>
  /** Null when libvirt knows no domain of this uuid. */
  domain(uuid: string): Promise<Domain | null>
  /**
   * XML with secrets that another daemon accepts: of the running domain, or its stored definition. Null when libvirt
   * knows no domain of this uuid. A read-only connection gets it without secrets, and no daemon accepts that.
   */
  migratableXml(uuid: string, which: 'running' | 'stored'): Promise<string | null>
  /** The current job, or the last completed one; null when libvirt knows no domain of this uuid. */
  jobStatistics(uuid: string, which: 'current' | 'completed'): Promise<JobStatistics | null>
  /** libvirt's memory figures; null when libvirt knows no domain of this uuid. */
  memoryStatistics(uuid: string): Promise<MemoryStatistics | null>
  /**
   * Events are hints that shorten a wait: they are lost with the connection, so a listener must list everything again
   * after each connect. Returns a function that stops listening.
   */
  subscribe(listener: (event: DomainEvent) => void): Promise<() => Promise<void>>
  /** Resolves once the connection has ended: null when it was closed here, otherwise the cause. */
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
  /** XML of the running domain if it runs, otherwise of its definition. Without secrets. */
  readonly xml: string
}

export type DomainEvent = {
  readonly name: string
  /** Null when the implementation gets names only (virsh). */
  readonly uuid: string | null
} & (
  | { readonly kind: 'lifecycle'; readonly event: LifecycleEvent }
  | { readonly kind: 'migration-iteration'; readonly iteration: number }
  | { readonly kind: 'job-completed' }
)

/** Source: libvirt-domain.h, virDomainEventType; the index in the list is its number. */
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

/** Drops entries that vanished during the read. */
export const byName = <T extends { readonly name: string }>(items: readonly (T | null)[]): readonly T[] =>
  items.filter((item) => item !== null).sort((a, b) => (a.name < b.name ? -1 : 1))

/** Returns null for a domain that vanished. */
export const namedResult =
  <S, T>(read: (subject: S) => Promise<Domain | null>, of: (domain: Domain) => T | Promise<T>) =>
  async (subject: S): Promise<{ readonly name: string; readonly result: T } | null> => {
    const domain = await read(subject)
    return domain && { name: domain.name, result: await of(domain) }
  }
