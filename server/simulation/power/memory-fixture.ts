import type { Tick } from '../../conductor/effects'
import { cleanLeftovers } from '../../conductor/leftovers'
import { lifecycleTick } from '../../conductor/lifecycle-tick'
import { type ConductorContext, runTick } from '../../conductor/run'
import { migrationTick } from '../../conductor/tick'
import { driversFrom } from '../../drivers/registry'
import { type SimulatedFleet, simulatedFleet } from '../../drivers/simulated/driver'
import { memoryState } from '../../drivers/simulated/state'
import { type Finding, newAuditor, type Snapshot } from '../../engine/audit'
import type { HostSurveys, SurveyResult } from '../../engine/audit/snapshot'
import type { Change, ChangeResult, Instance } from '../../engine/change'
import { demandOf } from '../../engine/demand'
import { type InstancePower, observedPower } from '../../engine/power/instance-power'
import { openRequest } from '../../engine/power/request'
import type { ObservedPower } from '../../engine/power/state'
import { prove } from '../../engine/proof/proposition'
import type { ClaimId, HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { DEMAND_OPTIONS, FLAVORS, fleetOf, idOf } from '../hardware'
import { MemoryLedger } from '../ledger/in-memory'
import { cleaningOn } from '../ledger/listed-leftovers'
import { OPTIONS } from '../micro-steps'
import type { PowerFixture } from './run'

// A run in memory: the simulation's records, the product's simulated driver, the conductor's ticks, and a clock that
// advances without waiting.

const RECHECK_MS = 1_000
const START = 1_800_000_000_000

export class MemoryPowerFixture implements PowerFixture {
  readonly fleet: SimulatedFleet
  readonly hosts: readonly HostId[]
  readonly #ledger: MemoryLedger
  readonly #context: ConductorContext
  readonly #surveys = new Map<HostId, HostSurveys>()
  readonly #power = new Map<HostId, readonly InstancePower[]>()
  readonly #written = new Map<InstanceId, number>()
  readonly #restUntil = new Map<InstanceId | MigrationId, number>()
  readonly #audit = newAuditor(({ flavor, image }) => {
    const result = demandOf(flavor, image, DEMAND_OPTIONS)
    return result.ok ? result.demand : null
  })
  #now = START
  #ids = 0
  #servers = 1
  /** How many more effects the server carries out before it dies; null: no kill is pending. */
  #effectsLeft: number | null = null

  constructor(hosts: number) {
    const fleet = fleetOf({ hosts, nested: false })
    this.hosts = fleet.map(({ id }) => id)
    this.#ledger = new MemoryLedger(fleet)
    this.fleet = simulatedFleet({ state: memoryState(), now: () => this.#now, speed: 1 })
    this.#context = this.#makeContext()
  }

  readonly flavors = FLAVORS
  now = () => this.#now
  newMigration = () => this.newId<MigrationId>(3)

  newId<T>(kind: number): T {
    this.#ids += 1
    return idOf(kind, this.#ids) as T
  }

  commit = async (change: Change): Promise<boolean> => this.#commit(change).ok

  #commit(change: Change): ChangeResult {
    const committed = this.#ledger.commit({ change })
    if (!committed.ok) return committed
    for (const write of change.writes) {
      if (write.do === 'update-instance') this.#written.set(write.id, change.at)
      if (write.do === 'insert-instance') this.#written.set(write.instance.id, change.at)
    }
    return committed
  }

  instance = async (id: InstanceId) => {
    const view = this.#ledger.instance({ instance: id })
    return view && { ...view, instance: this.shown(view.instance) }
  }

  snapshot = async (): Promise<Snapshot> => {
    const records = this.#ledger.snapshot()
    return { ...records, instances: records.instances.map((row) => this.shown(row)) }
  }

  audited = async (): Promise<readonly Finding[]> => {
    const records = this.#ledger.snapshot()
    return this.#audit({ ...records, now: this.#now, hostSurveys: [...this.#surveys.values()], written: this.#written })
  }

  pass = async (ms: number): Promise<void> => {
    this.#now += ms
    for (let rounds = 0; rounds < 200 && (await this.#carry()); rounds++);
  }

  survey = async (): Promise<void> => {
    this.#now += 1
    for (const host of this.hosts) await this.#observe(host)
  }

  /** Makes the server die between two effects, as by SIGKILL: completed effects stay, unreported. */
  killServer = (): boolean => {
    this.#effectsLeft = 1 + (this.#ids % 7)
    return true
  }

  /** Returns true if something was due. */
  async #carry(): Promise<boolean> {
    const { migrations, instances, hosts } = this.#ledger.snapshot()
    const rests = (id: InstanceId | MigrationId) => (this.#restUntil.get(id) ?? 0) > this.#now
    const due = migrations.filter(({ id, step, nextAt }) => step !== 'ended' && nextAt <= this.#now && !rests(id))
    for (const { id } of due) await this.#tick(id, migrationTick(id, this.#owner(), OPTIONS))
    const transit = instances.filter((row) => this.#isDue(row))
    for (const { id } of transit) await this.#tick(id, lifecycleTick(id, this.#owner()))
    for (const { id, status, scheduling } of hosts) {
      if (status !== 'up' || scheduling !== 'quarantined') continue
      await cleanLeftovers(id, this.#cleaning())
      this.#replaceKilled()
    }
    return due.length + transit.length > 0
  }

  async #tick(id: InstanceId | MigrationId, of: Tick): Promise<void> {
    const { nextAt } = await runTick(of, this.#context)
    if (this.#replaceKilled()) return
    if (nextAt === null || nextAt > this.#now) {
      // Without the lease, try again later: the other server's lease expires.
      this.#restUntil.set(id, nextAt ?? this.#now + RECHECK_MS)
    }
  }

  /** Replaces a dead server with a new one. Returns false if the server is alive. */
  #replaceKilled(): boolean {
    if (this.#effectsLeft !== 0) return false
    this.#effectsLeft = null
    this.#servers += 1
    return true
  }

  #owner = () => `server-${this.#servers}`

  #cleaning = () => cleaningOn(this.#ledger, this.#context, this.#owner())

  #isKilled(): boolean {
    if (this.#effectsLeft !== null && this.#effectsLeft > 0) this.#effectsLeft -= 1
    return this.#effectsLeft === 0
  }

  #isDue(row: Instance): boolean {
    const open = row.vmState === 'building' || row.vmState === 'deleting' || openRequest(row) !== null
    return open && (this.#restUntil.get(row.id) ?? 0) <= this.#now
  }

  async #observe(host: HostId): Promise<void> {
    const before = this.#surveys.get(host)
    const domains = await this.fleet.survey(host)
    const at = this.#now
    const latest: SurveyResult = {
      ...{ at, answered: domains !== null, devices: null },
      domains: (domains ?? []).map(({ claim, ...instance }) => ({ ...instance, body: claim })),
    }
    this.#surveys.set(host, { host, latest, earlier: before?.latest ?? null })
    if (domains === null) return
    const own = domains.filter(({ observedState }) => observedState === 'running' || observedState === 'stopped')
    const answer = { host, at, previousAt: this.#answeredAt.get(host) ?? null }
    const seen = { ...answer, guests: own.map(({ instance, power }) => ({ instance, ...power })) }
    this.#power.set(host, observedPower(this.#power.get(host) ?? [], seen))
    this.#answeredAt.set(host, at)
  }

  readonly #answeredAt = new Map<HostId, number>()

  protected shown(row: Instance): Instance {
    const { host } = row
    const survey = host === null ? undefined : this.#surveys.get(host)?.latest
    if (host === null || survey === undefined) return row
    const known = this.#power.get(host)?.find(({ instance }) => instance === row.id) ?? null
    const observedAt = this.#answeredAt.get(host) ?? null
    const power: ObservedPower = {
      host,
      state: survey.answered ? (known?.state ?? 'unknown') : 'unknown',
      reason: known?.reason ?? null,
      last: known?.state ?? null,
      since: known?.since ?? null,
      observedAt,
      current: observedAt !== null && observedAt > (this.#written.get(row.id) ?? 0),
      ranBefore: known?.ranBefore ?? true,
    }
    return { ...row, power }
  }

  #makeContext(): ConductorContext {
    const ledger = this.#ledger
    const drivers = driversFrom({ simulated: this.fleet })
    return {
      records: {
        lease: async (ask) => ledger.leaseAt({ ...ask, now: this.#now }),
        view: async (ask) => ledger.view(ask),
        hosts: async () => ledger.hosts(),
        host: async (ask) => ledger.host(ask),
        candidate: async (ask) => ledger.candidate(ask),
        group: async (ask) => ledger.group(ask),
        inFlight: async (ask) => ledger.inFlight(ask),
        proof: async ({ of }) => prove(of),
        commit: async ({ change }) => this.#commit(change),
        instance: ({ instance }) => this.instance(instance),
        newClaimId: async () => this.newId<ClaimId>(4),
        now: async () => this.#now,
        observe: async ({ host }) => {
          // An observation at the time of the commit proves nothing; a later one does.
          this.#now += 1
          await this.#observe(host)
          return null
        },
      },
      driverOf: async () => drivers.simulated,
      stopping: () => this.#isKilled(),
      keepLease: () => () => {},
      onFault: (verb, error) => {
        throw new Error(`driver ${verb}`, { cause: error })
      },
    }
  }
}
