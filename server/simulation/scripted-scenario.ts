import type { Effect } from '../conductor/effects'
import { lifecycleTick } from '../conductor/lifecycle-tick'
import { DEFAULT_OPTIONS, type TickOptions } from '../conductor/options'
import { migrationTick } from '../conductor/tick'
import type { Actor, Change, Instance } from '../engine/change'
import { decide, sameDemand } from '../engine/claim'
import { demandOf, type Flavor, type Image } from '../engine/demand'
import type { Host } from '../engine/host'
import type { GroupRow } from '../engine/ledger/ledger'
import { type InstanceRecords, shelved, startBuild, startDelete } from '../engine/lifecycle'
import { type AcceptResult, accept, type InstanceSpec, type MigrationRequest } from '../engine/migration/accept'
import type { Migration, Operation, RequestedAction } from '../engine/migration/state'
import type { GroupId, HostId, InstanceId, MigrationId } from '../engine/words/ids'
import { Chance } from './chance'
import type { Fault } from './faults'
import { DEMAND_OPTIONS, fleetOf, hostId, IMAGES } from './hardware'
import { Laws, violationAtRest } from './laws'
import { MemoryLedger } from './ledger/in-memory'
import { type LedgerCoroutine, runOn } from './ledger/ledger'
import { type HostEvent, hostEvent } from './operator'
import { SimulatedMachines } from './simulated-machines'
import { freshId, newSimulationState, perform, type SimulationState } from './state'
import { requestActionFor } from './workload'

// A scripted run: the same records, machines and ticks as in a seeded run, but the test decides what happens next. The
// laws are checked after every effect here too, so a scenario states only what is special about it.

export type FaultAt = (effect: Effect, migration: Migration | null) => Fault | null

export interface ScriptedScenarioOptions {
  readonly hosts?: readonly Host[]
  readonly groups?: readonly GroupRow[]
  readonly ticks?: Partial<TickOptions>
}

export interface CarryOptions {
  readonly faults?: FaultAt
  /** Stops as soon as this is true; otherwise when the migration has ended or waits for an operator. */
  readonly until?: (migration: Migration) => boolean
  /** Transfers make no progress. */
  readonly hold?: boolean
  readonly owner?: string
}

const PEOPLE: Actor = { who: 'somebody', request: null, reason: null }
const MAX_TICKS = 200 // then `carry` gives up and returns the migration as it is

export class ScriptedScenario {
  readonly ledger: MemoryLedger
  readonly state: SimulationState
  readonly options: TickOptions
  readonly #laws: Laws

  constructor({ hosts = fleetOf({ hosts: 3, nested: false }), groups = [], ticks = {} }: ScriptedScenarioOptions = {}) {
    this.ledger = new MemoryLedger(hosts, groups)
    this.state = newSimulationState(new SimulatedMachines(hosts.map((host) => host.id)), new Chance(1))
    this.options = { ...DEFAULT_OPTIONS, demand: DEMAND_OPTIONS, ...ticks }
    this.#laws = new Laws(this.options)
  }

  host(n: number): Host {
    return this.#found(this.ledger.host({ host: hostId(n) }))
  }

  instance(id: InstanceId): Instance {
    return this.#view(id).instance
  }

  migration(id: MigrationId): Migration {
    return this.#found(this.ledger.snapshot().migrations.find((each) => each.id === id))
  }

  /** Claims on that host and lets a conductor build the instance. */
  build(
    flavor: Flavor,
    at: HostId,
    more: { readonly image?: Image; readonly group?: GroupId | null } = {},
  ): InstanceId {
    const { image = IMAGES[0]!, group = null } = more
    const id = freshId<InstanceId>(this.state, 5)
    const demand = demandOf(flavor, image, this.options.demand)
    if (!demand.ok) throw new Error(JSON.stringify(demand.refusals))
    const host = this.#found(this.ledger.host({ host: at }))
    const peers = group === null ? null : this.ledger.group({ group, without: id })
    const verdict = decide({ demand: demand.demand, host, instance: id, group: peers, live: null, excludedHost: null })
    if (!verdict.ok) throw new Error(JSON.stringify(verdict.refusals))
    const row = { id, name: `vm${this.state.ids}`, project: 'p', flavor, image, zone: null, group }
    const claim = { id: freshId<Parameters<typeof startBuild>[1]['id']>(this.state, 4), plan: verdict.plan }
    this.commit(startBuild(row, claim, this.#attribution()))
    this.carryInstance(id)
    return id
  }

  delete(id: InstanceId): void {
    const deletion = startDelete(this.#view(id), this.#attribution())
    if (!deletion.ok) throw new Error(JSON.stringify(deletion.refusals))
    this.commit(deletion.change)
    this.carryInstance(id)
  }

  shelve(id: InstanceId): void {
    const view = this.#view(id)
    const { host, generation } = view.instance
    this.commit(shelved(view, this.#attribution()), false)
    if (host !== null) this.state.driver.destroy({ instance: id, host, fence: generation + 1 }, { half: false })
    this.check()
  }

  ask(instance: InstanceId, operation: Operation, more: Partial<MigrationRequest> = {}): AcceptResult {
    const request = { operation, target: null, newFlavor: null, newImage: null, ...more }
    return accept(this.#view(instance), request, {
      id: freshId(this.state, 3),
      sameDemand: this.#asksTheSame,
      confirmWindowMs: null,
      ...this.#attribution(),
    })
  }

  /** Requests a migration that must be accepted. */
  move(instance: InstanceId, operation: Operation, more: Partial<MigrationRequest> = {}): MigrationId {
    const accepted = this.ask(instance, operation, more)
    if (!accepted.ok) throw new Error(JSON.stringify(accepted.refusals))
    this.commit(accepted.change)
    return accepted.migration.id
  }

  /** Runs a migration until it ends, waits for an operator, or the scenario stops it. */
  carry(id: MigrationId, carrying: CarryOptions = {}): Migration {
    const { until = () => false, hold = false, owner = 'north' } = carrying
    for (let ticks = 0; ticks < MAX_TICKS; ticks++) {
      const before = this.migration(id)
      if (before.step === 'ended' || until(before)) return before
      if (before.waiting?.for === 'person' && before.requestedAction === null) return before
      this.state.now = Math.max(this.state.now, before.nextAt)
      this.#drive(migrationTick(id, owner, this.options), id, { ...carrying, until })
      const job = this.state.simulatedMachines.jobs.get(id)
      if (job !== undefined && !hold) this.state.simulatedMachines.progress(job)
      this.check()
    }
    return this.migration(id)
  }

  carryInstance(id: InstanceId): void {
    this.#drive(lifecycleTick(id, 'north'), null, {})
  }

  requestAction(id: MigrationId, requestedAction: RequestedAction): string {
    const answer = this.#run(requestActionFor(this.state, this.migration(id), requestedAction))
    this.check()
    return answer
  }

  event(event: HostEvent, at: HostId): void {
    const happened = this.#run(hostEvent(this.state, event, this.#found(this.ledger.host({ host: at }))))
    if (!happened) throw new Error(`${event} is not possible in the state of the host`)
    this.check()
  }

  /** All machines on which the domain runs, including silent ones. */
  runsAt(id: InstanceId): readonly HostId[] {
    return [...this.state.simulatedMachines.machines.values()].flatMap((machine) =>
      machine.copies.some((copy) => copy.instance === id && copy.running) ? [machine.id] : [],
    )
  }

  commit(change: Change, checked = true): void {
    const committed = this.ledger.commit({ change })
    if (!committed.ok) throw new Error(`lost to a write on ${committed.conflict.on}`)
    if (checked) this.check()
  }

  check(): void {
    const broken = this.#laws.check(this.ledger.snapshot(), this.state.simulatedMachines)
    if (broken !== null) throw new Error(`${broken.law}: ${broken.what}`)
  }

  /** Checks that nothing is in progress, nothing is left over and every domain is where it is recorded. */
  checkRest(): void {
    this.check()
    const broken = violationAtRest(this.ledger.snapshot(), this.state.simulatedMachines)
    if (broken !== null) throw new Error(`${broken.law}: ${broken.what}`)
  }

  // A tick that the fault kills is dropped; the conductor that takes over starts a new one.
  #drive(generator: ReturnType<typeof migrationTick>, id: MigrationId | null, { faults, until }: CarryOptions): void {
    let next = generator.next()
    while (!next.done) {
      const effect = next.value
      const fault = faults?.(effect, id === null ? null : this.migration(id)) ?? null
      if (fault === 'crash-before') break
      const answer = this.#run(perform(this.state, effect, fault))
      this.check()
      if (fault === 'crash-after') break
      if (effect.name === 'commit' && id !== null && until?.(this.migration(id))) return
      next = generator.next(answer)
    }
    if (!next.done) this.state.now += this.options.leaseMs + 1
  }

  readonly #asksTheSame = (old: InstanceSpec, now: InstanceSpec): boolean => {
    const a = demandOf(old.flavor, old.image, this.options.demand)
    const b = demandOf(now.flavor, now.image, this.options.demand)
    return a.ok && b.ok && sameDemand(a.demand, b.demand)
  }

  #view(id: InstanceId): InstanceRecords {
    return this.#found(this.ledger.instance({ instance: id }))
  }

  #run<T>(asking: LedgerCoroutine<T>): T {
    return runOn(this.ledger, asking)
  }

  #attribution() {
    return { actor: PEOPLE, at: this.state.now }
  }

  #found<T>(value: T | null | undefined): T {
    if (value === null || value === undefined) throw new Error('the scenario names an object that does not exist')
    return value
  }
}
