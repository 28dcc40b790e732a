import { randomUUID } from 'node:crypto'

// A small cloud in memory, in the words of Nova's and Placement's bodies. Each change is whole, as in a cloud at rest.

export interface ServerRow extends Record<string, unknown> {
  readonly id: string
  status: string
  updated: string
}

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
  readonly allocations: Map<string, { resources: Record<string, number>; consumer_generation: number }>
}

export interface CloudState {
  readonly servers: ServerRow[]
  readonly migrations: MigrationRow[]
  readonly providers: readonly ProviderRow[]
  /** The cloud's clock, in ms. */
  clockMs: number
}

export const AMOUNTS = { VCPU: 2, MEMORY_MB: 1024, DISK_GB: 1 } as const
const ALLOCATION_RATIOS = { VCPU: 16, MEMORY_MB: 1.5, DISK_GB: 1 } as const

export const emptyCloud = (hosts: number, clockMs: number): CloudState => ({
  ...{ servers: [], migrations: [], clockMs },
  providers: Array.from({ length: hosts }, (_, at) => ({
    ...{ uuid: randomUUID(), name: `cmp${at + 1}`, generation: 1, allocations: new Map() },
  })),
})

/** As Nova writes it: seconds in servers, six digits elsewhere, UTC without a zone in the latter. */
export const serverTime = ({ clockMs }: CloudState) => `${new Date(clockMs).toISOString().slice(0, 19)}Z`
export const recordTime = ({ clockMs }: CloudState) => `${new Date(clockMs).toISOString().slice(0, 19)}.000000`

const providerOf = (state: CloudState, host: string) => {
  const found = state.providers.find(({ name }) => name === host)
  if (!found) throw new Error(`no host ${host}`)
  return found
}

function hold(state: CloudState, host: string, consumer: string) {
  const provider = providerOf(state, host)
  provider.allocations.set(consumer, { resources: { ...AMOUNTS }, consumer_generation: 1 })
  provider.generation++
}

function drop(state: CloudState, host: string, consumer: string) {
  const provider = providerOf(state, host)
  if (provider.allocations.delete(consumer)) provider.generation++
}

export function boot(state: CloudState, host: string): ServerRow {
  const id = randomUUID()
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
    flavor: { vcpus: 2, ram: 1024, disk: 1, ephemeral: 0, swap: 0, original_name: 'f1', extra_specs: {} },
    ...{ 'OS-EXT-SRV-ATTR:host': host, 'OS-EXT-SRV-ATTR:hypervisor_hostname': host },
    ...{ 'OS-EXT-STS:vm_state': 'active', 'OS-EXT-STS:task_state': null, 'OS-EXT-STS:power_state': 1 },
    ...{ 'OS-EXT-AZ:availability_zone': 'nova', 'OS-SRV-USG:launched_at': recordTime(state) },
    'os-extended-volumes:volumes_attached': [],
  }
  state.servers.push(row)
  hold(state, host, id)
  return row
}

const hostOf = (row: ServerRow) => String(row['OS-EXT-SRV-ATTR:host'])

export function remove(state: CloudState, row: ServerRow) {
  drop(state, hostOf(row), row.id)
  Object.assign(row, { status: 'DELETED', updated: serverTime(state), 'OS-EXT-STS:vm_state': 'deleted' })
}

/** A live migration has begun: instance → target, migration → source, as Nova's conductor leaves it. */
export function beginMigration(state: CloudState, row: ServerRow, target: string): MigrationRow {
  const source = hostOf(row)
  const migration: MigrationRow = {
    ...{ id: state.migrations.length + 1, uuid: randomUUID(), instance_uuid: row.id, status: 'running' },
    ...{ migration_type: 'live-migration', source_compute: source, source_node: source },
    ...{ dest_compute: target, dest_node: target, created_at: recordTime(state), updated_at: recordTime(state) },
  }
  state.migrations.push(migration)
  drop(state, source, row.id)
  hold(state, source, migration.uuid)
  hold(state, target, row.id)
  Object.assign(row, { status: 'MIGRATING', 'OS-EXT-STS:task_state': 'migrating', updated: serverTime(state) })
  return migration
}

export function endMigration(state: CloudState, migration: MigrationRow) {
  const row = state.servers.find(({ id }) => id === migration.instance_uuid)
  if (!row || migration.status !== 'running') return
  const { source_compute: source, dest_compute: target } = migration
  drop(state, String(source), migration.uuid)
  Object.assign(migration, { status: 'completed', updated_at: recordTime(state) })
  const at = { 'OS-EXT-SRV-ATTR:host': target, 'OS-EXT-SRV-ATTR:hypervisor_hostname': target }
  Object.assign(row, at, { status: 'ACTIVE', 'OS-EXT-STS:task_state': null, updated: serverTime(state) })
}

export const inventoriesOf = () =>
  Object.fromEntries(
    Object.entries(ALLOCATION_RATIOS).map(([name, allocation_ratio]) => [
      name,
      { total: 1000, reserved: 0, min_unit: 1, max_unit: 1000, step_size: 1, allocation_ratio },
    ]),
  )
