import type { Change, Conflict } from '../engine/change'
import { changeOf } from '../engine/migration/changes'
import { advance, isDue } from '../engine/migration/machine'
import type { Migration } from '../engine/migration/state'
import type { MigrationRecords } from '../engine/proof/migration'
import type { MigrationId } from '../engine/words/ids'
import { isReadable } from '../engine/words/unreadable'
import { type ActionGenerator, actionOf, report, type StepAction } from './actions'
import { ask, type Effect, type MigrationView, NEVER, type Tick, type TickResult } from './effects'
import type { TickOptions } from './options'

// One tick of one migration: acquire the lease, read the records, let the engine choose the action, run it, commit the
// result. There is no recovery code: after a crash the next tick does all of this again, and every operation is
// idempotent (L4).

/** The owner, and its rules. */
export interface TickOwner {
  readonly owner: string
  readonly options: TickOptions
}

export function* migrationTick(migration: MigrationId, owner: string, options: TickOptions): Tick {
  const lease = yield* ask('lease', { migration, owner, ttlMs: options.leaseMs })
  if (lease === null) return NOT_OURS
  let races = 0
  for (let acts = 0; acts < options.maxActions; acts++) {
    const view = yield* ask('view', { migration })
    if (view === null || view.migration.step === 'ended' || view.migration.fence !== lease.fence) return NOT_OURS
    const now = yield* ask('now', {})
    if (!isSound(view)) return NOT_OURS
    if (!isDue(view.migration, now)) return { nextAt: view.migration.nextAt }
    const act = yield* checkedAction(view, races, options)
    const came = yield* conclude(view, act, { owner, options })
    if (came.did === 'ended') return came.result
    races = came.did === 'raced' && view.migration.step === 'claim' ? races + 1 : 0
  }
  return { nextAt: yield* ask('now', {}) }
}

/** For a migration that the records contradict, nothing is sent to a host and nothing is written. */
function* checkedAction(view: MigrationView, races: number, options: TickOptions): ActionGenerator {
  const broken = yield* ask('proof', { of: { is: 'migration', records: recordsOf(view) } })
  if (broken !== null) return report({ is: 'disproved', ...broken })
  return races < MAX_RACES ? yield* actionOf(view, options) : lostRaces(view)
}

function recordsOf({ source, target, ...view }: MigrationView): MigrationRecords {
  return { ...view, nameOf: (id) => [source, target].find((host) => host?.id === id)?.name ?? id }
}

const NOT_OURS: TickResult = { nextAt: null }

/**
 * Nothing is done while a record that it depends on is unreadable: the audit reports it, and an operator repairs it.
 */
const isSound = ({ migration, instance, source, target }: MigrationView): boolean =>
  [migration, instance, source, target].every(isReadable)

// A lost race means that another writer made progress, so an immediate retry is right. Retries are bounded, because the
// lease is held meanwhile.
const MAX_RACES = 3

const lostRaces = (view: MigrationView): StepAction =>
  report({ is: 'lost-race', tried: view.migration.tried, why: 'other claims came first' })

type ConcludeResult =
  | { readonly did: 'committed' }
  /** Another write came first: nothing was written, read again. */
  | { readonly did: 'raced' }
  | { readonly did: 'ended'; readonly result: TickResult }

const endedWith = (nextAt: number | null): ConcludeResult => ({ did: 'ended', result: { nextAt } })

function* conclude(
  before: MigrationView,
  act: StepAction,
  carrier: TickOwner,
): Generator<Effect, ConcludeResult, unknown> {
  const now = yield* ask('now', {})
  if (act.kind === 'nothing') return endedWith(Math.max(before.migration.nextAt, now + 1))
  const view = act.view ?? before
  const after = advance(view.migration, act.fact, now)
  if (after === view.migration) return endedWith(now + 1)
  const committed = yield* ask('commit', { change: changeFor(view, act, { after, carrier, now }) })
  if (!committed.ok && committed.conflict.on === 'law') return yield* parked(view, committed.conflict, { carrier, now })
  if (!committed.ok) return committed.conflict.on === 'fence' ? endedWith(null) : { did: 'raced' }
  return after.step === 'ended' ? endedWith(NEVER) : { did: 'committed' }
}

/** The rows changed between the view and the write. */
function* parked(
  view: MigrationView,
  { expected, found }: Conflict,
  by: Omit<TickDecision, 'after'>,
): Generator<Effect, ConcludeResult, unknown> {
  const fact = { is: 'disproved', law: 'claims', why: `expected ${expected}, found ${found}` } as const
  const act = { kind: 'fact', fact, claim: null } as const
  const after = advance(view.migration, fact, by.now)
  const committed = yield* ask('commit', { change: changeFor(view, act, { ...by, after }) })
  return committed.ok ? endedWith(after.nextAt) : { did: 'raced' }
}

interface TickDecision {
  readonly after: Migration
  readonly carrier: TickOwner
  readonly now: number
}

function changeFor(view: MigrationView, act: Extract<StepAction, { kind: 'fact' }>, decided: TickDecision): Change {
  const { after, carrier, now } = decided
  return changeOf({
    records: view,
    after,
    claim: act.claim,
    fence: view.migration.fence,
    fleetLimit: carrier.options.limits.fleet,
    actor: { who: `conductor ${carrier.owner}`, request: null, reason: null },
    at: now,
  })
}
