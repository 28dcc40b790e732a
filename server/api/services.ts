import type { Logger } from 'pino'
import type { Auth } from '../auth/auth'
import type { Change, Committed } from '../engine/books'
import type { DemandOptions } from '../engine/demand'
import type { Policy } from '../engine/scheduler'
import type { HostId } from '../engine/words/ids'
import type { Projection } from '../fleet/projection'
import type { Database } from '../store/database'
import type { EventFeed } from '../store/event-feed'
import type { SimulatorFault, SimulatorHost } from './contract'
import type { ApiMetrics } from './metrics'

// What the API is given. It makes nothing of this itself: wiring.ts does, and tests do.

export interface ApiServices {
  readonly auth: Auth
  readonly database: Database
  readonly fleet: Pick<Projection, 'hosts' | 'host'>
  readonly feed: Pick<EventFeed, 'head' | 'waitForEvents'>
  /** Null when no host is driven by the simulator. */
  readonly simulator: SimulatorControls | null
  readonly commit: (change: Change) => Promise<Committed>
  /** Read at each question: an import may bring new aliases. */
  readonly rules: () => Promise<MoveRules>
  readonly metrics: ApiMetrics
  readonly log: Logger
  readonly now: () => number
  readonly newId: () => string
  readonly version: string
  /** Programs that scrape `/metrics` send it as a bearer token; null lets only sessions in. */
  readonly metricsToken: string | null
}

/** What an operator has set about moves. */
export interface MoveRules {
  readonly policy: Policy
  readonly demand: DemandOptions
  /** Null waits for a person for ever. */
  readonly confirmWindowMs: number | null
}

export interface SimulatorControls {
  fault(fault: SimulatorFault): Promise<void>
  host(id: HostId): Promise<SimulatorHost | null>
  dirtyBytesPerS(instance: string): Promise<number | null>
}
