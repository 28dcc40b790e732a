import type {
  Answer,
  BuildOrder,
  DestroyOrder,
  DomainStates,
  DriverOperation,
  PowerAnswer,
  PowerOrder,
  TransferAnswer,
} from '../drivers/driver'
import type { Change, ChangeResult, Instance } from '../engine/change'
import type { Group } from '../engine/demand'
import type { Host } from '../engine/host'
import type { Migration, Side } from '../engine/migration/state'
import type { Disproof } from '../engine/proof/disproof'
import type { ConsumerClaim } from '../engine/proof/migration'
import type { Proposition } from '../engine/proof/proposition'
import type { ClaimId, GroupId, HostId, InstanceId, MigrationId } from '../engine/words/ids'

// The effects of a tick. A tick is a generator of these, so that the server runs it with real waits while the
// simulation interleaves, loses and kills it between any two of them: one code, two interpreters.

/** Everything a tick decides on, read in one round trip. */
export interface MigrationView {
  readonly migration: Migration
  readonly instance: Instance
  /** Present holdings of each consumer of the migration. */
  readonly heldByInstance: readonly ConsumerClaim[]
  readonly heldByMigration: readonly ConsumerClaim[]
  /** Decided on; they may include this server's pending changes, which the commit checks. */
  readonly source: Host | null
  readonly target: Host | null
  /** The same hosts as committed: hosts are never asked for anything that rests on a pending change. */
  readonly committed: Readonly<Record<Side, Host | null>>
  readonly group: Group | null
}

/** One instance with the host it is on and what it holds, read in one round trip. */
export interface InstanceView {
  readonly instance: Instance
  readonly host: Host | null
  readonly held: readonly ConsumerClaim[]
  readonly activeMigration: MigrationId | null
}

/** Migrations in flight, without queued ones, for the limits. */
export interface InFlight {
  readonly fleet: number
  readonly bySource: ReadonlyMap<HostId, number>
  readonly byTarget: ReadonlyMap<HostId, number>
  /** Migrations that were accepted earlier and also wait for a slot. */
  readonly queuedBefore: number
}

export interface CandidateRequest {
  readonly migration: MigrationId
  readonly source: HostId | null
  readonly target: HostId
}

export interface Candidate {
  readonly source: Host | null
  readonly target: Host | null
  readonly inFlight: InFlight
}

export interface Effects {
  /** Takes the lease and raises the fence in one write (L7); null when another driver holds it. */
  lease: {
    ask: { readonly migration: MigrationId; readonly owner: string; readonly ttlMs: number }
    answer: { readonly fence: number } | null
  }
  view: { ask: { readonly migration: MigrationId }; answer: MigrationView | null }
  /** Snapshots of all hosts, possibly stale: the guards of the commit find out. */
  hosts: { ask: Record<never, never>; answer: readonly Host[] }
  /** One host, fresh from the tables. */
  host: { ask: { readonly host: HostId }; answer: Host | null }
  /**
   * The current target, with the source and the slots in use. No slot taken before these snapshots is missing: taking
   * one later raises a generation that the plan relies on.
   */
  candidate: { ask: CandidateRequest; answer: Candidate }
  group: { ask: { readonly group: GroupId; readonly without: InstanceId }; answer: Group | null }
  inFlight: { ask: { readonly migration: MigrationId }; answer: InFlight }
  /** Why nothing may be done, or null. The answer needs no effect; it is one so that a test can skip the proof. */
  proof: { ask: { readonly of: Proposition }; answer: Disproof | null }
  commit: { ask: { readonly change: Change }; answer: ChangeResult }
  prepare: { ask: { readonly driverOperation: DriverOperation }; answer: Answer }
  transfer: { ask: { readonly driverOperation: DriverOperation }; answer: TransferAnswer }
  stopTransfer: { ask: { readonly driverOperation: DriverOperation }; answer: Answer }
  forceTransfer: { ask: { readonly driverOperation: DriverOperation }; answer: Answer }
  locate: { ask: { readonly driverOperation: DriverOperation }; answer: DomainStates }
  runAt: { ask: { readonly driverOperation: DriverOperation; readonly side: 'source' | 'target' }; answer: Answer }
  clean: { ask: { readonly driverOperation: DriverOperation; readonly side: 'source' | 'target' }; answer: Answer }
  /** For building and deleting; null when there is no such instance. */
  instance: { ask: { readonly instance: InstanceId }; answer: InstanceView | null }
  build: { ask: { readonly order: BuildOrder }; answer: Answer }
  destroy: { ask: { readonly order: DestroyOrder }; answer: Answer }
  power: { ask: { readonly order: PowerOrder }; answer: PowerAnswer }
  /** Surveys one host now, so that screens show the result. Nothing depends on it. */
  observe: { ask: { readonly host: HostId }; answer: null }
  /** New ids come from outside, like time and randomness. */
  newClaimId: { ask: Record<never, never>; answer: ClaimId }
  now: { ask: Record<never, never>; answer: number }
}

export type EffectName = keyof Effects
export type Effect = { [K in EffectName]: { readonly name: K; readonly ask: Effects[K]['ask'] } }[EffectName]

/** Yields one effect and returns its typed answer: `const now = yield* ask('now', {})`. */
export function* ask<K extends EffectName>(
  name: K,
  question: Effects[K]['ask'],
): Generator<Effect, Effects[K]['answer'], unknown> {
  return (yield { name, ask: question } as Effect) as Effects[K]['answer']
}

/** One tick of one migration: lease, read, act, commit. Ends on its own; never throws for external failures. */
export type Tick = Generator<Effect, TickResult, unknown>

export const NEVER = Number.POSITIVE_INFINITY

export interface TickResult {
  /** When to tick again, ms since the epoch; `NEVER` when it has ended; null when it is not ours. */
  readonly nextAt: number | null
}
