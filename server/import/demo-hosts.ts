import type { HostCpu, HostSpec } from '../engine/host'
import type { Device } from '../engine/topology/host'
import { pciUnit, VGPU, vgpuUnit, vpmemUnit } from '../engine/words/units'
import { type BareNode, hostSpec } from './host-spec'

// The machines of the demo fleet. Each row is a model, with the figures of its data sheet.

interface MachineModel {
  readonly name: string
  readonly cpu: HostCpu
  readonly sockets: number
  readonly nodesPerSocket: number
  readonly coresPerNode: number
  readonly gibPerNode: number
  /** Cores of each NUMA node for shared CPUs; the others are dedicated to pinned vCPUs. */
  readonly sharedCoresPerNode: number
  readonly hugePages2MPerNode: number
  readonly hugePages1GPerNode: number
  /** One entry per NIC: its NUMA node and its physical network. */
  readonly nics: readonly { readonly cell: number; readonly physnet: string; readonly vfs: number }[]
  /** NUMA nodes with a GPU. */
  readonly gpus: readonly number[]
  /** Namespace sizes in GiB per NUMA node. */
  readonly pmem: readonly { readonly cell: number; readonly sizesGib: readonly number[] }[]
  readonly traits: readonly string[]
  /** The model's share of a hundred hosts. */
  readonly share: number
}

const features = (...more: string[]) => ['aes', 'avx', 'avx2', 'pdpe1gb', 'sse4.2', 'x2apic', ...more].sort()
const ICE_LAKE: HostCpu = {
  arch: 'x86_64',
  vendor: 'Intel',
  model: 'Icelake-Server',
  features: features('avx512f', 'vmx'),
}
const CASCADE_LAKE: HostCpu = {
  arch: 'x86_64',
  vendor: 'Intel',
  model: 'Cascadelake-Server',
  features: features('avx512f', 'vmx'),
}
const MILAN: HostCpu = { arch: 'x86_64', vendor: 'AMD', model: 'EPYC-Milan', features: features('svm') }

const NO_EXTRAS = { gpus: [], pmem: [], traits: ['HW_CPU_HYPERTHREADING'] } as const
const TWO_NICS = [
  { cell: 0, physnet: 'physnet-a', vfs: 8 },
  { cell: 1, physnet: 'physnet-b', vfs: 8 },
]

const MODELS: readonly MachineModel[] = [
  {
    name: 'std',
    cpu: ICE_LAKE,
    sockets: 2,
    nodesPerSocket: 1,
    coresPerNode: 16,
    gibPerNode: 128,
    sharedCoresPerNode: 8,
    hugePages2MPerNode: 8192,
    hugePages1GPerNode: 16,
    nics: TWO_NICS,
    ...NO_EXTRAS,
    share: 45,
  },
  {
    name: 'numa4',
    cpu: MILAN,
    sockets: 2,
    nodesPerSocket: 2,
    coresPerNode: 16,
    gibPerNode: 96,
    sharedCoresPerNode: 4,
    hugePages2MPerNode: 8192,
    hugePages1GPerNode: 16,
    nics: TWO_NICS,
    ...NO_EXTRAS,
    share: 20,
  },
  {
    name: 'numa8',
    cpu: MILAN,
    sockets: 2,
    nodesPerSocket: 4,
    coresPerNode: 8,
    gibPerNode: 48,
    sharedCoresPerNode: 2,
    hugePages2MPerNode: 4096,
    hugePages1GPerNode: 8,
    nics: [
      { cell: 1, physnet: 'physnet-a', vfs: 8 },
      { cell: 5, physnet: 'physnet-b', vfs: 8 },
    ],
    ...NO_EXTRAS,
    share: 15,
  },
  {
    name: 'gpu',
    cpu: ICE_LAKE,
    sockets: 2,
    nodesPerSocket: 1,
    coresPerNode: 16,
    gibPerNode: 192,
    sharedCoresPerNode: 6,
    hugePages2MPerNode: 8192,
    hugePages1GPerNode: 32,
    nics: TWO_NICS,
    gpus: [0, 0, 1, 1],
    pmem: [],
    traits: ['HW_CPU_HYPERTHREADING', 'CUSTOM_GPU'],
    share: 12,
  },
  {
    name: 'pmem',
    cpu: CASCADE_LAKE,
    sockets: 2,
    nodesPerSocket: 1,
    coresPerNode: 12,
    gibPerNode: 96,
    sharedCoresPerNode: 6,
    hugePages2MPerNode: 4096,
    hugePages1GPerNode: 8,
    nics: [{ cell: 0, physnet: 'physnet-a', vfs: 4 }],
    gpus: [],
    pmem: [
      { cell: 0, sizesGib: [16, 16, 64] },
      { cell: 1, sizesGib: [16, 64] },
    ],
    traits: ['HW_CPU_HYPERTHREADING', 'CUSTOM_PMEM'],
    share: 8,
  },
]

const ZONES = ['az-1', 'az-2', 'az-3']

/** `count` hosts, spread over models and zones, each `size` times as large; the same numbers give the same fleet. */
export function demoHosts(count: number, size = 1): readonly HostSpec[] {
  const total = MODELS.reduce((sum, model) => sum + model.share, 0)
  const hosts: HostSpec[] = []
  for (const [at, model] of MODELS.entries()) {
    const before = MODELS.slice(0, at).reduce((sum, other) => sum + other.share, 0)
    const from = Math.round((before / total) * count)
    const to = Math.round(((before + model.share) / total) * count)
    for (let index = from; index < to; index++) hosts.push(machine(larger(model, size), index - from + 1, index))
  }
  return hosts
}

/** A larger machine of the same model: cores, memory and cards are multiplied; NUMA nodes and networks are not. */
function larger(model: MachineModel, size: number): MachineModel {
  const times = <T>(list: readonly T[]) => Array.from({ length: size }, () => list).flat()
  return {
    ...model,
    coresPerNode: model.coresPerNode * size,
    gibPerNode: model.gibPerNode * size,
    sharedCoresPerNode: model.sharedCoresPerNode * size,
    hugePages2MPerNode: model.hugePages2MPerNode * size,
    hugePages1GPerNode: model.hugePages1GPerNode * size,
    gpus: times(model.gpus),
    pmem: model.pmem.map((region) => ({ ...region, sizesGib: times(times(region.sizesGib)) })),
  }
}

function machine(model: MachineModel, number: number, index: number): HostSpec {
  const zone = ZONES[index % ZONES.length] as string
  return hostSpec({
    name: `${model.name}-${String(number).padStart(2, '0')}`,
    zone,
    cpu: model.cpu,
    numaNodes: Array.from({ length: model.sockets * model.nodesPerSocket }, (_, node) => nodeOf(model, node)),
    devices: [...model.nics.flatMap(nicFunctions), ...model.gpus.flatMap(gpuUnits), ...model.pmem.flatMap(namespaces)],
    traits: model.traits,
    aggregates: [`rack-${(index % 6) + 1}`],
    diskGib: 4000,
    reservedMib: 2048,
    cpuAllocationRatioMilli: 4000,
    ramAllocationRatioMilli: 1000,
  })
}

/** Numbers threads as Linux does: first the first threads of all cores, then the second ones. */
function nodeOf(model: MachineModel, node: number): BareNode {
  const cores = model.sockets * model.nodesPerSocket * model.coresPerNode
  const first = node * model.coresPerNode
  const siblings = Array.from({ length: model.coresPerNode }, (_, core) => [first + core, first + core + cores])
  const byId = (a: number, b: number) => a - b
  const memoryMib = model.gibPerNode * 1024
  const small = memoryMib - model.hugePages2MPerNode * 2 - model.hugePages1GPerNode * 1024
  return {
    id: node,
    socket: Math.floor(node / model.nodesPerSocket),
    sharedCpus: siblings.slice(0, model.sharedCoresPerNode).flat().sort(byId),
    dedicatedCpus: siblings.slice(model.sharedCoresPerNode).flat().sort(byId),
    siblings,
    memoryMib,
    pages: [
      { sizeKib: 4, total: small * 256 },
      { sizeKib: 2048, total: model.hugePages2MPerNode },
      { sizeKib: 1048576, total: model.hugePages1GPerNode },
    ],
    physnets: model.nics.filter((nic) => nic.cell === node).map((nic) => nic.physnet),
    tunneled: node === 0,
    distances: Array.from({ length: model.sockets * model.nodesPerSocket }, (_, other) =>
      other === node
        ? 10
        : Math.floor(other / model.nodesPerSocket) === Math.floor(node / model.nodesPerSocket)
          ? 12
          : 21,
    ),
  }
}

/** An Intel E810 PF with its VFs. A live migration can transfer the state of a VF. */
function nicFunctions(nic: MachineModel['nics'][number], index: number): Device[] {
  const bus = (0x3b + index * 0x20).toString(16)
  const pf = `0000:${bus}:00.0`
  const at = (address: string, productId: string, devType: 'type-PF' | 'type-VF'): Device => ({
    unit: pciUnit(address),
    kind: 'pci',
    cell: nic.cell,
    parent: devType === 'type-VF' ? pciUnit(pf) : null,
    resourceClass: `CUSTOM_PCI_8086_${productId}`.toUpperCase(),
    pci: {
      address,
      vendorId: '8086',
      productId,
      devType,
      tags: { physical_network: nic.physnet, live_migratable: devType === 'type-VF' ? 'true' : 'false' },
    },
    free: true,
  })
  const vfs = Array.from({ length: nic.vfs }, (_, vf) =>
    at(`0000:${bus}:${vf < 8 ? '01' : '02'}.${vf % 8}`, '1889', 'type-VF'),
  )
  return [at(pf, '1592', 'type-PF'), ...vfs]
}

/** An NVIDIA A16 GPU, assignable as a whole or as four vGPUs of one type. */
function gpuUnits(node: number, index: number): Device[] {
  const address = `0000:${(0x80 + index * 8).toString(16)}:00.0`
  const whole: Device = {
    unit: pciUnit(address),
    kind: 'pci',
    cell: node,
    parent: null,
    resourceClass: 'CUSTOM_PCI_10DE_25B6',
    pci: { address, vendorId: '10de', productId: '25b6', devType: 'type-PCI', tags: { live_migratable: 'false' } },
    free: true,
  }
  const slots = Array.from({ length: 4 }, (_, slot) => ({
    unit: vgpuUnit(address, 'nvidia-711', slot),
    kind: 'vgpu' as const,
    cell: node,
    parent: whole.unit,
    resourceClass: VGPU,
    mdevType: 'nvidia-711',
    free: true,
  }))
  return [whole, ...slots]
}

function namespaces(region: MachineModel['pmem'][number]): Device[] {
  return region.sizesGib.map((gib, index) => ({
    unit: vpmemUnit(`ns${region.cell}.${index}`),
    kind: 'vpmem' as const,
    cell: region.cell,
    parent: null,
    resourceClass: `CUSTOM_PMEM_NAMESPACE_${gib}GB`,
    sizeMib: gib * 1024,
    free: true,
  }))
}
