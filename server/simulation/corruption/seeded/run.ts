import { type Auditor, newAuditor, type Snapshot } from '../../../engine/audit'
import { demandOf } from '../../../engine/demand'
import { permissionsOf } from '../../../engine/migration/machine'
import type { HostId, InstanceId } from '../../../engine/words/ids'
import { Chance } from '../../chance'
import { startLifecycle, startMigration } from '../../conductors'
import { DEMAND_OPTIONS } from '../../hardware'
import { type LawViolation, violationAtRest } from '../../laws'
import { MemoryLedger } from '../../ledger/in-memory'
import { call, type LedgerCoroutine, runOn } from '../../ledger/ledger'
import { cleanListed } from '../../ledger/listed-leftovers'
import { OPTIONS, progressAny, type Run, stepOne } from '../../micro-steps'
import { type HostEvent, hostEvent } from '../../operator'
import { type Mutation, microStep, newRun, planOf } from '../../run'
import { deliverLate } from '../../state'
import { requestActionFor } from '../../workload'
import { type CorruptedTable, type Corruption, corrupt } from './row'

// Stops a seeded run at a random point, corrupts one row and lets the conductors continue for a fixed number of rounds.
// No domain that another row shows may be destroyed, and no instance may lose its own claim. Anything that keeps the
// run from settling must be a finding.

export interface CorruptedReport {
  readonly seed: number
  readonly table: CorruptedTable | null
  readonly what: string | null
  /** Findings right after the corruption and at the end, by kind. */
  readonly found: readonly string[]
  readonly left: readonly string[]
  readonly parked: number
  readonly broken: LawViolation | null
}

export interface CorruptedOptions {
  readonly mutation?: Mutation
  readonly trace?: (line: string) => void
}

export async function runCorrupted(seed: number, options: CorruptedOptions = {}): Promise<CorruptedReport> {
  const { mutation = {}, trace = () => {} } = options
  const plan = planOf(seed)
  const ledger = new (mutation.ledger ?? MemoryLedger)(plan.hosts, plan.groups)
  const run = newRun(seed, mutation, trace)
  const chance = new Chance(seed ^ 0x2545f491)
  for (let steps = 40 + chance.below(500); steps > 0; steps--) runOn(ledger, microStep(run))
  const corruption = corruptOnce(ledger, chance)
  if (corruption === null) return { seed, table: null, what: null, found: [], left: [], parked: 0, broken: null }
  trace(`corrupted: ${corruption.what}`)
  const auditor = auditorOf()
  const found = kindsFound(auditor, ledger, run)
  const witness = witnessOf(ledger.snapshot(), run, corruption)
  const critical = await carryOn(run, ledger, witness)
  const left = kindsFound(auditor, ledger, run)
  const snapshot = ledger.snapshot()
  return {
    ...{ seed, table: corruption.table, what: corruption.what, found, left },
    parked: snapshot.migrations.filter(({ waiting, step }) => step !== 'ended' && waiting?.for === 'repair').length,
    broken: critical ?? unnamed([...found, ...left], snapshot, run),
  }
}

function corruptOnce(ledger: MemoryLedger, chance: Chance): ReturnType<typeof corrupt> {
  let corruption: ReturnType<typeof corrupt> = null
  for (let tries = 0; corruption === null && tries < 10; tries++) {
    ledger.rewrite((rows) => {
      corruption = corrupt(rows, chance)
    })
  }
  return corruption
}

function auditorOf(): Auditor {
  return newAuditor(({ flavor, image }) => {
    const answer = demandOf(flavor, image, DEMAND_OPTIONS)
    return answer.ok ? answer.demand : null
  })
}

function kindsFound(auditor: Auditor, ledger: MemoryLedger, { state }: Run): readonly string[] {
  const leftovers = [...ledger.leftovers()].flatMap(([host, all]) => all.map((remain) => ({ host, ...remain })))
  const domains = [...state.simulatedMachines.machines.values()].flatMap(({ id: host, power, copies }) =>
    copies.flatMap(({ instance, running }) =>
      power === 'on' && running ? [{ host, instance, observedState: 'running' as const }] : [],
    ),
  )
  return auditor({ ...ledger.snapshot(), now: state.now, leftovers, domains }).map(({ kind }) => kind)
}

/** Domains and claims that the uncorrupted rows show at the time of the corruption. */
interface Witness {
  /** Instances whose domain exists on some host. */
  readonly stand: ReadonlySet<InstanceId>
  /** Instances that are the consumer of a claim. */
  readonly hold: ReadonlySet<InstanceId>
  readonly violations: number
}

function witnessOf({ hosts, instances }: Snapshot, run: Run, { instance }: Corruption): Witness {
  const sound = instances.filter(({ id, host, vmState }) => {
    return id !== instance && host !== null && vmState !== 'building' && vmState !== 'deleting'
  })
  const holders = new Set<string>(hosts.flatMap(({ holdings }) => holdings.map(({ consumer }) => consumer)))
  return {
    // If its current host is destroyed, no row shows a copy elsewhere: a migration prepared that copy before it rolled
    // back, and an evacuation rebuilds the instance.
    stand: new Set(sound.flatMap(({ id, host }) => (!isDestroyed(run, host) && stands(run, id) ? [id] : []))),
    hold: new Set(sound.flatMap(({ id }) => (holders.has(id) ? [id] : []))),
    violations: run.state.simulatedMachines.violations.length,
  }
}

const isDestroyed = ({ state }: Run, host: HostId | null): boolean =>
  host !== null && state.simulatedMachines.machine(host).power === 'destroyed'

const stands = ({ state }: Run, instance: InstanceId): boolean =>
  [...state.simulatedMachines.machines.values()].some(
    ({ power, copies }) =>
      power !== 'destroyed' && copies.some((copy) => copy.instance === instance && copy.complete && !copy.left),
  )

function harmOf(snapshot: Snapshot, run: Run, witness: Witness): LawViolation | null {
  for (const id of witness.stand) {
    if (!stands(run, id)) return { law: 'no instance is destroyed', what: `${id} is on no host` }
  }
  const holders = new Set<string>(snapshot.hosts.flatMap(({ holdings }) => holdings.map(({ consumer }) => consumer)))
  const moving = new Set<string>(
    snapshot.migrations.filter(({ step }) => step !== 'ended').map((each) => each.instance),
  )
  for (const id of witness.hold) {
    if (!holders.has(id) && !moving.has(id)) return { law: 'no claim is released', what: `${id} has no claim` }
  }
  const cleaned = run.state.simulatedMachines.violations
    .slice(witness.violations)
    .find((violation) => violation.includes('was removed from'))
  return cleaned === undefined ? null : { law: 'no running instance is removed', what: cleaned }
}

/** Without a finding the corruption must have been harmless: everything settled as recorded. */
function unnamed(found: readonly string[], snapshot: Snapshot, { state }: Run): LawViolation | null {
  const broken = found.length > 0 ? null : violationAtRest(snapshot, state.simulatedMachines)
  return broken && { law: 'a finding reports it', what: `${broken.law}: ${broken.what}` }
}

const ROUNDS = 40
const ROUND_MS = 10_000
const MAX_STEPS = 300 // of all ticks in one round
const CALMING: readonly HostEvent[] = ['answer-again', 'reboot', 'mark-up', 'return', 'recover']

async function carryOn(run: Run, ledger: MemoryLedger, witness: Witness): Promise<LawViolation | null> {
  for (let round = 0; round < ROUNDS; round++) {
    runOn(ledger, calm(run))
    runOn(ledger, ticks(run))
    await cleanListed(run, ledger)
    while (run.state.late.length > 0) deliverLate(run.state)
    for (let notch = 0; notch < 6; notch++) progressAny(run)
    runOn(ledger, decide(run))
    run.state.now += ROUND_MS
    const problem = harmOf(ledger.snapshot(), run, witness)
    if (problem !== null) return problem
  }
  return null
}

function* calm({ state }: Run): LedgerCoroutine<void> {
  for (const event of CALMING) for (const host of yield* call('hosts', {})) yield* hostEvent(state, event, host)
}

/** Runs each due tick to its end. */
function* ticks(run: Run): LedgerCoroutine<void> {
  const { state, conductors } = run
  const { migrations, instances } = yield* call('snapshot', {})
  const [first] = conductors
  if (first === undefined) return
  for (const { id, step, nextAt } of migrations) {
    if (step !== 'ended' && nextAt <= state.now) startMigration(first, id, OPTIONS)
  }
  for (const { id, vmState } of instances) {
    if (vmState === 'building' || vmState === 'deleting') startLifecycle(first, id)
  }
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const picked = conductors.flatMap((conductor) => conductor.ticks.map((live) => ({ conductor, live })))[0]
    if (picked === undefined) return
    yield* stepOne(run, picked, false)
  }
}

/** Confirms or reverts the migrations that wait for an operator. */
function* decide({ state }: Run): LedgerCoroutine<void> {
  for (const migration of (yield* call('snapshot', {})).migrations) {
    if (migration.step !== 'verify' || migration.requestedAction !== null) continue
    const open = permissionsOf(migration).filter(
      ({ requestedAction, allowed }) => allowed && (requestedAction === 'confirm' || requestedAction === 'revert'),
    )
    const requestedAction = state.chance.pick(open)?.requestedAction
    if (requestedAction !== undefined) yield* requestActionFor(state, migration, requestedAction)
  }
}
