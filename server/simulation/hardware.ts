import type { DemandOptions, Flavor, Image } from '../engine/demand'
import { hostFrom } from '../engine/holdings'
import type { Host, HostFrame } from '../engine/host'
import type { Inventory, Provider } from '../engine/resources/inventory'
import type { Device, NumaNode } from '../engine/topology/host'
import type { HostId, ProviderId } from '../engine/words/ids'
import { pciUnit, vgpuUnit } from '../engine/words/units'

// A fleet small enough to be tight: three or four hosts with two NUMA nodes. Each node has two cores with two threads
// for pinned instances, and two shared CPUs. Each host has a NIC with two VFs, a PCI device for passthrough and a GPU.
// Claims collide, queues form, migrations fail.

/** Ids are numbered, not random, so that traces of different seeds are comparable. */
export const idOf = (kind: number, n: number): string =>
  `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

export const hostId = (n: number) => idOf(1, n) as HostId

export const DEMAND_OPTIONS: DemandOptions = {
  aliases: [
    { name: 'vf', spec: [{ vendor_id: '8086', product_id: '10ed' }], numaPolicy: 'legacy' },
    { name: 'card', spec: [{ vendor_id: '10de', product_id: '1db4' }], numaPolicy: 'preferred' },
  ],
}

export interface FleetShape {
  readonly hosts: number
  /** True gives every second host a provider per NUMA node. */
  readonly nested: boolean
}

export function fleetOf({ hosts, nested }: FleetShape): readonly Host[] {
  return Array.from({ length: hosts }, (_, n) => newHost(n + 1, nested && n % 2 === 1))
}

function newHost(n: number, nested: boolean): Host {
  const frame: HostFrame = {
    id: hostId(n),
    name: `h${n}`,
    status: 'up',
    scheduling: 'enabled',
    zone: null,
    cpu: { arch: 'x86_64', vendor: 'Intel', model: 'Cascadelake', features: [] },
    layout: nested ? 'nested' : 'flat',
    driver: 'simulated',
    memory: 'exact',
  }
  return hostFrom(
    frame,
    { providers: providersOf(n, nested), numaNodes: [nodeOf(0), nodeOf(1)], devices: devicesOf(n), leftovers: [] },
    [],
  )
}

function nodeOf(id: number): NumaNode {
  const first = id * 6
  return {
    id,
    socket: id,
    sharedCpus: [first, first + 1],
    dedicatedCpus: [first + 2, first + 3, first + 4, first + 5],
    siblings: [
      [first, first + 1],
      [first + 2, first + 3],
      [first + 4, first + 5],
    ],
    pinnedCpus: [],
    sharedUsed: 0,
    memoryMib: 4096,
    memoryUsedMib: 0,
    pages: [
      { sizeKib: 4, total: 524_288, used: 0, reserved: 0 },
      { sizeKib: 2048, total: 1024, used: 0, reserved: 0 },
    ],
  }
}

const inventory = (resourceClass: string, total: number, allocationRatioMilli = 1000): Inventory => ({
  resourceClass,
  total,
  reserved: 0,
  minUnit: 1,
  maxUnit: total,
  stepSize: 1,
  allocationRatioMilli,
  used: 0,
})

function providersOf(n: number, nested: boolean): readonly Provider[] {
  const root = idOf(2, n * 16) as ProviderId
  const base = { generation: 0, traits: [], aggregates: [], sharing: false }
  const places = (nodes: number) => [
    inventory('VCPU', 2 * nodes, 4000),
    inventory('PCPU', 4 * nodes),
    inventory('MEMORY_MB', 4096 * nodes),
  ]
  const onRoot = [inventory('DISK_GB', 60), inventory('VGPU', 2)]
  if (!nested) return [{ ...base, id: root, name: `h${n}`, parent: null, inventories: [...places(2), ...onRoot] }]
  const cell = (id: number): Provider => ({
    ...base,
    id: idOf(2, n * 16 + 1 + id) as ProviderId,
    name: `h${n}_NUMA${id}`,
    parent: root,
    inventories: places(1),
    cell: id,
  })
  return [{ ...base, id: root, name: `h${n}`, parent: null, inventories: onRoot }, cell(0), cell(1)]
}

function devicesOf(n: number): readonly Device[] {
  const nic = pciUnit(`0000:0${n}:00.0`)
  const function_ = (
    slot: number,
    more: Pick<Device, 'cell' | 'parent'>,
    pci: Omit<NonNullable<Device['pci']>, 'address'>,
  ): Device => {
    const address = `0000:0${n}:0${slot >> 3}.${slot & 7}`
    return {
      unit: pciUnit(address),
      kind: 'pci',
      ...more,
      resourceClass: 'CUSTOM_PCI',
      pci: { address, ...pci },
      free: true,
    }
  }
  const live = { live_migratable: 'true' }
  const gpu = `0000:0${n}:10.0`
  const vgpu = (slot: number): Device => ({
    unit: vgpuUnit(gpu, 'nvidia-35', slot),
    kind: 'vgpu',
    cell: 0,
    parent: null,
    resourceClass: 'VGPU',
    mdevType: 'nvidia-35',
    free: true,
  })
  return [
    function_(0, { cell: 0, parent: null }, { vendorId: '8086', productId: '1572', devType: 'type-PF', tags: live }),
    function_(1, { cell: 0, parent: nic }, { vendorId: '8086', productId: '10ed', devType: 'type-VF', tags: live }),
    function_(2, { cell: 0, parent: nic }, { vendorId: '8086', productId: '10ed', devType: 'type-VF', tags: live }),
    function_(8, { cell: 1, parent: null }, { vendorId: '10de', productId: '1db4', devType: 'type-PCI', tags: {} }),
    vgpu(0),
    vgpu(1),
  ]
}

interface Size {
  readonly vcpus: number
  readonly memoryMib: number
}

const flavor = (name: string, size: Size, extraSpecs: Record<string, string> = {}): Flavor => ({
  name,
  ...size,
  diskGib: 5,
  extraSpecs,
})

const PINNED = { 'hw:cpu_policy': 'dedicated' }

/** From floating CPUs to whole NUMA nodes. Few hosts have room for the last ones, so that migrations also fail. */
export const FLAVORS: readonly Flavor[] = [
  flavor('small', { vcpus: 1, memoryMib: 512 }),
  flavor('shared2', { vcpus: 2, memoryMib: 1024 }, { 'hw:numa_nodes': '1' }),
  flavor('pinned2', { vcpus: 2, memoryMib: 1024 }, PINNED),
  flavor('pinned4', { vcpus: 4, memoryMib: 2048 }, { ...PINNED, 'hw:numa_nodes': '2' }),
  flavor('isolate', { vcpus: 2, memoryMib: 512 }, { ...PINNED, 'hw:cpu_thread_policy': 'require' }),
  flavor('emulator', { vcpus: 2, memoryMib: 512 }, { ...PINNED, 'hw:emulator_threads_policy': 'isolate' }),
  flavor('pages', { vcpus: 2, memoryMib: 1024 }, { ...PINNED, 'hw:mem_page_size': '2048' }),
  flavor('mixed', { vcpus: 3, memoryMib: 1024 }, { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '^0' }),
  flavor('vf', { vcpus: 2, memoryMib: 512 }, { ...PINNED, 'pci_passthrough:alias': 'vf:1' }),
  flavor('card', { vcpus: 1, memoryMib: 512 }, { 'pci_passthrough:alias': 'card:1' }),
  flavor('vgpu', { vcpus: 1, memoryMib: 512 }, { 'resources:VGPU': '1' }),
]

/** The second requests a NUMA topology, so that a rebuild with it makes a second claim beside the old one. */
export const IMAGES: readonly Image[] = [
  { name: 'plain', properties: {} },
  { name: 'numa', properties: { hw_numa_nodes: '1' } },
  { name: 'next', properties: {} },
]
