import type { ConsumerId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import type { UnitName } from '../words/units'
import type { AnyDeviceRequest } from './device/devices'
import type { FitLimits, GuestNode, GuestTopology, PlacedNode } from './guest-topology'
import type { PreparedHost } from './prepared'

// Input and output of a fit. A claim, the explain matrix, the drain plan and the scheduler share the input (I7), so
// these types are separate from the search.

/**
 * NUMA nodes and devices that one instance needs on one host. `topology` null: no NUMA topology, so no affinity policy
 * applies.
 */
export interface FitDemand {
  readonly topology: GuestTopology | null
  readonly devices: readonly AnyDeviceRequest[]
}

/** `pages 2048`: pages of this many KiB. */
export type NodeAmount = 'memory' | 'ordinary' | 'shared-cpus' | `pages ${number}`

/** Holders, computed only for a refusal. Both functions return the largest holders first; empty when none is known. */
export interface Holders {
  readonly ofUnit: (unit: UnitName) => readonly ConsumerId[]
  readonly ofNode: (hostCell: number, amount: NodeAmount) => readonly ConsumerId[]
}

export interface FitInput {
  readonly host: PreparedHost
  readonly demand: FitDemand
  /** Null: no ratios are applied (and no network affinity). */
  readonly limits: FitLimits | null
  readonly holders?: Holders
  /**
   * Set when each node accounts for ordinary and huge pages separately: ordinary memory that the host as a whole has
   * left, in MiB. Omitted: memory is accounted for as in Nova.
   */
  readonly ordinaryRoomMib?: number | undefined
  /** A refusal without reasons. */
  readonly verdictOnly?: true | undefined
  /**
   * Pairs excluded for reasons outside the topology, such as a NUMA node whose provider has too little for instances.
   */
  readonly bars?: (guestCell: GuestNode, hostCell: number) => boolean
}

/** The units given to one request (PCI, vGPU or vPMEM, in the demand's order). */
export interface GivenUnits {
  readonly requestId: string
  readonly units: readonly UnitName[]
}

export type Fit =
  | { readonly ok: true; readonly cells: readonly PlacedNode[]; readonly devices: readonly GivenUnits[] }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }
