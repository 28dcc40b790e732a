import type { Logger } from 'pino'
import type { AuditService } from '../audit/auditing'
import type { HealService } from '../audit/healing'
import type { SnapshotCache } from '../audit/memory'
import type { Auth } from '../auth/auth'
import type { Change, ChangeResult } from '../engine/change'
import type { DemandOptions } from '../engine/demand'
import type { MigrationLimits } from '../engine/drain/plan'
import type { HealthCheck, HealthFacts } from '../engine/health/checks'
import type { Policy } from '../engine/scheduler'
import type { HostId } from '../engine/words/ids'
import type { ProviderForest } from '../fleet/candidates-forest'
import type { Projection } from '../fleet/projection'
import type { Channel } from '../store/alarm/delivery'
import type { Database } from '../store/database/database'
import type { PastReads } from '../store/database/replica'
import type { EventFeed } from '../store/event/feed'
import type { PlanDrain } from '../store/run/plan'
import type { Clouds } from './cloud/clouds'
import type { HostConnections } from './connection/connections'
import type { FencingService } from './fencing/service'
import type { Limits } from './limits/limits'
import type { ApiMetrics } from './metrics/metrics'
import type { TransferControl } from './migration/transfer-limits'
import type { PlacementApi } from './placement/opened'
import type { SimulatorControls } from './simulator/controls'

// Dependencies of the API, created by wiring.ts or by tests.

export interface ApiServices extends Limits {
  readonly auth: Auth
  readonly database: Database
  /** For long reads of the past, which no decision relies on. */
  readonly past: PastReads
  readonly fleet: Pick<Projection, 'hosts' | 'hostsAhead' | 'host' | 'aheadAt' | 'settled'>
  /** All provider trees, those without a host of Berth too. */
  readonly forest: Pick<ProviderForest, 'caughtUp'>
  readonly feed: Pick<EventFeed, 'head' | 'waitForEvents'>
  /** Null when no host is driven by the simulator. */
  readonly simulator: SimulatorControls | null
  readonly clouds: Clouds
  readonly connections: HostConnections
  readonly fencing: FencingService
  readonly transfers: TransferControl
  readonly commit: (change: Change) => Promise<ChangeResult>
  /** Read on every request: an import may add aliases. */
  readonly rules: () => Promise<MigrationRules>
  readonly audit: AuditServices
  readonly alarms: AlarmSender
  /** Plans drains; omitted: within the request. */
  readonly planDrain?: PlanDrain
  /** Called when a writing procedure has ended; optional. */
  readonly wrote?: () => void
  /** Names of images with a domain definition for libvirt hosts; omitted: none. */
  readonly machineImages?: () => Promise<readonly string[]>
  /** Health of the relay, the periodic tasks, the audit and the survey. */
  readonly health: HealthReader
  readonly metrics: ApiMetrics
  readonly placement: PlacementApi
  readonly log: Logger
  readonly now: () => number
  readonly newId: () => string
  readonly version: string
  /** Warnings about the settings of this process. */
  readonly startWarnings: readonly string[]
  /** Bearer token of programs that scrape `/metrics`; null admits only sessions. */
  readonly metricsToken: string | null
}

export interface AuditServices {
  readonly memory: SnapshotCache
  readonly auditing: AuditService
  readonly healing: HealService
  /** Surveys these hypervisors now, or all; resolves when the answers are stored. */
  survey(hosts?: readonly HostId[]): Promise<void>
}

/** Sends alarms, from rows that are written when alarms are raised. */
export interface AlarmSender {
  readonly open: readonly Channel[]
  /** The body of a test requested by this user. */
  testEvent(by: string): object
  /** Call when a delivery is due. */
  wake(): void
}

export interface HealthReader {
  read(): Promise<{ readonly facts: HealthFacts; readonly checks: readonly HealthCheck[] }>
}

/** What an operator has set about migrations. */
export interface MigrationRules {
  readonly policy: Policy
  readonly demand: DemandOptions
  /** Null: no limit. */
  readonly confirmWindowMs: number | null
  /** Limits of concurrent migrations; a drain plans its batches by them. If omitted, the defaults apply. */
  readonly limits?: MigrationLimits
}
