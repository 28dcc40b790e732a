import type { Effect, Tick } from '../conductor/effects'
import { lifecycleTick } from '../conductor/lifecycle-tick'
import type { TickOptions } from '../conductor/options'
import { migrationTick } from '../conductor/tick'
import type { InstanceId, MigrationId } from '../engine/words/ids'
import type { Fault } from './faults'
import type { LedgerCoroutine } from './ledger/ledger'
import { perform, type SimulationState } from './state'

// Conductors that run, freeze in the middle of a tick, and die. A dead conductor leaves only its lease; when that
// expires, the next tick of any conductor takes over.

export interface LiveTick {
  readonly tick: Tick
  readonly about: MigrationId | InstanceId
  pending: Effect
  /** The micro-step until which it is frozen; its lease may expire and another conductor take over. */
  frozenUntil: number
}

export interface Conductor {
  readonly name: string
  ticks: LiveTick[]
}

/** Changes effects and answers between ticks and `state`. Used only by the mutation check; see `mutants.ts`. */
export interface EffectOverrides {
  readonly effect?: (effect: Effect) => Effect
  readonly answer?: (effect: Effect, answer: unknown) => unknown
}

export function startMigration(conductor: Conductor, migration: MigrationId, options: TickOptions): void {
  begin(conductor, migrationTick(migration, conductor.name, options), migration)
}

export function startLifecycle(conductor: Conductor, instance: InstanceId): void {
  begin(conductor, lifecycleTick(instance, conductor.name), instance)
}

function begin(conductor: Conductor, tick: Tick, about: LiveTick['about']): void {
  const first = tick.next()
  if (!first.done) conductor.ticks.push({ tick, about, pending: first.value, frozenUntil: 0 })
}

export interface StepInput {
  readonly state: SimulationState
  readonly conductor: Conductor
  readonly live: LiveTick
  readonly fault: Fault | null
  readonly overrides: EffectOverrides
}

/** Applies one effect of one tick, with any fault on the way. */
export function* stepTick({ state, conductor, live, fault, overrides }: StepInput): LedgerCoroutine<void> {
  const effect = overrides.effect?.(live.pending) ?? live.pending
  if (fault === 'crash-before' || fault === 'crash-and-late') {
    conductor.ticks = []
    if (fault === 'crash-and-late') state.late.push(effect)
    return
  }
  const answer = yield* perform(state, effect, fault)
  if (fault === 'crash-after') {
    conductor.ticks = []
    return
  }
  const delivered = overrides.answer === undefined ? answer : overrides.answer(effect, answer)
  yield* goOn({ state, conductor, live, overrides }, delivered)
}

// Answered within the same micro-step: nothing observable can happen between the request and the answer.
const AT_ONCE: readonly Effect['name'][] = ['now', 'newClaimId', 'proof']
type ResumeInput = Pick<StepInput, 'state' | 'conductor' | 'live' | 'overrides'>

function* goOn({ state, conductor, live, overrides }: ResumeInput, delivered: unknown): LedgerCoroutine<void> {
  let next = live.tick.next(delivered)
  while (!next.done && AT_ONCE.includes(next.value.name)) {
    const answer = yield* perform(state, next.value, null)
    next = live.tick.next(overrides.answer === undefined ? answer : overrides.answer(next.value, answer))
  }
  if (next.done) conductor.ticks = conductor.ticks.filter((each) => each !== live)
  else live.pending = next.value
}
