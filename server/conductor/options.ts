import type { DemandOptions } from '../engine/demand'
import { DEFAULT_LIMITS } from '../engine/drain/plan'
import { DEFAULT_POLICY, type Policy } from '../engine/scheduler'
import type { HostId } from '../engine/words/ids'

// Operator settings for running migrations. Plain values: `wiring.ts` reads them from the environment.

/** Maximum active migrations; the rest wait in the queue of `claim` and show their position. */
export interface Limits {
  readonly perSource: number
  readonly perTarget: number
  readonly fleet: number
}

export interface TickOptions {
  /** How long a migration stays leased to a server that stopped. */
  readonly leaseMs: number
  readonly limits: Limits
  readonly policy: Policy
  /** The fleet's tables that a flavor refers to: PCI aliases, vGPU classes, isolated aggregates. */
  readonly demand: DemandOptions
  /** Actions in one tick; more only saves leases, fewer serves other migrations sooner. */
  readonly maxActions: number
  /** Silent hosts, where a migration would wait: they rank after all others that fit. */
  readonly silentHosts?: ReadonlySet<HostId>
}

/**
 * Concurrent ticks in one server. A tick mostly waits for a host or the tables, and concurrent reads are batched: more
 * ticks make larger batches, not more connections.
 */
export const MAX_CONCURRENT_TICKS = 64

export const DEFAULT_OPTIONS: TickOptions = {
  leaseMs: 10_000, // after a crash a migration goes on within 15 s (S12), including the next poll
  limits: DEFAULT_LIMITS,
  policy: DEFAULT_POLICY,
  demand: {},
  maxActions: 16,
}
