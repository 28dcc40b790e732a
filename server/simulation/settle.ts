import { permissionsOf } from '../engine/migration/machine'
import { type LawViolation, violationAtRest } from './laws'
import { call, type LedgerCoroutine } from './ledger/ledger'
import { beginAny, judge, progressAny, type Run, stepOne } from './micro-steps'
import { type HostEvent, hostEvent } from './operator'
import { deliverLate } from './state'
import { requestActionFor } from './workload'

// The end of a run: no more faults, every host answers or is marked as lost, late driver operations arrive, waiting
// migrations are confirmed or reverted, time passes. Anything still in progress after that would never end.

const ROUNDS = 4_000 // micro-steps; quiet runs need a few hundred

export function* settle(run: Run): LedgerCoroutine<LawViolation | null> {
  for (let round = 0; round < ROUNDS; round++) {
    const broken = (yield* calm(run)) ?? (yield* carryOn(run))
    if (broken !== null) return broken
    if (yield* isQuiet(run)) return yield* lastCheck(run)
  }
  return (
    violationAtRest(yield* call('snapshot', {}), run.state.simulatedMachines) ?? {
      law: 'everything in progress ends',
      what: 'something has not',
    }
  )
}

/** Events that end every wait: silent hosts answer, fenced hosts return and are cleaned up. Lost hosts stay lost. */
const CALMING: readonly HostEvent[] = ['answer-again', 'reboot', 'mark-up', 'return', 'clean']

function* calm(run: Run): LedgerCoroutine<LawViolation | null> {
  const { state } = run
  if (run.microSteps % 7 !== 0) return null
  const hosts = yield* call('hosts', {})
  const host = state.chance.pick(hosts)!
  for (const event of CALMING) {
    if (!(yield* hostEvent(state, event, host))) continue
    run.trace(`${host.name}: ${event}`)
    return yield* judge(run)
  }
  return null
}

function* carryOn(run: Run): LedgerCoroutine<LawViolation | null> {
  const { state } = run
  state.now += 50
  const ticks = run.conductors.flatMap((conductor) => conductor.ticks.map((live) => ({ conductor, live })))
  const picked = state.chance.pick(ticks)
  if (state.late.length > 0 && state.chance.permille(100)) run.trace(`late: ${deliverLate(state)?.name}`)
  else if (picked !== undefined && !state.chance.permille(150)) {
    yield* stepOne(run, picked, false)
  } else if (state.simulatedMachines.jobs.size > 0 && state.chance.permille(600)) progressAny(run)
  else if (!(yield* beginAny(run))) yield* wait(run)
  return yield* judge(run)
}

/** Nothing is due: confirms or reverts a migration, or advances time. */
function* wait(run: Run): LedgerCoroutine<void> {
  const { state } = run
  const { migrations } = yield* call('snapshot', {})
  const undecided = migrations.find((each) => each.step === 'verify' && each.requestedAction === null)
  if (undecided === undefined || state.chance.permille(300)) {
    state.now += 5_000
    return
  }
  const open = permissionsOf(undecided).filter((each) => each.allowed)
  run.trace(yield* requestActionFor(state, undecided, state.chance.pick(open)!.requestedAction))
}

function* isQuiet(run: Run): LedgerCoroutine<boolean> {
  const { state } = run
  if (state.late.length > 0 || run.conductors.some((conductor) => conductor.ticks.length > 0)) return false
  const { migrations, instances, hosts } = yield* call('snapshot', {})
  const moving = migrations.some((each) => each.step !== 'ended')
  const young = instances.some(({ vmState }) => vmState === 'building' || vmState === 'deleting')
  const unclean = hosts.some(
    ({ status, scheduling }) =>
      status === 'down' || status === 'fenced' || (scheduling === 'quarantined' && status === 'up'),
  )
  return !moving && !young && !unclean
}

function* lastCheck(run: Run): LedgerCoroutine<LawViolation | null> {
  for (const event of [...CALMING, 'recover'] as const) {
    for (const host of yield* call('hosts', {})) yield* hostEvent(run.state, event, host)
  }
  return yield* judge(run)
}
