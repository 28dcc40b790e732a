import type { HostSurveys, NodeDeviceState, Snapshot, StrayAllocation, SurveyedDomain } from '../audit/snapshot'
import type { Instance } from '../change'
import type { Flavor } from '../demand'
import { hostFrom, shareUsage, withHolding } from '../holdings'
import type { Holding, Host } from '../host'
import { operationRow } from '../migration/operations'
import type { Migration, Operation, Side, Step } from '../migration/state'
import type { InstanceId } from '../words/ids'
import { claimId, instanceId, migrationId, smallHost } from './hosts'
import { demandFor, flavor, instanceOf, pinned, verdictOn } from './instances'
import { migrationOf } from './migrations'
import { seededIntegers } from './seeded'

// Healthy fleets from a seed: hosts of every shape, instances of every kind, migrations in every step, and hypervisors
// that report exactly what the records say. Tests then break one thing at a time.

export const NOW = 100_000_000
const SETTLED = NOW - 300_000
const LATEST_SURVEY_AT = NOW - 30_000
const EARLIER_SURVEY_AT = NOW - 90_000

export type Chance = (below: number) => number

/** Good enough to choose faults by. */
export function chanceOf(seed: number): Chance {
  const next = seededIntegers(seed)
  return (below) => next() % below
}

export const FLAVORS: readonly Flavor[] = [
  flavor(1),
  flavor(2),
  pinned(1),
  pinned(2),
  pinned(2, { 'hw:cpu_thread_policy': 'require' }, { name: 'require' }),
  pinned(2, { 'hw:numa_nodes': '2' }, { name: 'two-cells' }),
  pinned(1, { 'hw:emulator_threads_policy': 'isolate' }, { name: 'emulator' }),
  pinned(1, { 'pci_passthrough:alias': 'vf:1' }, { name: 'vf' }),
  pinned(2, { 'hw:mem_page_size': 'large' }, { name: 'pages' }),
  pinned(1, { 'resources:VGPU': '1' }, { name: 'vgpu' }),
  pinned(1, { 'hw:pmem': '6GB' }, { name: 'pmem' }),
]

const MIGRATION_STATES: readonly {
  readonly step: Step
  readonly direction: Side
  readonly home: Side
}[] = [
  { step: 'claim', direction: 'target', home: 'source' },
  { step: 'prepare', direction: 'target', home: 'source' },
  { step: 'transfer', direction: 'target', home: 'source' },
  { step: 'switch', direction: 'target', home: 'source' },
  { step: 'verify', direction: 'target', home: 'target' },
  { step: 'release', direction: 'target', home: 'target' },
  { step: 'switch', direction: 'source', home: 'source' },
  { step: 'release', direction: 'source', home: 'source' },
  { step: 'ended', direction: 'target', home: 'target' },
]

export interface Fleet {
  readonly snapshot: Snapshot
  /** Instances at rest that have a host, and migrating instances. */
  readonly resting: readonly Instance[]
  readonly moving: readonly Migration[]
}

export function fleetOf(seed: number): Fleet {
  const builder = new Builder(chanceOf(seed))
  return builder.build()
}

class Builder {
  readonly #chance: Chance
  readonly #hosts: Host[]
  readonly #instances: Instance[] = []
  readonly #migrations: Migration[] = []
  #next = 1

  constructor(chance: Chance) {
    this.#chance = chance
    this.#hosts = Array.from({ length: 4 + chance(3) }, (_, n) => hostOf(n + 1, chance))
  }

  build(): Fleet {
    const instances = 4 + this.#chance(10)
    for (let instance = 0; instance < instances; instance++) {
      if (this.#chance(3) === 0) this.#mover()
      else this.#rester()
    }
    const strayAllocations = this.#placementConsumers()
    const hostSurveys = this.#hosts.map((host) => this.#looksAt(host))
    const hosts = shareUsage(
      this.#hosts.map((host) =>
        hostFrom(host, { ...host, others: strayAllocations.filter((each) => each.host === host.id) }, host.holdings),
      ),
    )
    const snapshot: Snapshot = {
      hosts,
      instances: this.#instances,
      migrations: this.#migrations,
      now: NOW,
      hostSurveys,
      strayAllocations,
      looseConsumers: [],
      looseRoots: [],
      leftovers: [],
      leases: this.#migrations.map(({ id, fence }) => ({ migration: id, owner: 'a', fence })),
      groups: [],
      layouts: hosts.map(({ id, layout }) => {
        return { host: id, state: layout === 'nested' ? 'verified' : 'flat', since: SETTLED, why: null }
      }),
      projected: hosts.map(({ id, providers }) => {
        const { generation } = providers[0]!
        return { host: id, memory: generation, tables: generation, differsSince: null }
      }),
    }
    const moving = this.#migrations.filter(({ step }) => step !== 'ended')
    const migrating = new Set(moving.map(({ instance }) => instance))
    const resting = this.#instances.filter(({ id, host, vmState }) => {
      return !migrating.has(id) && host !== null && vmState === 'active'
    })
    return { snapshot, resting, moving }
  }

  #take(at: number, of: Flavor, holder: Partial<Holding>): Holding | null {
    const host = this.#hosts[at]!
    const verdict = verdictOn(host, demandFor(of))
    if (!verdict.ok) return null
    const { amounts, cells, units } = verdict.plan
    const consumer = instanceId(this.#next)
    const holding: Holding = {
      claim: claimId(1000 + host.holdings.length + 100 * at),
      consumer,
      consumerKind: 'instance',
      instance: consumer,
      body: { amounts, cells, units },
      ...holder,
    }
    this.#hosts[at] = withHolding(host, holding)
    return holding
  }

  #rester(): void {
    const of = this.#pick(FLAVORS)
    const at = this.#chance(this.#hosts.length)
    if (this.#take(at, of, {}) === null) return
    const vmState = this.#chance(6) === 0 ? 'stopped' : 'active'
    this.#put(of, { host: this.#hosts[at]!.id, vmState })
  }

  #mover(): void {
    const operation = this.#pick(['live-migrate', 'cold-migrate', 'resize', 'rebuild'] as const satisfies Operation[])
    const state = this.#pick(MIGRATION_STATES.filter(({ step }) => operationRow(operation).verify || step !== 'verify'))
    const old = this.#pick(FLAVORS)
    const next = operation === 'resize' ? this.#pick(FLAVORS) : old
    const from = this.#chance(this.#hosts.length)
    const inPlace = operation === 'rebuild' || (operation === 'resize' && this.#chance(3) === 0)
    const to = inPlace ? from : (from + 1 + this.#chance(this.#hosts.length - 1)) % this.#hosts.length
    const saved = [...this.#hosts]
    if (!this.#claims(state, { old, next, from, to, keeps: operation === 'rebuild' })) {
      this.#hosts.splice(0, saved.length, ...saved)
      return
    }
    const home = state.home === 'target' ? to : from
    const shape = state.home === 'target' ? next : old
    this.#migrate(operation, { ...state, old, next, from, to })
    this.#put(shape, { host: this.#hosts[home]!.id, vmState: 'active' })
  }

  #claims({ step, direction }: (typeof MIGRATION_STATES)[number], fixture: MigrationFixture): boolean {
    const migration = migrationId(this.#next)
    const its = { consumer: migration, consumerKind: 'migration' } as const
    const { old, next, from, to, keeps } = fixture
    if (step === 'ended') return this.#take(to, next, {}) !== null
    if (step === 'claim' || keeps) return this.#take(from, step === 'claim' ? old : next, {}) !== null
    const source = this.#take(from, old, direction === 'target' ? its : {})
    return source !== null && this.#take(to, next, direction === 'target' ? {} : its) !== null
  }

  #migrate(operation: Operation, fixture: MigrationFixture & (typeof MIGRATION_STATES)[number]): void {
    const { step, direction, home, old, next, from, to } = fixture
    const isBack = direction === 'source'
    const age = { seq: 2, stepSince: SETTLED, generation: 3, fence: 2, createdAt: SETTLED - 1000, nextAt: NOW }
    const migration = migrationOf({
      ...age,
      id: migrationId(this.#next),
      instance: instanceId(this.#next),
      operation,
      source: this.#hosts[from]!.id,
      target: step === 'claim' ? null : this.#hosts[to]!.id,
      oldFlavor: old,
      newFlavor: next,
      step,
      direction,
      home,
      keepsClaim: operation === 'rebuild',
      handedOver: operation === 'live-migrate' && home === 'target',
      cause: isBack ? { kind: 'failed', step: 'transfer', message: 'no' } : null,
      outcome: step === 'ended' ? 'completed' : null,
      waiting: step === 'verify' ? { for: 'person' } : null,
    })
    this.#migrations.push(migration)
  }

  #put(of: Flavor, set: Pick<Instance, 'host' | 'vmState'>): void {
    this.#instances.push(instanceOf(this.#next++, of, { generation: 1 + this.#chance(9), ...set }))
  }

  /** An instance is where its records say; on the other side of a migration is a paused target domain. */
  #looksAt(host: Host): HostSurveys {
    const domains = host.holdings.flatMap(({ instance, body }): SurveyedDomain[] => {
      const row = this.#instances.find(({ id }) => id === instance)!
      const migration = this.#migrations.find((each) => each.instance === instance && each.step !== 'ended')
      const twice = host.holdings.filter((each) => each.instance === instance).length > 1
      const home = migration === undefined || row.host === host.id
      const observedState = !home ? 'shell' : row.vmState === 'stopped' ? 'stopped' : 'running'
      return [{ instance, observedState, migration: migration?.id ?? null, body: twice ? null : body }]
    })
    const devices = host.devices
      .filter(({ gone }) => !gone)
      .map(({ unit }): NodeDeviceState => {
        const holding = host.holdings.find(({ body }) => body.units.some((each) => each.unit === unit))
        return { unit, driver: null, attachedTo: holding?.instance ?? null }
      })
    const seen = { answered: true, domains: onceEach(domains), devices }
    return { host: host.id, latest: { ...seen, at: LATEST_SURVEY_AT }, earlier: { ...seen, at: EARLIER_SURVEY_AT } }
  }

  /** Consumers created over the Placement API: legal, and never a finding. */
  #placementConsumers(): readonly StrayAllocation[] {
    return this.#hosts.flatMap((host, n) => {
      const root = host.providers[0]!
      const disk = root.inventories.find(({ resourceClass }) => resourceClass === 'DISK_GB')
      if (disk === undefined || this.#chance(2) === 0) return []
      const owner = { kind: 'token', id: 't', name: 'backups', at: null, request: null } as const
      const stray = { consumer: instanceId(500 + n), type: 'backup', provider: root.id, host: host.id, owner }
      return [{ ...stray, resourceClass: 'DISK_GB', amount: 1 }]
    })
  }

  #pick<T>(of: readonly T[]): T {
    return of[this.#chance(of.length)]!
  }
}

interface MigrationFixture {
  readonly old: Flavor
  readonly next: Flavor
  readonly from: number
  readonly to: number
  readonly keeps?: boolean
}

function hostOf(n: number, chance: Chance): Host {
  const layout = chance(3) === 0 ? 'nested' : 'flat'
  const places = { layout, cells: 2, cores: 6, threads: 1 + chance(2), shared: 2, memoryMib: 16_384 } as const
  const host = smallHost({ n, ...places, hugePages: 2048, vfs: 3, vgpus: 2, pmems: 2, diskGib: 100 })
  // In the tables a provider's name is unique over all hosts.
  const named = host.providers.map((each) => (each.name === 'gpu0' ? { ...each, name: `${host.name}_gpu0` } : each))
  return { ...host, providers: named }
}

function onceEach(domains: readonly SurveyedDomain[]): readonly SurveyedDomain[] {
  const seen = new Map<InstanceId, SurveyedDomain>()
  for (const domain of domains) if (!seen.has(domain.instance)) seen.set(domain.instance, domain)
  return [...seen.values()]
}
