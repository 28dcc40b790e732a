import type { Effect, EffectName, Effects } from '../conductor/effects'
import type { Answer, DomainStates } from '../drivers/driver'
import type { Conflict } from '../engine/change'
import { prove } from '../engine/proof/proposition'
import type { Chance } from './chance'
import type { Fault } from './faults'
import { idOf } from './hardware'
import { call, type LedgerCallName, type LedgerCoroutine } from './ledger/ledger'
import { type MachineDriver, machineDriver } from './machine-driver'
import type { SimulatedMachines } from './simulated-machines'

// Records, machines and clock of a simulation. Carries out the effects of a tick: reads and commits go to the ledger,
// driver operations act on the machines, faults included.

export interface SimulationState {
  readonly simulatedMachines: SimulatedMachines
  readonly driver: MachineDriver
  readonly chance: Chance
  /** Milliseconds; only the run advances it. */
  now: number
  ids: number
  /** Driver operations of dead conductors that have not arrived yet. */
  readonly late: Effect[]
}

export const newSimulationState = (
  simulatedMachines: SimulatedMachines,
  chance: Chance,
  wrap: (driver: MachineDriver, simulatedMachines: SimulatedMachines) => MachineDriver = (driver) => driver,
): SimulationState => ({
  simulatedMachines,
  driver: wrap(machineDriver(simulatedMachines, chance), simulatedMachines),
  chance,
  now: 1_000_000,
  ids: 0,
  late: [],
})

/** Ids come from one counter, so that a seed always produces the same ids. */
export function freshId<T>(state: SimulationState, kind: number): T {
  state.ids += 1
  return idOf(kind, state.ids) as T
}

/** Carries out one effect, unless the fault prevents it, and returns the answer for the tick. */
export function* perform(state: SimulationState, effect: Effect, fault: Fault | null): LedgerCoroutine<unknown> {
  if (fault === 'fail') return failureOf(effect, FAILED)
  if (fault === 'lose-question') return failureOf(effect, LOST)
  const half = fault === 'half-and-fail' || fault === 'half-and-silent'
  const answer = isLocal(effect) ? act(state, effect, half) : yield* askLedger(state, effect)
  if (fault === 'half-and-silent' || fault === 'lose-answer') return failureOf(effect, LOST)
  return answer
}

const FAILED: Answer = { did: 'failed', why: 'the host refused' }
const LOST: Answer = { did: 'no-answer', why: 'no answer in time' }
const BOTH_SILENT: DomainStates = { source: 'silent', target: 'silent' }

/** The answer for each kind of effect when it fails or gets no response. */
function failureOf(effect: Effect, answer: Answer): unknown {
  if (effect.name === 'commit') return { ok: false, conflict: OUTRUN }
  return effect.name === 'locate' ? BOTH_SILENT : answer
}

const OUTRUN: Conflict = { on: 'provider', id: '', expected: 'this generation', found: 'a newer one' }

type LocalName = Exclude<EffectName, LedgerCallName | 'lease'>
type LocalEffect = Extract<Effect, { readonly name: LocalName }>
type Local = {
  readonly [K in LocalName]: (state: SimulationState, ask: Effects[K]['ask'], half: boolean) => Effects[K]['answer']
}

const LOCAL: Local = {
  prepare: ({ driver }, { driverOperation }, half) => driver.prepare(driverOperation, { half }),
  transfer: ({ driver }, { driverOperation }, half) => driver.transfer(driverOperation, { half }),
  stopTransfer: ({ driver }, { driverOperation }, half) => driver.stopTransfer(driverOperation, { half }),
  forceTransfer: ({ driver }, { driverOperation }, half) => driver.forceTransfer(driverOperation, { half }),
  locate: ({ driver }, { driverOperation }) => driver.locate(driverOperation),
  runAt: ({ driver }, { driverOperation, side }, half) => driver.runAt(driverOperation, side, { half }),
  clean: ({ driver }, { driverOperation, side }, half) => driver.clean(driverOperation, side, { half }),
  build: ({ driver }, { order }, half) => driver.build(order, { half }),
  destroy: ({ driver }, { order }, half) => driver.destroy(order, { half }),
  power: ({ driver }, { order }, half) => driver.power(order, { half }),
  observe: () => null,
  proof: (_, { of }) => prove(of),
  newClaimId: (state) => freshId(state, 4),
  now: (state) => state.now,
}

const isLocal = (effect: Effect): effect is LocalEffect => effect.name in LOCAL

function act(state: SimulationState, { name, ask }: LocalEffect, half: boolean): unknown {
  return (LOCAL[name] as (state: SimulationState, question: typeof ask, half: boolean) => unknown)(state, ask, half)
}

function* askLedger(state: SimulationState, effect: Exclude<Effect, LocalEffect>): LedgerCoroutine<unknown> {
  if (effect.name === 'lease') return yield* call('leaseAt', { ...effect.ask, now: state.now })
  return (yield effect) as unknown
}

/** A late driver operation of a dead conductor arrives. Its result is discarded. */
export function deliverLate(state: SimulationState): Effect | null {
  const index = state.chance.below(state.late.length)
  const [effect] = state.late.splice(index, 1)
  if (effect === undefined || !isLocal(effect)) return null
  act(state, effect, false)
  return effect
}
