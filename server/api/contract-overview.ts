import type { FindingKind } from '../engine/audit/finding'
import type { RunKind } from '../engine/drain/ask'
import type { HealthCheckName } from '../engine/health/checks'
import type { HostAdmission, HostTruth } from '../engine/host'
import type { Step } from '../engine/migration/state'
import type { HostContact, Ms, Ref, Share } from './contract'
import type { MigrationRow } from './contract-moves'

// The fleet in one look. Part of the contract; same rules.

export interface HeatCell extends Ref {
  readonly zone: string | null
  readonly truth: HostTruth
  readonly admission: HostAdmission
  readonly cpus: Share
  readonly memoryMib: Share
  readonly movesIn: number
  readonly movesOut: number
  /** Open findings about the host. */
  readonly findings: number
  /** The run that empties it now. */
  readonly run: HeatRun | null
  readonly contact: HostContact | null
}
/** How far a drain or an evacuation is. */
export interface HeatRun {
  readonly id: string
  readonly kind: RunKind
  readonly done: number
  readonly total: number
}
export type AttentionKind =
  | 'health'
  | 'waits-for-person'
  | 'waits-for-host'
  | 'retrying'
  | 'not-converging'
  | 'overdue'
  | 'parked'
  | 'failed'
  | 'host-down'
  | 'host-silent'
  | 'host-never-answered'
  /** Guests that ran on a host until it went down, and are off since it is back. */
  | 'guests-off'
  | 'quarantined'
  | 'remains'
  | 'finding'
export interface AttentionItem {
  readonly kind: AttentionKind
  readonly since: Ms | null
  readonly host: Ref | null
  readonly instance: Ref | null
  readonly migration: string | null
  /** Of items of kind `health`. */
  readonly check?: HealthCheckName
  /** Of items of kind `finding`. */
  readonly finding?: FindingKind
  /** How many the item stands for, such as moves that wait for one host, or findings of one kind. */
  readonly count: number
  readonly why: string | null
  /** The step that is overdue. */
  readonly step?: Step
}
export interface OverviewView {
  readonly hosts: readonly HeatCell[]
  readonly hostCount: number
  readonly instanceCount: number
  readonly attention: readonly AttentionItem[]
  /** Those in flight, then those that wait; the longest ones of many. */
  readonly moves: readonly MigrationRow[]
  readonly moveCounts: { readonly flight: number; readonly queued: number; readonly waiting: number }
  readonly capacity: readonly OverviewClass[]
  readonly seq: string
}
export interface OverviewClass extends Share {
  readonly resourceClass: string
  readonly heldTwice: number
  /** The most that one host which takes claims has free: what is asked of one host cannot be more. */
  readonly largestFree: number
}
