import { randomUUID } from 'node:crypto'

// A small cloud in memory, with Nova's and Placement's response bodies. Each change is complete, as in a cloud at rest.

export interface ServerRow extends Record<string, unknown> {
  [PINS]?: Readonly<Record<string, number>>
  readonly id: string
  status: string
  updated: string
}

/** The pinned CPUs of an instance, by guest CPU; only its topology shows them. */
export const PINS = Symbol('cpu_pinning')

export interface MigrationRow extends Record<string, unknown> {
  readonly id: number
  readonly uuid: string
  readonly instance_uuid: string
  status: string
  updated_at: string | null
}

export interface ProviderRow {
  readonly uuid: string
  readonly name: string
  generation: number
  readonly allocations: Map<string, { resources: Record<string, number> }>
  traits?: readonly string[]
  /** Classes; those of a compute host by default. */
  offers?: readonly string[]
}

export interface ServiceRow {
  status: 'enabled' | 'disabled'
  disabled_reason: string | null
  forced_down: boolean
  /** Whether its process runs and reports. */
  isAlive: boolean
  /** When an operator last changed it, if ever. */
  updated_at: string | null
}

/** Work that Nova does after it has answered. */
export interface PendingWork {
  /** By the cloud's clock. */
  readonly at: number
  /** The request that caused it. */
  readonly requestId: string
  readonly run: () => void
}

export interface CloudState {
  /** By host. */
  readonly services: ReadonlyMap<string, ServiceRow>
  readonly pending: PendingWork[]
  /** What the events of an action report, by the id of its request. */
  readonly faults: Map<string, string>
  readonly servers: ServerRow[]
  readonly migrations: MigrationRow[]
  readonly providers: readonly ProviderRow[]
  /** By the consumer's uuid. */
  readonly generations: Map<string, number>
  readonly newId: () => string
  /** The cloud's clock, in ms. */
  clockMs: number
}

const INVENTORY: Readonly<Record<string, readonly [total: number, ratio: number]>> = {
  VCPU: [64, 4],
  MEMORY_MB: [131_072, 1],
  DISK_GB: [2_000, 1],
}

export const FLAVORS = [
  { id: 'f1', name: 'f1', vcpus: 2, ram: 1024, disk: 1, swap: 0, 'OS-FLV-EXT-DATA:ephemeral': 0, extra_specs: {} },
  { id: 'f2', name: 'f2', vcpus: 4, ram: 2048, disk: 1, swap: 0, 'OS-FLV-EXT-DATA:ephemeral': 0, extra_specs: {} },
] as const

/** What Placement allocates for a flavor, and how a server shows it. */
export function flavorNamed(name: string) {
  const { vcpus, ram, disk } = FLAVORS.find((each) => each.name === name) ?? FLAVORS[0]
  return {
    amounts: { VCPU: vcpus, MEMORY_MB: ram, DISK_GB: disk },
    embedded: { vcpus, ram, disk, ephemeral: 0, swap: 0, original_name: name, extra_specs: {} },
  }
}

export function emptyCloud(hosts: number, clockMs: number, newId: () => string = randomUUID): CloudState {
  const names = Array.from({ length: hosts }, (_, at) => `cmp${at + 1}`)
  const service = (): ServiceRow => ({
    status: 'enabled',
    disabled_reason: null,
    forced_down: false,
    isAlive: true,
    updated_at: null,
  })
  return {
    ...{ servers: [], migrations: [], clockMs, pending: [], faults: new Map() },
    ...{ generations: new Map(), newId },
    providers: names.map((name) => ({ uuid: newId(), name, generation: 1, allocations: new Map() })),
    services: new Map(names.map((name) => [name, service()])),
  }
}

/** As Nova writes it: seconds in servers, six digits elsewhere, UTC without a zone in the latter. */
export const serverTime = ({ clockMs }: CloudState) => `${new Date(clockMs).toISOString().slice(0, 19)}Z`
export const recordTime = ({ clockMs }: CloudState) => `${new Date(clockMs).toISOString().slice(0, 19)}.000000`

const providerOf = (state: CloudState, host: string) => {
  const found = state.providers.find(({ name }) => name === host)
  if (!found) throw new Error(`no host ${host}`)
  return found
}

export interface HostAllocation {
  readonly host: string
  readonly consumer: string
  readonly flavor: string
}

export const hold = (state: CloudState, { host, consumer, flavor }: HostAllocation) =>
  holdAmounts(state, { host, consumer, amounts: flavorNamed(flavor).amounts })

interface HeldAmounts {
  readonly host: string
  readonly consumer: string
  readonly amounts: Record<string, number>
}

export function holdAmounts(state: CloudState, { host, consumer, amounts }: HeldAmounts) {
  const provider = providerOf(state, host)
  state.generations.set(consumer, generationOf(state, consumer) + 1)
  provider.allocations.set(consumer, { resources: amounts })
  provider.generation++
}

/** 0: the consumer has no allocations. */
export const generationOf = ({ generations }: CloudState, consumer: string): number => generations.get(consumer) ?? 0

/** As in Placement: a claim raises a generation, a release does not. */
export function drop(state: CloudState, host: string, consumer: string) {
  const provider = providerOf(state, host)
  provider.allocations.delete(consumer)
}

export function boot(state: CloudState, host: string): ServerRow {
  const id = state.newId()
  const row: ServerRow = {
    ...{
      id,
      name: `web-${state.servers.length}`,
      status: 'ACTIVE',
      tenant_id: 'p1',
      user_id: 'u1',
      image: { id: 'img' },
    },
    ...{ created: serverTime(state), updated: serverTime(state), locked: false },
    flavor: flavorNamed('f1').embedded,
    ...{ 'OS-EXT-SRV-ATTR:host': host, 'OS-EXT-SRV-ATTR:hypervisor_hostname': host },
    ...{ 'OS-EXT-STS:vm_state': 'active', 'OS-EXT-STS:task_state': null, 'OS-EXT-STS:power_state': 1 },
    ...{ 'OS-EXT-AZ:availability_zone': 'nova', 'OS-SRV-USG:launched_at': recordTime(state) },
    'os-extended-volumes:volumes_attached': [],
  }
  state.servers.push(row)
  hold(state, { host, consumer: id, flavor: 'f1' })
  return row
}

export const hostOf = (row: ServerRow) => String(row['OS-EXT-SRV-ATTR:host'])

export function remove(state: CloudState, row: ServerRow) {
  drop(state, hostOf(row), row.id)
  Object.assign(row, { status: 'DELETED', updated: serverTime(state), 'OS-EXT-STS:vm_state': 'deleted' })
}

export const flavorOf = (row: ServerRow) => String((row.flavor as { original_name: string }).original_name)

interface NewMigration {
  readonly target: string
  readonly type: 'live-migration' | 'migration' | 'resize' | 'evacuation'
  readonly status: string
  readonly task: string
  /** The destination's flavor, if it differs. */
  readonly flavor?: string
}

/** A live migration. */
export const beginMigration = (state: CloudState, row: ServerRow, target: string): MigrationRow =>
  begin(state, row, { target, type: 'live-migration', status: 'running', task: 'migrating' })

/** A migration has begun: instance → target, migration → source, as Nova's conductor leaves it. */
export function begin(state: CloudState, row: ServerRow, migration: NewMigration): MigrationRow {
  const source = hostOf(row)
  const { target, type, status, task, flavor = flavorOf(row) } = migration
  const record: MigrationRow = {
    ...{ id: state.migrations.length + 1, uuid: state.newId(), instance_uuid: row.id, status },
    ...{ migration_type: type, source_compute: source, source_node: source },
    ...{ dest_compute: target, dest_node: target, created_at: recordTime(state), updated_at: recordTime(state) },
  }
  state.migrations.push(record)
  // An evacuation leaves the instance's allocation on its dead source.
  if (type !== 'evacuation') {
    drop(state, source, row.id)
    hold(state, { host: source, consumer: record.uuid, flavor: flavorOf(row) })
  }
  hold(state, { host: target, consumer: row.id, flavor })
  write(state, row, { status: 'MIGRATING', 'OS-EXT-STS:task_state': task })
  return record
}

export const write = (state: CloudState, row: ServerRow, set: Record<string, unknown>): void =>
  void Object.assign(row, set, { updated: serverTime(state) })
export const writeRecord = (state: CloudState, row: MigrationRow, status: string): void =>
  void Object.assign(row, { status, updated_at: recordTime(state) })

export function endMigration(state: CloudState, migration: MigrationRow) {
  const row = state.servers.find(({ id }) => id === migration.instance_uuid)
  if (!row || migration.status !== 'running') return
  const { source_compute: source, dest_compute: target } = migration
  drop(state, String(source), migration.uuid)
  Object.assign(migration, { status: 'completed', updated_at: recordTime(state) })
  const at = { 'OS-EXT-SRV-ATTR:host': target, 'OS-EXT-SRV-ATTR:hypervisor_hostname': target }
  Object.assign(row, at, { status: 'ACTIVE', 'OS-EXT-STS:task_state': null, updated: serverTime(state) })
}

export const inventoriesOf = ({ offers = Object.keys(INVENTORY) }: Pick<ProviderRow, 'offers'>) =>
  Object.fromEntries(
    Object.entries(INVENTORY)
      .filter(([name]) => offers.includes(name))
      .map(([name, [total, allocation_ratio]]) => [
        name,
        { total, reserved: 0, min_unit: 1, max_unit: total, step_size: 1, allocation_ratio },
      ]),
  )
