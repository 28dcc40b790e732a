import { DEFAULT_OPTIONS, type TickOptions } from '../conductor/options'
import {
  type Conductor,
  type EffectOverrides,
  type LiveTick,
  startLifecycle,
  startMigration,
  stepTick,
} from './conductors'
import type { FaultSource } from './faults'
import { DEMAND_OPTIONS } from './hardware'
import type { Laws, LawViolation } from './laws'
import { call, type LedgerCoroutine } from './ledger/ledger'
import { HOST_EVENTS, hostEvent, isTolerable } from './operator'
import type { SimulationState } from './state'
import type { WorkloadContext } from './workload'

// What can happen in one micro-step: an effect of a tick, the start of a tick, progress of a transfer, or a host event.

export interface Run {
  readonly state: SimulationState
  readonly laws: Laws
  readonly conductors: readonly Conductor[]
  readonly workload: WorkloadContext
  readonly overrides: EffectOverrides
  readonly faults: FaultSource
  readonly counts: Map<string, number>
  readonly trace: (line: string) => void
  microSteps: number
}

export const OPTIONS: TickOptions = {
  ...DEFAULT_OPTIONS,
  leaseMs: 8_000,
  limits: { perSource: 2, perTarget: 2, fleet: 3 },
  demand: DEMAND_OPTIONS,
}

export function* judge(run: Run): LedgerCoroutine<LawViolation | null> {
  run.microSteps += 1
  return run.laws.check(yield* call('snapshot', {}), run.state.simulatedMachines)
}

export function progressAny({ state, trace }: Run): void {
  const job = state.chance.pick([...state.simulatedMachines.jobs.values()])
  if (job === undefined) return
  state.simulatedMachines.progress(job)
  trace(`transfer of ${job.migration}: ${job.left} left`)
}

export function* injectHostEvent(run: Run): LedgerCoroutine<void> {
  const { state } = run
  const host = state.chance.pick(yield* call('hosts', {}))!
  const event = state.chance.weighted(HOST_EVENTS)
  if (!isTolerable(event, state.simulatedMachines) || !(yield* hostEvent(state, event, host))) return
  count(run, event)
  run.trace(`${host.name}: ${event}`)
}

const count = ({ counts }: Run, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

/** Starts a tick for something due on a random conductor. The lease decides whether it may run. */
export function* beginAny(run: Run): LedgerCoroutine<boolean> {
  const { state } = run
  const { migrations, instances } = yield* call('snapshot', {})
  const conductor = state.chance.pick(run.conductors)!
  const due = migrations.filter((each) => each.step !== 'ended' && each.nextAt <= state.now)
  const young = instances.filter(({ vmState }) => vmState === 'building' || vmState === 'deleting')
  const pick = state.chance.below(due.length + young.length)
  const migration = due[pick]
  const instance = young[pick - due.length]
  if (migration !== undefined) startMigration(conductor, migration.id, OPTIONS)
  else if (instance !== undefined) startLifecycle(conductor, instance.id)
  else return false
  return true
}

export function* stepAny(run: Run): LedgerCoroutine<void> {
  const { state } = run
  const awake = run.conductors.flatMap((conductor) =>
    conductor.ticks.filter((each) => each.frozenUntil <= run.microSteps).map((live) => ({ conductor, live })),
  )
  const picked = state.chance.pick(awake)
  if (picked === undefined) return
  // It freezes before its next effect, as a paused process does; others may take its lease in the meantime.
  if (state.chance.permille(25)) {
    picked.live.frozenUntil = run.microSteps + 10 + state.chance.below(80)
    state.now += state.chance.permille(500) ? OPTIONS.leaseMs : 0
    count(run, 'paused')
    return
  }
  yield* stepOne(run, picked, true)
}

export interface ConductorTick {
  readonly conductor: Conductor
  readonly live: LiveTick
}

export function* stepOne(run: Run, { conductor, live }: ConductorTick, faulty: boolean): LedgerCoroutine<void> {
  const { state, overrides } = run
  const { name } = live.pending
  const fault = faulty ? run.faults(name) : null
  if (fault !== null) count(run, fault)
  run.trace(`${conductor.name} ${live.about}: ${name}${fault === null ? '' : ` (${fault})`}`)
  yield* stepTick({ state, conductor, live, fault, overrides })
}
