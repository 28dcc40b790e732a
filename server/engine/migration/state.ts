import type { Flavor, Image } from '../demand'
import type { ProofLaw } from '../proof/disproof'
import type { Amount } from '../resources/inventory'
import type { StorageMode, StorageUsed } from '../storage/storage'
import type { HostId, InstanceId, MigrationId } from '../words/ids'
import type { HostRefusals } from '../words/refusal'
import type { MayBeUnreadable } from '../words/unreadable'

// One migration's whole state. Only `machine.ts` writes it; stored as one row, guarded by generation and fence.

export const OPERATIONS = ['live-migrate', 'cold-migrate', 'resize', 'evacuate', 'rebuild', 'unshelve'] as const
export type Operation = (typeof OPERATIONS)[number]

export const STEPS = ['claim', 'prepare', 'transfer', 'switch', 'verify', 'release', 'ended'] as const
export type Step = (typeof STEPS)[number]

export type Side = 'source' | 'target'
export const REQUESTED_ACTIONS = ['abort', 'confirm', 'revert', 'force-complete', 'retry'] as const
export type RequestedAction = (typeof REQUESTED_ACTIONS)[number]
export const OUTCOMES = ['completed', 'reverted', 'aborted', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Why a migration rolled back or failed. */
export interface Cause {
  readonly kind: 'failed' | 'aborted' | 'reverted'
  readonly step: Step
  readonly message: string
  /** Per host, when no host accepted the claim. */
  readonly refusals?: readonly HostRefusals[]
}

/** Named reason for which a migration waits; null while it progresses. */
export type WaitReason =
  | { readonly for: 'slot'; readonly place: number }
  | { readonly for: 'host'; readonly host: HostId; readonly why: string }
  | { readonly for: 'person' }
  | { readonly for: 'retry'; readonly why: string }
  /** Blocked: the records contradict it, so nothing is done until they are repaired. */
  | { readonly for: 'repair'; readonly law: ProofLaw; readonly why: string }

export const WAITING_FOR = ['slot', 'host', 'person', 'retry', 'repair'] as const satisfies readonly WaitReason['for'][]

/** Last known facts of a transfer. Bytes; times in ms since the epoch. */
export interface Progress {
  readonly at: number
  readonly totalBytes: number
  readonly remainingBytes: number
  readonly dirtyBytesPerS: number
  readonly bandwidthBytesPerS: number
  readonly iteration: number
  readonly downtimeMs: number | null
  readonly postCopy: boolean
}

export interface Migration extends MayBeUnreadable {
  readonly id: MigrationId
  readonly instance: InstanceId
  readonly operation: Operation
  readonly source: HostId | null
  readonly target: HostId | null
  /** The host that the operator requested; null lets the scheduler choose. */
  readonly requestedTarget: HostId | null
  /** Flavor and image after the migration; equal to the instance's where the operation changes nothing. */
  readonly newFlavor: Flavor
  readonly newImage: Image
  readonly oldFlavor: Flavor
  readonly oldImage: Image
  /** True when the instance ran before the migration, so that a rollback knows what to restore. */
  readonly wasRunning: boolean
  readonly step: Step
  readonly direction: Side
  /** Side where the instance is recorded. */
  readonly home: Side
  /** Point of no return: the instance was handed over, or was found at the target and cannot return. */
  readonly handedOver: boolean
  /** An operator forced a live transfer to complete; from then on it can no longer be aborted. */
  readonly forced: boolean
  /** A rebuild whose demand is unchanged keeps its one claim: there is no other side. */
  readonly keepsClaim: boolean
  /** The requested disk treatment of a live migration; null for every other operation. */
  readonly storage: StorageMode | null
  /** The treatment that its claim chose; null before, and when it is no live migration. */
  readonly storageUsed: StorageUsed | null
  /** Allocations at shared storage that the instance keeps throughout: on neither side of the exchange. */
  readonly kept: readonly Amount[]
  readonly requestedAction: RequestedAction | null
  readonly cause: Cause | null
  readonly outcome: Outcome | null
  readonly waiting: WaitReason | null
  readonly progress: Progress | null
  /** Hosts that refused or lost a race; the scheduler excludes them. */
  readonly tried: readonly HostId[]
  /** Failed tries of the present step; determines the delay before the next. */
  readonly attempt: number
  /** Number of the present step in the timeline, and its start. */
  readonly seq: number
  readonly stepSince: number
  readonly generation: number
  readonly fence: number
  readonly createdAt: number
  /** Time allowed for a revert; null waits for a confirm for ever. Fixed when the migration was accepted. */
  readonly confirmWindowMs: number | null
  /** End of the confirm window, while in verify. */
  readonly dueAt: number | null
  /** When the conductor reads it again. */
  readonly nextAt: number
}

/** One step on the timeline, stored before and after its external effect. */
export interface StepRecord {
  readonly migration: MigrationId
  readonly seq: number
  readonly step: Step
  readonly direction: Side
  readonly startedAt: number
  readonly endedAt: number | null
  readonly result: 'done' | 'failed' | 'turned-back' | null
  readonly note: string | null
}
