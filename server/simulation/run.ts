import { DEFAULT_OPTIONS, type TurnOptions } from '../conductor/options'
import type { Operation, Outcome } from '../engine/migration/state'
import type { GroupId } from '../engine/words/ids'
import { Chance } from './chance'
import { type Conductor, type LiveTurn, type Meddler, startLifecycle, startMove, stepTurn } from './conductors'
import { drawnFaults, type FaultSource } from './faults'
import { DEMAND_OPTIONS, fleetOf, idOf } from './hardware'
import { atRest, type Broken, Laws } from './laws'
import { type Asking, call, type Ledger, runOn } from './ledger'
import { MachineRoom } from './machine-room'
import { type GroupRow, MemoryLedger } from './memory-ledger'
import { HOST_EVENTS, hostEvent } from './operator'
import { settle } from './settle'
import { DEEDS, deed, type Wishful } from './workload'
import { arriveLate, newWorld, type World } from './world'

// One seed is one whole run: a fleet, people, conductors, faults, and the laws checked after every micro-step. Then
// the faults stop, truths are stated, time passes, and everything must have come to its end.

export interface Run {
  readonly world: World
  readonly laws: Laws
  readonly conductors: readonly Conductor[]
  readonly wishful: Wishful
  readonly meddler: Meddler
  readonly faults: FaultSource
  readonly counts: Map<string, number>
  readonly trace: (line: string) => void
  microSteps: number
}

export interface Report {
  readonly seed: number
  readonly microSteps: number
  readonly audits: number
  readonly moves: readonly { readonly operation: Operation; readonly outcome: Outcome | null }[]
  /** Faults and host events by kind. */
  readonly faults: Readonly<Record<string, number>>
  readonly broken: (Broken & { readonly microStep: number }) | null
}

/** Breaks a law on purpose; see `mutants.ts`. */
export interface Mutation extends Meddler {
  readonly ledger?: (ledger: MemoryLedger) => Ledger
}

export interface SeedOptions {
  readonly mutation?: Mutation
  readonly trace?: (line: string) => void
}

export function runSeed(seed: number, { mutation = {}, trace }: SeedOptions = {}): Report {
  const plan = planOf(seed)
  const books = new MemoryLedger(plan.hosts, plan.groups)
  return runOn(mutation.ledger?.(books) ?? books, simulate(seed, { mutation, trace }))
}

/** What the seed says of the fleet; a ledger elsewhere is filled with it first. */
export function planOf(seed: number) {
  const chance = new Chance(seed)
  const hosts = fleetOf({ hosts: 3 + chance.below(2), nested: chance.permille(400) })
  const group = chance.permille(400) ? (idOf(6, 1) as GroupId) : null
  const groups: readonly GroupRow[] =
    group === null ? [] : [{ id: group, policy: 'anti-affinity', maxPerHost: 1, generation: 0 }]
  return { hosts, groups, group }
}

export function* simulate(seed: number, { mutation = {}, trace }: SeedOptions = {}): Asking<Report> {
  const run = newRun(seed, mutation, trace ?? (() => {}))
  const length = 150 + run.world.chance.below(250)
  let broken: Broken | null = null
  while (broken === null && run.microSteps < length) broken = yield* microStep(run)
  broken ??= yield* settle(run)
  if (broken === null) broken = atRest(yield* call('snapshot', {}), run.world.room)
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

const OPTIONS: TurnOptions = {
  ...DEFAULT_OPTIONS,
  leaseMs: 8_000,
  limits: { perSource: 2, perTarget: 2, fleet: 3 },
  demand: DEMAND_OPTIONS,
}

function newRun(seed: number, meddler: Meddler, trace: (line: string) => void): Run {
  const { hosts, group } = planOf(seed)
  const chance = new Chance(seed ^ 0x5bd1e995)
  const world = newWorld(new MachineRoom(hosts.map((host) => host.id)), chance)
  const conductors = ['north', 'south', 'third'].slice(0, 2 + chance.below(2)).map((name) => ({ name, turns: [] }))
  return {
    world,
    laws: new Laws(OPTIONS),
    conductors,
    wishful: { world, options: OPTIONS, maxInstances: 3 + chance.below(4), group },
    meddler,
    faults: drawnFaults(chance, 20 + chance.below(160)),
    counts: new Map(),
    trace,
    microSteps: 0,
  }
}

const DOINGS = { turn: 66, begin: 12, deed: 7, job: 9, host: 3, time: 3, late: 1 } as const

function* microStep(run: Run): Asking<Broken | null> {
  const { world } = run
  world.now += world.chance.below(120)
  switch (world.chance.weighted(DOINGS)) {
    case 'turn':
      yield* stepAny(run)
      break
    case 'begin':
      yield* beginAny(run)
      break
    case 'deed':
      run.trace(yield* deed(run.wishful, world.chance.weighted(DEEDS)))
      break
    case 'job':
      progressAny(run)
      break
    case 'host':
      yield* befall(run)
      break
    case 'time':
      world.now += 2_000 + world.chance.below(20_000)
      break
    case 'late':
      if (world.late.length > 0) run.trace(`late: ${arriveLate(world)?.name}`)
      break
  }
  return yield* judge(run)
}

export function* judge(run: Run): Asking<Broken | null> {
  run.microSteps += 1
  return run.laws.check(yield* call('snapshot', {}), run.world.room)
}

export function progressAny({ world, trace }: Run): void {
  const job = world.chance.pick([...world.room.jobs.values()])
  if (job === undefined) return
  world.room.progress(job)
  trace(`job of ${job.migration}: ${job.left} left`)
}

function* befall(run: Run): Asking<void> {
  const { world } = run
  const host = world.chance.pick(yield* call('hosts', {}))!
  const event = world.chance.weighted(HOST_EVENTS)
  if (!(yield* hostEvent(world, event, host))) return
  count(run, event)
  run.trace(`${host.name}: ${event}`)
}

const count = ({ counts }: Run, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

/** Some conductor begins a turn of something that is due. Leases decide whether it may. */
export function* beginAny(run: Run): Asking<boolean> {
  const { world } = run
  const { migrations, instances } = yield* call('snapshot', {})
  const conductor = world.chance.pick(run.conductors)!
  const due = migrations.filter((each) => each.step !== 'ended' && each.nextAt <= world.now)
  const young = instances.filter(({ vmState }) => vmState === 'building' || vmState === 'deleting')
  const pick = world.chance.below(due.length + young.length)
  const move = due[pick]
  const instance = young[pick - due.length]
  if (move !== undefined) startMove(conductor, move.id, OPTIONS)
  else if (instance !== undefined) startLifecycle(conductor, instance.id)
  else return false
  return true
}

function* stepAny(run: Run): Asking<void> {
  const { world } = run
  const awake = run.conductors.flatMap((conductor) =>
    conductor.turns.filter((each) => each.frozenUntil <= run.microSteps).map((live) => ({ conductor, live })),
  )
  const picked = world.chance.pick(awake)
  if (picked === undefined) return
  // It stands still with its answer in hand, as a process does that is paused; others take its lease meanwhile.
  if (world.chance.permille(25)) {
    picked.live.frozenUntil = run.microSteps + 10 + world.chance.below(80)
    world.now += world.chance.permille(500) ? OPTIONS.leaseMs : 0
    count(run, 'paused')
    return
  }
  yield* stepOne(run, picked.conductor, picked.live, true)
}

export function* stepOne(run: Run, conductor: Conductor, live: LiveTurn, faulty: boolean): Asking<void> {
  const { world, meddler } = run
  const { name } = live.pending
  const fault = faulty ? run.faults(name) : null
  if (fault !== null) count(run, fault)
  run.trace(`${conductor.name} ${live.about}: ${name}${fault === null ? '' : ` (${fault})`}`)
  yield* stepTurn({ world, conductor, live, fault, meddler })
}
