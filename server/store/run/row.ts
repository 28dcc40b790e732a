import type { DrainChoice, Fallback, RefusalCounts, RemainingInstance, RunKind } from '../../engine/drain/plan'
import type { ClaimBody } from '../../engine/host'
import type { Operation } from '../../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'

// Runs as the store returns them. prisma/schema/run.prisma explains the states.

export type RunState = 'draft' | 'running' | 'paused' | 'stopping' | 'done' | 'stopped'
export type RunMigrationState = 'planned' | 'waiting' | 'moving' | 'done' | 'failed' | 'skipped' | 'stays' | 'blocked'

/** True when a run in that state still starts or watches migrations. */
export const isActive = (state: RunState): boolean => state === 'running' || state === 'paused' || state === 'stopping'

export interface Run {
  readonly id: string
  readonly kind: RunKind
  readonly host: HostId
  readonly state: RunState
  readonly fallback: Fallback
  readonly others: boolean
  /** Parts of the fleet, such as `zone:az1`, to which the run is restricted; empty: no restriction. */
  readonly within: readonly string[]
  readonly planVersion: number
  readonly tookMs: number
  readonly replanBecause: string | null
  readonly note: string | null
  readonly who: string
  readonly request: string | null
  readonly reason: string | null
  readonly generation: number
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** The reason for the target and operation of an instance, or for its staying. */
export type RunMigrationReason =
  | {
      readonly is: 'move'
      readonly fits: number
      readonly notLive: readonly Refusal[]
      readonly refusing?: RefusalCounts | null
    }
  | { readonly is: 'left'; readonly left: RemainingInstance }

export interface RunMigration {
  readonly n: number
  readonly instance: InstanceId
  readonly name: string
  readonly from: HostId
  readonly to: HostId | null
  readonly method: Operation | 'stop' | null
  readonly helper: boolean
  readonly after: readonly number[]
  readonly wave: number
  readonly priority: number
  readonly chosen: DrainChoice | null
  readonly body: ClaimBody | null
  readonly why: RunMigrationReason
  readonly state: RunMigrationState
  readonly migration: MigrationId | null
  readonly attempts: number
  readonly note: string | null
}

export interface RunLine {
  readonly sign: '-' | '+' | '~'
  readonly instance: { readonly id: string; readonly name: string }
  readonly what: string
}

export interface RunDiff {
  readonly version: number
  readonly at: number
  readonly because: string
  readonly lines: readonly RunLine[]
}

/** A run with all its rows. */
export interface WholeRun {
  readonly run: Run
  readonly migrations: readonly RunMigration[]
}

export const RUN_JSON = `json_build_object(
  'id', r.id, 'kind', r.kind, 'host', r.host_id, 'state', r.state, 'fallback', r.fallback, 'others', r.others, 'within', r.within,
  'planVersion', r.plan_version, 'tookMs', r.took_ms, 'replanBecause', r.replan_because, 'note', r.note,
  'who', r.who, 'request', r.request, 'reason', r.reason, 'generation', r.generation,
  'createdAt', ms(r.created_at), 'startedAt', ms(r.started_at), 'endedAt', ms(r.ended_at))`

export const RUN_MIGRATION_JSON = `json_build_object(
  'n', v.n, 'instance', v.instance_id, 'name', v.instance_name, 'from', v.from_host, 'to', v.to_host,
  'method', v.method, 'helper', v.helper, 'after', v.after, 'wave', v.wave, 'priority', v.priority,
  'chosen', v.chosen, 'body', v.body, 'why', v.why, 'state', v.state, 'migration', v.migration_id,
  'attempts', v.attempts, 'note', v.note)`
