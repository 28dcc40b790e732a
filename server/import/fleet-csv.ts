import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { Flavor, Image } from '../engine/demand'
import type { HostSpec } from '../engine/host'
import type { Device } from '../engine/topology/host'
import { pciUnit, VGPU, vgpuUnit } from '../engine/words/units'
import { type BareNode, hostSpec } from './host-spec'
import { type ImportIssue, type ImportResult, problem } from './issue'

// A fleet as two tables: hosts with CPUs, memory and GPUs, and workloads that request them.
// Source: the format of alibaba/clusterdata cluster-trace-gpu-v2023.

export interface Workload {
  readonly name: string
  readonly flavor: Flavor
  readonly image: Image
}

/** vGPUs per GPU, unless it is assigned as a whole. */
const VGPUS_PER_GPU = 2
const MDEV_TYPE = 'half'
/** Hosts with this many CPUs or more are assumed to have two sockets with a NUMA node each. */
const TWO_NODES_FROM_CPUS = 64
const NVIDIA = '10de'

/** PCI product ids of the models in the tables. G2 and G3 are the publisher's aliases; their ids are made up. */
const PRODUCT_OF: Readonly<Record<string, string>> = {
  A10: '2236',
  G2: 'fb02',
  G3: 'fb03',
  P100: '15f8',
  T4: '1eb8',
  V100M16: '1db1',
  V100M32: '1db5',
}

// The list of the CPUs of a host in another unit would fill the memory.
const CPU_MILLI = { host: 1_000, max: 4_096_000 } as const
const MEMORY_MIB_MAX = 2 ** 27
/** Each has a bus of its own. */
const GPUS_MAX = 30

const count = z.coerce.number().int().nonnegative()
/** Without control characters, which no text of the database has. */
const name = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}+$/u, 'expected no control characters')
const nodeRow = z.object({
  sn: name,
  cpu_milli: count.min(CPU_MILLI.host).max(CPU_MILLI.max),
  memory_mib: count.positive().max(MEMORY_MIB_MAX),
  gpu: count.max(GPUS_MAX),
  model: z.string(),
})
const podRow = z.object({
  name,
  cpu_milli: count.positive().max(CPU_MILLI.max),
  memory_mib: count.positive().max(MEMORY_MIB_MAX),
  num_gpu: count.max(GPUS_MAX),
  gpu_milli: z.union([z.literal('').transform(() => 0), count.max(1000)]),
  gpu_spec: z.string(),
})

export function parseNodes(text: string, file: string): ImportResult<readonly HostSpec[]> {
  const rows = readRows({ text, file, row: nodeRow, key: (node) => node.sn })
  const issues = [...rows.issues]
  const hosts = rows.value.flatMap(({ row, where }) => {
    if (row.gpu > 0 && !isKnown(row.model)) {
      issues.push(
        problem(where, `the GPU model "${row.model}" is not known`, `use one of ${Object.keys(PRODUCT_OF).join(', ')}`),
      )
      return []
    }
    return [nodeSpec(row)]
  })
  return { value: hosts, issues }
}

export function parsePods(text: string, file: string): ImportResult<readonly Workload[]> {
  const rows = readRows({ text, file, row: podRow, key: (pod) => pod.name })
  const issues = [...rows.issues]
  const workloads = rows.value.flatMap(({ row, where }) => {
    const unknown = modelsOf(row.gpu_spec).filter((model) => !isKnown(model))
    if (unknown.length > 0) {
      issues.push(
        problem(
          where,
          `gpu_spec names the unknown model ${unknown.join(', ')}`,
          `use ${Object.keys(PRODUCT_OF).join(', ')}`,
        ),
      )
      return []
    }
    return [workload(row)]
  })
  return { value: workloads, issues }
}

interface Rows<T> {
  readonly value: readonly { readonly row: T; readonly where: string }[]
  readonly issues: readonly ImportIssue[]
}

function readRows<T>(source: { text: string; file: string; row: z.ZodType<T>; key: (row: T) => string }): Rows<T> {
  const { text, file, row: schema, key } = source
  let records: { record: Record<string, string>; info: { lines: number } }[]
  try {
    records = parse(text, { columns: true, info: true, skip_empty_lines: true, relax_column_count: true, bom: true })
  } catch (error) {
    const what = `this is not a table of comma-separated values: ${(error as Error).message}`
    return { value: [], issues: [problem(file, what, 'save the table as CSV with a header line')] }
  }
  const issues: ImportIssue[] = []
  const seen = new Map<string, string>()
  const value = records.flatMap(({ record, info }) => {
    const where = `${file} line ${info.lines}`
    const read = schema.safeParse(record)
    if (!read.success) {
      for (const fault of read.error.issues)
        issues.push(
          problem(
            where,
            `${fault.path.join('.') || 'row'}: ${fault.message}`,
            'correct this field; the row was left out',
          ),
        )
      return []
    }
    const name = key(read.data)
    const first = seen.get(name)
    if (first) {
      issues.push(
        problem(where, `"${name}" was already given at ${first}`, 'give every name once; this row was left out'),
      )
      return []
    }
    seen.set(name, where)
    return [{ row: read.data, where }]
  })
  if (records.length === 0)
    issues.push(problem(file, 'there are no rows', 'a header line and one line per host or workload are needed'))
  return { value, issues }
}

function nodeSpec(node: z.infer<typeof nodeRow>): HostSpec {
  const cpus = Math.floor(node.cpu_milli / 1000)
  const nodeCount = cpus >= TWO_NODES_FROM_CPUS ? 2 : 1
  const perNode = Math.floor(cpus / nodeCount)
  const numaNodes: BareNode[] = Array.from({ length: nodeCount }, (_, nth) => {
    const ids = Array.from({ length: perNode }, (_, offset) => nth * perNode + offset)
    const memoryMib = Math.floor(node.memory_mib / nodeCount)
    return {
      id: nth,
      socket: nth,
      sharedCpus: ids,
      dedicatedCpus: [],
      siblings: ids.map((id) => [id]), // The table does not say which threads share a core.
      memoryMib,
      pages: [{ sizeKib: 4, total: memoryMib * 256 }],
    }
  })
  return hostSpec({
    name: node.sn,
    zone: null,
    cpu: { arch: 'x86_64', vendor: 'Intel', model: 'unknown', features: [] },
    numaNodes,
    devices: Array.from({ length: node.gpu }, (_, gpu) => gpuUnits(node.model, gpu, gpu % nodeCount)).flat(),
    traits: node.gpu > 0 ? [`CUSTOM_GPU_${node.model}`] : [],
    aggregates: [],
    diskGib: 1024,
    reservedMib: 0,
    cpuAllocationRatioMilli: 1000,
    ramAllocationRatioMilli: 1000,
  })
}

/** A GPU as a PCI function, and the vGPUs that it can be split into instead. A claim on either excludes the other. */
function gpuUnits(model: string, index: number, node: number): Device[] {
  const address = `0000:${(0x10 + index * 8).toString(16)}:00.0`
  const productId = PRODUCT_OF[model] as string
  // The simulated hypervisor can transfer device state, so a drain of this fleet may live-migrate GPU instances.
  const tags = { model: model.toLowerCase(), live_migratable: 'true' }
  const whole: Device = {
    unit: pciUnit(address),
    kind: 'pci',
    cell: node,
    parent: null,
    resourceClass: `CUSTOM_PCI_${NVIDIA}_${productId}`.toUpperCase(),
    pci: { address, vendorId: NVIDIA, productId, devType: 'type-PCI', tags },
    free: true,
  }
  const slots = Array.from({ length: VGPUS_PER_GPU }, (_, slot) => ({
    unit: vgpuUnit(address, MDEV_TYPE, slot),
    kind: 'vgpu' as const,
    cell: node,
    parent: whole.unit,
    resourceClass: VGPU,
    mdevType: MDEV_TYPE,
    free: true,
  }))
  return [whole, ...slots]
}

const isKnown = (model: string) => Object.hasOwn(PRODUCT_OF, model)

const modelsOf = (spec: string) => spec.split('|').filter((model) => model !== '')

/** A whole GPU is a PCI device; a share of one is a vGPU. CPUs are rounded up: there is no half vCPU. */
function workload(pod: z.infer<typeof podRow>): Workload {
  const vcpus = Math.ceil(pod.cpu_milli / 1000)
  const whole = pod.num_gpu > 0 && pod.gpu_milli === 1000
  const specs: Record<string, string> = {}
  if (whole) specs['pci_passthrough:alias'] = `${aliasOf(modelsOf(pod.gpu_spec))}:${pod.num_gpu}`
  else if (pod.num_gpu > 0) specs['resources:VGPU'] = '1'
  // A flavor cannot require one of several traits: a share of a GPU with a choice of models takes any GPU.
  const [model, ...others] = modelsOf(pod.gpu_spec)
  if (!whole && model && others.length === 0) specs[`trait:CUSTOM_GPU_${model}`] = 'required'
  const gpuPart = whole ? `-${pod.num_gpu}gpu` : pod.num_gpu > 0 ? '-vgpu' : ''
  return {
    name: pod.name,
    flavor: {
      name: `c${vcpus}-m${pod.memory_mib}${gpuPart}`,
      vcpus,
      memoryMib: pod.memory_mib,
      diskGib: 0,
      extraSpecs: specs,
    },
    image: { name: 'workload', properties: {} },
  }
}

const aliasOf = (models: readonly string[]) => (models.length === 0 ? 'gpu' : `gpu-${models.join('-').toLowerCase()}`)

/** The PCI aliases that the workloads request: `gpu` for any model, `gpu-t4-p100` for a choice. */
export function gpuAliases(workloads: readonly Workload[]) {
  const names = new Set(
    workloads.flatMap(({ flavor }) => flavor.extraSpecs['pci_passthrough:alias']?.split(':')[0] ?? []),
  )
  return [...names].sort().map((name) => {
    const models = name.split('-').slice(1)
    const spec = models.length === 0 ? [{ vendor_id: NVIDIA }] : models.map((model) => ({ vendor_id: NVIDIA, model }))
    return { name, spec, numaPolicy: 'preferred' as const }
  })
}
