import { hostFrom } from '../holdings'
import type { Holding, Host, HostCpu, HostFrame } from '../host'
import type { Inventory, Provider } from '../resources/inventory'
import type { Device, NumaNode } from '../topology/host'
import type { ClaimId, GroupId, HostId, InstanceId, MigrationId, ProviderId } from '../words/ids'
import { pciUnit, VGPU, vgpuUnit, vpmemUnit } from '../words/units'

// Small hosts for tests of the engine, described only by what matters to the test.

const uuid = (n: number, kind: string) => `00000000-0000-4000-${kind}-${String(n).padStart(12, '0')}`
export const hostId = (n: number) => uuid(n, '8001') as HostId
export const instanceId = (n: number) => uuid(n, '8002') as InstanceId
export const migrationId = (n: number) => uuid(n, '8003') as MigrationId
export const claimId = (n: number) => uuid(n, '8004') as ClaimId
export const groupId = (n: number) => uuid(n, '8005') as GroupId
export const providerId = (n: number) => uuid(n, '8006') as ProviderId

export const SKYLAKE: HostCpu = { arch: 'x86_64', vendor: 'Intel', model: 'Skylake', features: ['aes', 'avx2'] }

export interface SmallHost {
  readonly n?: number
  readonly name?: string
  readonly layout?: HostFrame['layout']
  readonly cells?: number
  readonly cores?: number
  readonly threads?: number
  /** CPUs of each NUMA node for floating vCPUs, the first ones; the rest is for pinned ones. */
  readonly shared?: number
  readonly memoryMib?: number
  readonly reservedMib?: number
  readonly hugePages?: number
  readonly vcpuRatioMilli?: number
  /** VFs of one NIC on each NUMA node. */
  readonly vfs?: number
  readonly vfTags?: Readonly<Record<string, string>>
  /** vGPU slots of one GPU on NUMA node 0. */
  readonly vgpus?: number
  readonly pmems?: number
  readonly diskGib?: number
  readonly frame?: Partial<HostFrame>
  readonly sharing?: readonly Provider[]
  readonly traits?: readonly string[]
  readonly aggregates?: readonly string[]
  readonly leftovers?: readonly InstanceId[]
}

export function smallHost(small: SmallHost = {}, holdings: readonly Holding[] = []): Host {
  const n = small.n ?? 1
  const frame: HostFrame = {
    id: hostId(n),
    name: small.name ?? `h${n}`,
    status: 'up',
    scheduling: 'enabled',
    zone: null,
    cpu: SKYLAKE,
    layout: small.layout ?? 'flat',
    driver: 'simulated',
    memory: 'exact',
    ...small.frame,
  }
  const numaNodes = Array.from({ length: small.cells ?? 2 }, (_, id) => nodeOf(id, small))
  const devices = [...nicDevices(small, numaNodes), ...gpuDevices(small), ...pmemDevices(small)]
  const own =
    small.layout === 'nested' ? nestedTree(n, small, numaNodes) : [rootOf(n, small, rootInventories(small, numaNodes))]
  const parts = {
    providers: [...own, ...(small.sharing ?? [])],
    numaNodes,
    devices,
    leftovers: small.leftovers ?? [],
  }
  return hostFrom(frame, parts, holdings)
}

function nodeOf(
  id: number,
  { cores = 4, threads = 2, shared = 0, memoryMib = 8192, hugePages = 0 }: SmallHost,
): NumaNode {
  const cpus = Array.from({ length: cores * threads }, (_, index) => id * cores * threads + index)
  const smallKib = memoryMib * 1024 - hugePages * 2048
  return {
    id,
    socket: id,
    sharedCpus: cpus.slice(0, shared),
    dedicatedCpus: cpus.slice(shared),
    siblings: Array.from({ length: cores }, (_, core) => cpus.slice(core * threads, (core + 1) * threads)),
    pinnedCpus: [],
    sharedUsed: 0,
    memoryMib,
    memoryUsedMib: 0,
    pages: [
      { sizeKib: 4, total: smallKib / 4, used: 0, reserved: 0 },
      { sizeKib: 2048, total: hugePages, used: 0, reserved: 0 },
    ],
  }
}

export function inventory(resourceClass: string, total: number, set: Partial<Inventory> = {}): Inventory {
  const bounds = { reserved: 0, minUnit: 1, maxUnit: Math.max(1, total), stepSize: 1 }
  return { resourceClass, total, ...bounds, allocationRatioMilli: 1000, used: 0, ...set }
}

function rootOf(n: number, small: SmallHost, inventories: readonly Inventory[]): Provider {
  return {
    id: hostId(n) as string as ProviderId,
    name: small.name ?? `h${n}`,
    parent: null,
    generation: 1,
    inventories,
    traits: small.traits ?? [],
    aggregates: small.aggregates ?? [],
    sharing: false,
  }
}

function cpuInventories(small: SmallHost, nodes: readonly NumaNode[]): Inventory[] {
  const shared = nodes.reduce((sum, node) => sum + node.sharedCpus.length, 0)
  const dedicated = nodes.reduce((sum, node) => sum + node.dedicatedCpus.length, 0)
  const memoryMib = nodes.reduce((sum, node) => sum + node.memoryMib, 0)
  const ratio = { allocationRatioMilli: small.vcpuRatioMilli ?? 4000, maxUnit: shared }
  return [
    ...(shared > 0 ? [inventory('VCPU', shared, ratio)] : []),
    ...(dedicated > 0 ? [inventory('PCPU', dedicated)] : []),
    inventory('MEMORY_MB', memoryMib, { reserved: small.reservedMib ?? 0 }),
  ]
}

const diskInventories = ({ diskGib = 100 }: SmallHost) => (diskGib > 0 ? [inventory('DISK_GB', diskGib)] : [])

const rootInventories = (small: SmallHost, nodes: readonly NumaNode[]) => [
  ...cpuInventories(small, nodes),
  ...diskInventories(small),
]

function nestedTree(n: number, small: SmallHost, nodes: readonly NumaNode[]): Provider[] {
  const root = rootOf(n, small, diskInventories(small))
  const child = { parent: root.id, generation: 1, traits: [], aggregates: [], sharing: false }
  const numa = nodes.map((node): Provider => {
    const inventories = cpuInventories(small, [node])
    return {
      ...child,
      id: providerId(n * 100 + node.id),
      name: `${root.name}_numa${node.id}`,
      cell: node.id,
      inventories,
    }
  })
  if (!small.vgpus) return [root, ...numa]
  const gpu = { ...child, id: providerId(n * 100 + 50), name: 'gpu0', inventories: [inventory(VGPU, small.vgpus)] }
  return [root, ...numa, gpu]
}

function nicDevices({ vfs = 0, vfTags = {} }: SmallHost, nodes: readonly NumaNode[]): Device[] {
  if (vfs === 0) return []
  return nodes.flatMap((node) => {
    const address = (part: number) => `0000:${node.id + 1}0:00.${part}`
    const pf = device(address(0), { cell: node.id, devType: 'type-PF', tags: {} })
    const parts = Array.from({ length: vfs }, (_, vf) =>
      device(address(vf + 1), { cell: node.id, devType: 'type-VF', tags: vfTags, parent: pf.unit }),
    )
    return [pf, ...parts]
  })
}

interface Part {
  readonly cell: number
  readonly devType: 'type-PF' | 'type-VF' | 'type-PCI'
  readonly tags: Readonly<Record<string, string>>
  readonly parent?: Device['unit']
}

function device(address: string, { cell, devType, tags, parent }: Part): Device {
  const productId = devType === 'type-PF' ? '1592' : '1889'
  return {
    unit: pciUnit(address),
    kind: 'pci',
    cell,
    parent: parent ?? null,
    resourceClass: `CUSTOM_PCI_8086_${productId}`,
    pci: { address, vendorId: '8086', productId, devType, tags },
    free: true,
  }
}

function gpuDevices({ n = 1, vgpus = 0 }: SmallHost): Device[] {
  if (vgpus === 0) return []
  const address = '0000:d8:00.0'
  const gpu: Device = {
    ...device(address, { cell: 0, devType: 'type-PCI', tags: {} }),
    resourceClass: 'CUSTOM_PCI_10DE_25B6',
    pci: { address, vendorId: '10de', productId: '25b6', devType: 'type-PCI', tags: {} },
  }
  const slots = Array.from({ length: vgpus }, (_, slot): Device => {
    const unit = vgpuUnit(address, 'nvidia-35', slot)
    const provider = providerId(n * 100 + 50)
    return {
      unit,
      kind: 'vgpu',
      cell: 0,
      parent: gpu.unit,
      resourceClass: VGPU,
      mdevType: 'nvidia-35',
      provider,
      free: true,
    }
  })
  return [gpu, ...slots]
}

function pmemDevices({ pmems = 0 }: SmallHost): Device[] {
  return Array.from({ length: pmems }, (_, index): Device => {
    const resourceClass = 'CUSTOM_PMEM_NAMESPACE_6GB'
    return {
      unit: vpmemUnit(`ns${index}`),
      kind: 'vpmem',
      cell: 0,
      parent: null,
      resourceClass,
      sizeMib: 6144,
      free: true,
    }
  })
}
