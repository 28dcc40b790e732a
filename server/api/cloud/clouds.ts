import type { CloudUpload } from '@/forms/cloud'
import type { Attribution } from '../../engine/change'
import type { PreparedAction } from '../../engine/cloud/action/prepare'
import type { CloudFinding } from '../../engine/cloud/finding'
import type { NamedHost } from '../../engine/cloud/join'
import type { CloudCall } from '../../engine/cloud/repair'
import type { CloudSnapshot } from '../../engine/cloud/snapshot'
import type { ProbeStepState } from '../connection/connections'
import type { Ms } from '../plain'
import type { HostWitness } from './host-witness'

// The API's interface to the cloud connector: contents of a file, probes, and the last known state.

/** The problems of a file, by key, with remedies; never the values. */
export interface FileProblem {
  readonly file: string
  readonly key: string
  readonly what: string
  readonly fix: string
}

export interface CloudChoice {
  readonly name: string
  /** Empty: none is named, and the only one of the catalog is taken. */
  readonly regions: readonly string[]
  readonly problems: readonly FileProblem[]
}

export type CloudChoices =
  | { readonly did: 'read'; readonly clouds: readonly CloudChoice[] }
  | { readonly did: 'unread'; readonly problems: readonly FileProblem[] }

export interface CloudProbeStep extends ProbeStepState {
  readonly name: string
}

/** The progress of a probe. */
export interface CloudProbeReport {
  readonly address: string
  readonly steps: readonly CloudProbeStep[]
  /** Facts that will be unknown, each with the reason. Null during the probe. */
  readonly unknown: readonly string[] | null
  /** Keystone, Nova and Placement answer this account: it can be added. */
  readonly isReached: boolean
}

export type ProbeCloudResult =
  | { readonly did: 'began'; readonly reports: AsyncIterable<CloudProbeReport> }
  | { readonly did: 'unread'; readonly problems: readonly FileProblem[] }
  | { readonly did: 'busy' }

/** This server's key for the secrets of clouds cannot be used. */
export interface UnusableKey {
  readonly did: 'no-key'
  readonly why: string
}

export type AddCloudResult =
  | { readonly did: 'added'; readonly cloud: string }
  | { readonly did: 'unread'; readonly problems: readonly FileProblem[] }
  | { readonly did: 'unreached'; readonly failed: CloudProbeStep }
  | { readonly did: 'name-taken' }
  | UnusableKey

/** How a cloud is watched at present. */
export interface CloudStatusView {
  readonly at: Ms
  /** The last poll that read everything it requested; null before the first. */
  readonly reachedAt: Ms | null
  /** Why the last poll failed, and what to do. */
  readonly error: string | null
  readonly fix: string | null
  readonly requestsPerS: number
  readonly pollMs: number
  readonly auditMs: number
  readonly counts: {
    readonly hosts: number
    readonly instances: number
    readonly migrating: number
    readonly critical: number
    readonly warning: number
    readonly info: number
  } | null
  /** Nova's notifications, which show a change sooner than a poll; null: this server has no address for them. */
  readonly notifications: { readonly receivedAt: Ms | null; readonly failure: string | null } | null
}

export interface WatchedCloud {
  readonly status: CloudStatusView | null
  readonly state: { readonly snapshot: CloudSnapshot; readonly findings: readonly CloudFinding[] } | null
}

/** How a cloud is reached, without any secret. */
export interface CloudReach {
  readonly authUrl: string
  readonly region: string | null
  readonly interface: string
  /** The account that signs in. */
  readonly account: string
  /** False: any certificate is accepted, as the file said. */
  readonly verify: boolean
}

/** The result of one call of a repair. */
export interface CloudOutcomeView {
  readonly does: string
  readonly did: 'sent' | 'not-sent' | 'refused' | 'unknown'
  readonly says: string
}

export interface CloudApplication {
  readonly id: string
  /** The snapshot from which the calls were made. */
  readonly snapshot: CloudSnapshot
  readonly calls: readonly CloudCall[]
}

/** An action that a user, or a drain started by a user, requests from Nova. */
export interface CloudActionRequest extends PreparedAction {
  readonly id: string
  readonly snapshot: CloudSnapshot
  readonly drain: string | null
}

export type ApplyCallsResult =
  | {
      readonly did: 'applied'
      readonly outcomes: readonly CloudOutcomeView[]
      /** The cloud takes no more calls for this long; 0: it does not say how long. Null: it takes them. */
      readonly limitedMs: number | null
    }
  | { readonly did: 'read-only' }
  | { readonly did: 'unwatched' }
  | { readonly did: 'sealed' }
  | UnusableKey
  | { readonly did: 'gone' }

export interface Clouds {
  choices(upload: CloudUpload): CloudChoices
  probe(upload: CloudUpload, signal?: AbortSignal): ProbeCloudResult
  /** Signs in again, so that only a connection that works is stored. */
  add(name: string, upload: CloudUpload, attribution: Attribution): Promise<AddCloudResult>
  /** Null: stored settings that cannot be read. */
  reach(settings: unknown): CloudReach | null
  /** Confirmed calls, one by one; each after its preconditions were read again. */
  apply(application: CloudApplication, attribution: Attribution): Promise<ApplyCallsResult>
  /** One call, followed until a read shows whether it took effect. */
  act(request: CloudActionRequest, attribution: Attribution): Promise<ApplyCallsResult>
  watched(): Promise<ReadonlyMap<string, WatchedCloud>>
  /** How these clouds are watched, without their state. */
  statuses(ids: readonly string[]): Promise<ReadonlyMap<string, CloudStatusView>>
  /** The present report of one host's libvirt. */
  witness(host: NamedHost): Promise<HostWitness>
}
