import { z } from 'zod'
import type { ClaimedUnit, Holding, HostFrame } from '../../engine/host'
import type { Amount, Inventory, Provider } from '../../engine/resources/inventory'
import type { PlacedNode } from '../../engine/topology/guest-topology'
import type { Device, NumaNode, PagePool } from '../../engine/topology/host'
import { DRIVER_KINDS } from '../../engine/words/driver-kinds'
import type { InstanceId } from '../../engine/words/ids'
import { UNIT_KINDS, type UnitName } from '../../engine/words/units'
import { flag, integer, listOf, text, words } from '../decode/columns'
import { arrayRow, type Cells } from '../decode/row'

// One statement returns whole hosts: generations, specification and holdings come from one snapshot, so a claim decided
// on the answer and guarded by its generations can never rest on two different times. Each row lists its members once,
// with the column of each and what it must hold; read.ts makes the host of them.

const integers = listOf(integer, 'whole numbers')

export const AMOUNT = arrayRow<Amount>('allocation', {
  provider: ['a.provider_id'],
  resourceClass: ['a.resource_class'],
  amount: ['a.amount', integer, 0],
})

export const INVENTORY = arrayRow<Omit<Inventory, 'used'>>('inventory', {
  resourceClass: ['i.resource_class'],
  total: ['i.total', integer, 0],
  reserved: ['i.reserved', integer, 0],
  minUnit: ['i.min_unit', integer, 1],
  maxUnit: ['i.max_unit', integer, 1],
  stepSize: ['i.step_size', integer, 1],
  allocationRatioMilli: ['i.allocation_ratio_milli', integer, 1000],
})

export interface ProviderRow extends Pick<Provider, 'id' | 'name' | 'parent' | 'generation'> {
  readonly cell: number | null
  readonly inventories: readonly Cells[] | null
  readonly traits: readonly string[] | null
  readonly aggregates: readonly string[] | null
}

/** One provider `p`, without its usage. */
export const PROVIDER = arrayRow<ProviderRow>('resource_provider', {
  id: ['p.id'],
  name: ['p.name', text, 'unreadable'],
  parent: ['p.parent_id'],
  generation: ['p.generation', integer, 0],
  cell: ['p.cell', integer.nullable(), null],
  inventories: [
    `(
    select json_agg(${INVENTORY.json} order by i.resource_class) from inventory i where i.provider_id = p.id)`,
  ],
  traits: ['(select json_agg(t.trait order by t.trait) from provider_trait t where t.provider_id = p.id)'],
  aggregates: [
    `(
    select json_agg(coalesce(g.name, g.id::text) order by g.name, g.id)
    from provider_aggregate pa join aggregate g on g.id = pa.aggregate_id where pa.provider_id = p.id)`,
  ],
})

export interface SharingRow {
  readonly provider: Cells
  readonly amounts: readonly Cells[] | null
}

/** One provider `p` with its holdings. */
export const SHARING = arrayRow<SharingRow>('resource_provider', {
  provider: [PROVIDER.json],
  amounts: [`(select json_agg(${AMOUNT.json}) from allocation a where a.provider_id = p.id)`],
})

const pool = z.looseObject(
  { sizeKib: integer, total: integer, reserved: integer },
  'expected pages: sizeKib, total, reserved',
)
const network = z.looseObject(
  { physnets: listOf(text, 'networks'), tunneled: flag },
  'expected networks: physnets, tunneled',
)

type NodeRow = Omit<NumaNode, 'pinnedCpus' | 'sharedUsed' | 'memoryUsedMib' | 'pages' | 'network' | 'distances'> & {
  readonly pages: readonly Omit<PagePool, 'used'>[]
  readonly network: NumaNode['network'] | null
  readonly distances: readonly number[]
}

export const CELL = arrayRow<NodeRow>('numa_cell', {
  id: ['n.cell'],
  socket: ['n.socket', integer.nullable(), null],
  sharedCpus: ['n.shared_cpus', integers, []],
  dedicatedCpus: ['n.dedicated_cpus', integers, []],
  siblings: ['n.siblings', listOf(integers, 'groups of CPUs'), []],
  memoryMib: ['n.memory_mib', integer, 0],
  pages: ['n.pages', listOf(pool, 'pages'), []],
  network: ['n.network', network.nullable(), null],
  distances: ['n.distances', integers, []],
})

const pci = z.looseObject(
  { address: text, vendorId: text, productId: text, devType: text, tags: z.record(text, text) },
  'expected a PCI function: address, vendorId, productId, devType, tags',
)

export interface DeviceRow extends Pick<Device, 'unit' | 'kind' | 'cell' | 'parent' | 'resourceClass'> {
  readonly provider: string | null
  readonly pci: NonNullable<Device['pci']> | null
  readonly mdevType: string | null
  readonly sizeMib: number | null
  readonly state: 'present' | 'gone'
}

export const DEVICE = arrayRow<DeviceRow>('unit', {
  unit: ['u.name', text, 'pci:unreadable'],
  kind: ['u.kind', words(UNIT_KINDS), 'pci'],
  cell: ['u.cell', integer.nullable(), null],
  parent: ['p.name'],
  resourceClass: ['u.resource_class', text, 'CUSTOM_UNREADABLE'],
  provider: ['u.provider'],
  pci: ['u.pci', pci.nullable(), null],
  mdevType: ['u.mdev_type'],
  sizeMib: ['u.size_mib', integer.nullable(), null],
  // Cannot be claimed while its kind is unknown.
  state: ['u.state', words(['present', 'gone']), 'gone'],
})

export const PLACED = arrayRow<PlacedNode>('claim_cell', {
  guestCell: ['c.guest_cell'],
  hostCell: ['c.host_cell'],
  memoryMib: ['c.memory_mib', integer, 0],
  pageKib: ['c.page_kib', integer.nullable(), null],
  sharedVcpus: ['c.shared_vcpus', integers, []],
  pins: ['c.pins', listOf(z.tuple([integer, integer], 'expected [vcpu, cpu]'), 'pins'), []],
  reservedCpus: ['c.reserved_cpus', integers, []],
  cpuPolicy: ['c.cpu_policy', words(['shared', 'dedicated', 'mixed']).nullable(), null],
  threadPolicy: ['c.thread_policy', words(['prefer', 'isolate', 'require']).nullable(), null],
  reservedSharesCore: ['c.reserved_shares_core'],
})

export interface TakenRow extends Pick<ClaimedUnit, 'kind' | 'use'> {
  readonly unit: UnitName
  readonly requestId: string | null
}

export const TAKEN = arrayRow<TakenRow>('unit_holding', {
  unit: ['u.name'],
  kind: ['u.kind'],
  use: ['d.use', words(['pin', 'emulator', 'sibling', 'device', 'with-parent']), 'device'],
  requestId: ['d.request_id'],
})

export interface HoldingRow extends Pick<Holding, 'claim' | 'consumer' | 'consumerKind' | 'instance'> {
  readonly amounts: readonly Cells[] | null
  readonly cells: readonly Cells[] | null
  readonly units: readonly Cells[] | null
}

/** One claim `k` with its holdings. */
export const HOLDING = arrayRow<HoldingRow>('claim', {
  claim: ['k.id'],
  consumer: ['k.consumer_id'],
  consumerKind: ['k.consumer_kind', words(['instance', 'migration']), 'migration'],
  instance: ['k.instance_id'],
  amounts: [
    `(
    select json_agg(${AMOUNT.json} order by a.provider_id, a.resource_class)
    from allocation a where a.consumer_id = k.consumer_id)`,
  ],
  cells: [`(select json_agg(${PLACED.json} order by c.guest_cell) from claim_cell c where c.claim_id = k.id)`],
  units: [
    `(
    select json_agg(${TAKEN.json} order by d.unit_id)
    from unit_holding d join unit u on u.id = d.unit_id where d.claim_id = k.id)`,
  ],
})

// The host's own tree, and sharing providers of its aggregates, such as shared storage.
const OF_HOST = `(
  select x.id from resource_provider x where x.root_id = h.id
  union
  select s.provider_id from resource_provider hp
  join provider_aggregate ha on ha.provider_id = hp.id
  join provider_aggregate sa on sa.aggregate_id = ha.aggregate_id
  join provider_trait s on s.provider_id = sa.provider_id and s.trait = 'MISC_SHARES_VIA_AGGREGATE'
  where hp.root_id = h.id
) o`

export interface HostRow extends HostFrame {
  readonly providers: readonly Cells[]
  readonly cells: readonly Cells[] | null
  readonly devices: readonly Cells[] | null
  readonly holdings: readonly Cells[] | null
  /**
   * Amounts held from these providers by consumers without a claim on the host: instances of other hosts on shared
   * storage, and consumers of the Placement API.
   */
  readonly others: readonly Cells[] | null
  readonly remains: readonly InstanceId[] | null
}

const cpu = z.looseObject(
  { arch: text, vendor: text, model: text, features: listOf(text, 'features') },
  'expected a CPU: arch, vendor, model, features',
)

/** One host `h`. */
export const HOST = arrayRow<HostRow>('host', {
  id: ['h.id'],
  name: ['h.name', text, 'unreadable'],
  status: ['h.status', words(['up', 'down', 'fenced', 'lost']), 'down'],
  scheduling: ['h.scheduling', words(['enabled', 'disabled', 'quarantined']), 'disabled'],
  zone: ['h.zone'],
  cpu: ['h.cpu', cpu, { arch: '', vendor: '', model: '', features: [] }],
  layout: ['h.layout', words(['flat', 'nested']), 'flat'],
  driver: ['h.driver', words(DRIVER_KINDS), 'libvirt'],
  memory: ['h.memory', words(['nova', 'exact']), 'exact'],
  providers: [
    `(
    select json_agg(${PROVIDER.json} order by p.root_id <> h.id, p.parent_id is not null, p.name)
    from ${OF_HOST} join resource_provider p on p.id = o.id)`,
  ],
  cells: [`(select json_agg(${CELL.json} order by n.cell) from numa_cell n where n.host_id = h.id)`],
  devices: [
    `(
    select json_agg(${DEVICE.json} order by u.id)
    from unit u left join unit p on p.id = u.parent_id where u.host_id = h.id and u.kind <> 'cpu')`,
  ],
  holdings: [`(select json_agg(${HOLDING.json} order by k.taken_at, k.id) from claim k where k.host_id = h.id)`],
  others: [
    `(
    select json_agg(${AMOUNT.json}) from (
      select a.provider_id, a.resource_class, sum(a.amount) as amount
      from ${OF_HOST} join allocation a on a.provider_id = o.id
      where not exists (select 1 from claim k where k.consumer_id = a.consumer_id and k.host_id = h.id)
      group by a.provider_id, a.resource_class) a)`,
  ],
  remains: ['(select json_agg(distinct r.instance_id) from host_remain r where r.host_id = h.id)'],
})
