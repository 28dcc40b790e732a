import type { ConsumerId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import type { UnitName } from '../words/units'
import type { DeviceAsk } from './device/devices'
import type { FitLimits, GuestCell, GuestTopology, PlacedCell } from './guest'
import type { PreparedHost } from './prepared'

// The question and the answer of a fit. The question is the same for a claim, the explain matrix, the drain plan and
// the scheduler (I7), so its words live apart from the search that answers it.

/**
 * All topology resources that one guest requests on one host. `topology` null: no NUMA topology, then affinity policies
 * are not applied.
 */
export interface PlaceDemand {
  readonly topology: GuestTopology | null
  readonly devices: readonly DeviceAsk[]
}

/** `pages 2048`: pages of this many KiB. */
export type CellAmount = 'memory' | 'ordinary' | 'shared-cpus' | `pages ${number}`

/** Holders, resolved only when a refusal is written. Both return the largest first; empty when unknown. */
export interface Holders {
  readonly ofUnit: (unit: UnitName) => readonly ConsumerId[]
  readonly ofCell: (hostCell: number, amount: CellAmount) => readonly ConsumerId[]
}

export interface FitInput {
  readonly host: PreparedHost
  readonly demand: PlaceDemand
  /** Null: no ratios are applied (and no network affinity). */
  readonly limits: FitLimits | null
  readonly holders?: Holders
  /**
   * Set where each node accounts for ordinary and huge pages apart: ordinary memory that the host as a whole has left, in
   * MiB. Left out, memory is accounted for as Nova does.
   */
  readonly ordinaryRoomMib?: number | undefined
  /** A no comes without its reasons. */
  readonly onlyWhether?: true | undefined
  /** Pairs that reasons outside the topology rule out, such as a cell whose provider keeps too little for guests. */
  readonly bars?: (guestCell: GuestCell, hostCell: number) => boolean
}

/** The units one request (PCI, vGPU or vPMEM, in the demand's order) was given. */
export interface GivenUnits {
  readonly requestId: string
  readonly units: readonly UnitName[]
}

export type Fit =
  | { readonly ok: true; readonly cells: readonly PlacedCell[]; readonly devices: readonly GivenUnits[] }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }
