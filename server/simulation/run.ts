import type { GroupRow } from '../engine/ledger/ledger'
import type { Operation, Outcome } from '../engine/migration/state'
import type { GroupId } from '../engine/words/ids'
import { Chance } from './chance'
import type { EffectOverrides } from './conductors'
import { drawnFaults } from './faults'
import { fleetOf, idOf } from './hardware'
import { Laws, type LawViolation, violationAtRest } from './laws'
import { MemoryLedger } from './ledger/in-memory'
import { call, type LedgerCoroutine, runOn } from './ledger/ledger'
import type { MachineDriver } from './machine-driver'
import { beginAny, injectHostEvent, judge, OPTIONS, progressAny, type Run, stepAny } from './micro-steps'
import { settle } from './settle'
import { SimulatedMachines } from './simulated-machines'
import { deliverLate, newSimulationState } from './state'
import { WORKLOAD_ACTIONS, workloadAction } from './workload'

// One seed is one whole run: a fleet, users, conductors and faults, with the laws checked after every micro-step. Then
// the faults stop, statuses are set, time passes, and everything must finish.

export interface Report {
  readonly seed: number
  readonly microSteps: number
  readonly audits: number
  readonly moves: readonly { readonly operation: Operation; readonly outcome: Outcome | null }[]
  /** Faults and host events by kind. */
  readonly faults: Readonly<Record<string, number>>
  readonly broken: (LawViolation & { readonly microStep: number }) | null
}

/** Breaks a law on purpose; see `mutants.ts`. */
export interface Mutation extends EffectOverrides {
  readonly ledger?: typeof MemoryLedger
  readonly driver?: (driver: MachineDriver, simulatedMachines: SimulatedMachines) => MachineDriver
}

export interface SeedOptions {
  readonly mutation?: Mutation
  readonly trace?: (line: string) => void
}

export function runSeed(seed: number, { mutation = {}, trace }: SeedOptions = {}): Report {
  const plan = planOf(seed)
  const ledger = new (mutation.ledger ?? MemoryLedger)(plan.hosts, plan.groups)
  return runOn(ledger, simulate(seed, { mutation, trace }))
}

/** The fleet of a seed, for filling another ledger before the run. */
export function planOf(seed: number) {
  const chance = new Chance(seed)
  const hosts = fleetOf({ hosts: 3 + chance.below(2), nested: chance.permille(400) })
  const group = chance.permille(400) ? (idOf(6, 1) as GroupId) : null
  const groups: readonly GroupRow[] =
    group === null ? [] : [{ id: group, policy: 'anti-affinity', maxPerHost: 1, generation: 0 }]
  return { hosts, groups, group }
}

export function* simulate(seed: number, { mutation = {}, trace }: SeedOptions = {}): LedgerCoroutine<Report> {
  const run = newRun(seed, mutation, trace ?? (() => {}))
  const length = 200 + run.state.chance.below(500)
  let broken: LawViolation | null = null
  while (broken === null && run.microSteps < length) broken = yield* microStep(run)
  broken ??= yield* settle(run)
  if (broken === null) broken = violationAtRest(yield* call('snapshot', {}), run.state.simulatedMachines)
  const { migrations } = yield* call('snapshot', {})
  return {
    seed,
    microSteps: run.microSteps,
    audits: run.laws.audits,
    moves: migrations.map(({ operation, outcome }) => ({ operation, outcome })),
    faults: Object.fromEntries(run.counts),
    broken: broken && { ...broken, microStep: run.microSteps },
  }
}

export function newRun(seed: number, mutation: Mutation, trace: (line: string) => void): Run {
  const { hosts, group } = planOf(seed)
  const chance = new Chance(seed ^ 0x5bd1e995)
  const simulatedMachines = new SimulatedMachines(hosts.map((host) => host.id))
  const state = newSimulationState(simulatedMachines, chance, mutation.driver)
  const conductors = ['north', 'south', 'third'].slice(0, 2 + chance.below(2)).map((name) => ({ name, ticks: [] }))
  return {
    state,
    laws: new Laws(OPTIONS),
    conductors,
    workload: { state, options: OPTIONS, maxInstances: 3 + chance.below(4), group },
    overrides: mutation,
    faults: drawnFaults(chance, 20 + chance.below(160)),
    counts: new Map(),
    trace,
    microSteps: 0,
  }
}

const ACTION_WEIGHTS = { tick: 64, begin: 12, action: 7, job: 9, host: 6, time: 3, late: 1 } as const

export function* microStep(run: Run): LedgerCoroutine<LawViolation | null> {
  const { state } = run
  state.now += state.chance.below(120)
  switch (state.chance.weighted(ACTION_WEIGHTS)) {
    case 'tick':
      yield* stepAny(run)
      break
    case 'begin':
      yield* beginAny(run)
      break
    case 'action':
      run.trace(yield* workloadAction(run.workload, state.chance.weighted(WORKLOAD_ACTIONS)))
      break
    case 'job':
      progressAny(run)
      break
    case 'host':
      yield* injectHostEvent(run)
      break
    case 'time':
      state.now += 2_000 + state.chance.below(20_000)
      break
    case 'late':
      if (state.late.length > 0) run.trace(`late: ${deliverLate(state)?.name}`)
      break
  }
  return yield* judge(run)
}
