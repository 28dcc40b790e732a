import type { DemandOptions } from '../engine/demand'
import { USUAL_LIMITS } from '../engine/drain/ask'
import { type Policy, USUAL_POLICY } from '../engine/scheduler'
import type { HostId } from '../engine/words/ids'

// What an operator may set about how moves are carried. Plain values: `wiring.ts` reads them from the environment.

/** Moves that may be in flight at once; what is over waits in the queue of `claim` and shows its place. */
export interface Limits {
  readonly perSource: number
  readonly perTarget: number
  readonly fleet: number
}

export interface TurnOptions {
  /** How long nobody else drives a migration after its driver fell silent. */
  readonly leaseMs: number
  readonly limits: Limits
  readonly policy: Policy
  /** The fleet's tables that a flavor refers to: PCI aliases, vGPU classes, isolated aggregates. */
  readonly demand: DemandOptions
  /** Acts in one turn; more only saves leases, less hears other migrations sooner. */
  readonly maxActs: number
  /** Hosts that would let a move wait: they are asked after all others that fit. */
  readonly silent?: ReadonlySet<HostId>
}

/**
 * Turns under way at once in one server. Most of a turn is waiting for a host or for the tables, and what turns ask of the
 * tables at the same time is asked together: more of them make larger batches, not more connections.
 */
export const TURNS_AT_ONCE = 64

export const DEFAULT_OPTIONS: TurnOptions = {
  leaseMs: 10_000, // after a crash a move goes on within 15 s (S12), the next look included
  limits: USUAL_LIMITS,
  policy: USUAL_POLICY,
  demand: {},
  maxActs: 16,
}
