import type { DaemonAddress, HostAddition } from '@/forms/connection'
import type { Actor } from '../../engine/change'
import type { HostId } from '../../engine/words/ids'
import type { HostPreview } from '../../import/hypervisor-report'

export type { HostPreview, PreviewDomain, PreviewNode } from '../../import/hypervisor-report'

// The API's interface to the drivers, for probing and adding a host.

/** Files on this server that a connection may name, by kind. */
export interface ConnectionFiles {
  readonly sockets: readonly string[]
  readonly pkiPaths: readonly string[]
  readonly keyPaths: readonly string[]
  /** The folders in which they must be. */
  readonly folders: readonly string[]
}

export const PROBE_STEPS = ['reach', 'authenticate', 'versions', 'rights', 'inventory'] as const
export type ProbeStep = (typeof PROBE_STEPS)[number]

export interface ProbeStepReport extends ProbeStepState {
  readonly step: ProbeStep
}

export interface ProbeStepState {
  /** skipped: an earlier one failed. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped'
  readonly ms: number | null
  /** The result, or what went wrong. */
  readonly says: string | null
  /** For a failed step: what to do about it. */
  readonly next: string | null
}

/** Progress of a probe; the last report of a successful probe has the preview. */
export interface ProbeReport {
  readonly address: string
  readonly steps: readonly ProbeStepReport[]
  /** What libvirt does not report on any host. */
  readonly unknown: readonly string[]
  readonly preview: HostPreview | null
}

export type AddHostResult =
  | { readonly did: 'added'; readonly host: HostId }
  /** It could not be read; where a step failed. */
  | { readonly did: 'unread'; readonly failed: ProbeStepReport }
  /** The host differs from its preview. */
  | { readonly did: 'changed' }
  | { readonly did: 'refused'; readonly need: string; readonly have: string; readonly next: string }

export interface HostConnections {
  files(): Promise<ConnectionFiles>
  /** Why the address may not be used: a file outside the folders, or of the wrong kind. Null: it may. */
  refusalOf(address: DaemonAddress): Promise<string | null>
  /** Null when too many hosts are being probed. Each message extends the report; it never throws. */
  probe(address: DaemonAddress, signal?: AbortSignal): AsyncIterable<ProbeReport> | null
  add(addition: HostAddition, trail: { readonly actor: Actor; readonly at: number }): Promise<AddHostResult>
}
