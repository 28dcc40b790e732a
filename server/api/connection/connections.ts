import type { DaemonAddress, HostAddition } from '@/forms/connection'
import type { Actor } from '../../engine/books'
import type { HostId } from '../../engine/words/ids'
import type { HostPreview } from '../../import/hypervisor-report'

export type { HostPreview, PreviewDomain, PreviewNode } from '../../import/hypervisor-report'

// What the API asks of those who know hypervisors: how a host can be reached, what it is, and to add it.

/** Files on this server that a connection may name, by what they are. */
export interface ConnectionFiles {
  readonly sockets: readonly string[]
  readonly pkiPaths: readonly string[]
  readonly keyPaths: readonly string[]
  /** Where they have to be. */
  readonly folders: readonly string[]
}

export const PROBE_STEPS = ['reach', 'authenticate', 'versions', 'rights', 'inventory'] as const
export type ProbeStep = (typeof PROBE_STEPS)[number]

export interface ProbeStepReport {
  readonly step: ProbeStep
  /** skipped: an earlier one failed. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped'
  readonly ms: number | null
  /** What was learned, or what went wrong. */
  readonly says: string | null
  /** Of one that failed: what to do about it. */
  readonly next: string | null
}

/** As far as a probe is; the last one of a probe that found a host has its preview. */
export interface ProbeReport {
  readonly address: string
  readonly steps: readonly ProbeStepReport[]
  /** What libvirt does not tell of any host. */
  readonly unknown: readonly string[]
  readonly preview: HostPreview | null
}

export type HostAdded =
  | { readonly did: 'added'; readonly host: HostId }
  /** It could not be read; where a step failed. */
  | { readonly did: 'unread'; readonly failed: ProbeStepReport }
  /** It is not as it was previewed. */
  | { readonly did: 'changed' }
  | { readonly did: 'refused'; readonly need: string; readonly have: string; readonly next: string }

export interface HostConnections {
  files(): Promise<ConnectionFiles>
  /** Why the address may not be used: a file outside the folders, or one that is not what it must be. Null: it may. */
  whyNot(address: DaemonAddress): Promise<string | null>
  /** Null when too many hosts are being probed. The report grows with each message; it never throws. */
  probe(address: DaemonAddress, signal?: AbortSignal): AsyncIterable<ProbeReport> | null
  add(addition: HostAddition, trail: { readonly actor: Actor; readonly at: number }): Promise<HostAdded>
}
