import { parseCpuList, readInteger } from '../cpu/cpu-list'
import type { CpuPolicy, CpuThreadPolicy, PciNumaPolicy } from '../guest-topology'

// Flavor and image values, parsed into types. Flavor values stay text until their rule reads them; image properties are
// typed in Nova (`ImageMetaProps`), so a bad one is wrong before any rule runs: stage `image`.

export interface Flavor {
  readonly vcpus: number
  readonly memoryMib: number
  readonly extraSpecs: Readonly<Record<string, string>>
}

export type ImageProperties = Readonly<Record<string, string>>

/** Which rule the flavor and image break. Each is one Nova exception class (the table is in `server/vectors`). */
export type ConstraintErrorKind =
  | 'not-a-value'
  | 'cpu-list-invalid'
  | 'cpu-policy-invalid'
  | 'cpu-policy-forbidden'
  | 'thread-policy-invalid'
  | 'thread-policy-forbidden'
  | 'thread-policy-without-dedicated'
  | 'emulator-threads-invalid'
  | 'emulator-threads-without-dedicated'
  | 'dedicated-mask-invalid'
  | 'dedicated-mask-without-mixed'
  | 'mask-missing-or-doubled'
  | 'realtime-without-dedicated'
  | 'realtime-mask-invalid'
  | 'resources-conflict'
  | 'numa-nodes-invalid'
  | 'numa-forbidden'
  | 'numa-asymmetric'
  | 'numa-incomplete'
  | 'numa-cpu-out-of-range'
  | 'numa-cpu-duplicate'
  | 'numa-cpu-unassigned'
  | 'numa-memory-sum'
  | 'page-size-invalid'
  | 'page-size-forbidden'
  | 'locked-memory-conflict'
  | 'locked-memory-without-pages'
  | 'pci-numa-policy-conflict'
  | 'pci-numa-policy-invalid'

export interface ConstraintError {
  readonly kind: ConstraintErrorKind
  /** `image`: an image property does not parse. `constraints`: refused while combining. */
  readonly stage: 'image' | 'constraints'
  readonly message: string
}

/** A broken rule as a value. A class, so that one `instanceof` tells it from any other result of a rule. */
export class ConstraintViolation {
  readonly error: ConstraintError
  constructor(kind: ConstraintErrorKind, message: string, stage: ConstraintError['stage'] = 'constraints') {
    this.error = { kind, stage, message }
  }
}

export const CPU_POLICIES: readonly CpuPolicy[] = ['shared', 'dedicated', 'mixed']
export const THREAD_POLICIES: readonly CpuThreadPolicy[] = ['prefer', 'isolate', 'require']
export const PCI_NUMA_POLICIES: readonly PciNumaPolicy[] = ['required', 'legacy', 'preferred', 'socket']

export interface Image {
  readonly cpuPolicy: CpuPolicy | null
  readonly threadPolicy: CpuThreadPolicy | null
  readonly pciNumaPolicy: PciNumaPolicy | null
  readonly realtimeMask: string | null
  readonly lockedMemory: boolean | null
  readonly pageSize: string | null
  readonly numaNodes: number | null
  readonly numaCpus: readonly (readonly number[])[] | null
  readonly numaMemoryMib: readonly number[] | null
  readonly hyperthreadingRequired: boolean
}

const ENUM_FIELDS: readonly (readonly [key: string, allowed: readonly string[]])[] = [
  ['hw_cpu_policy', CPU_POLICIES],
  ['hw_cpu_thread_policy', THREAD_POLICIES],
  ['hw_pci_numa_affinity_policy', PCI_NUMA_POLICIES],
]

// All that Nova types as integers here. Only the nodes matter to Berth, but any bad field makes the image invalid too.
const INTEGER_FIELDS = [
  'hw_cpu_cores',
  'hw_cpu_sockets',
  'hw_cpu_threads',
  'hw_cpu_max_cores',
  'hw_cpu_max_sockets',
  'hw_cpu_max_threads',
  'hw_numa_nodes',
]

const TRUE_WORDS = new Set(['1', 't', 'true', 'on', 'y', 'yes'])

/** oslo.utils `bool_from_string`, not strict: every word that does not mean yes means no. */
export function readBoolean(text: string): boolean {
  return TRUE_WORDS.has(text.trim().toLowerCase())
}

export function readImage(properties: ImageProperties): Image | ConstraintViolation {
  for (const [key, allowed] of ENUM_FIELDS) {
    const value = properties[key]
    if (value !== undefined && !allowed.includes(value)) {
      return new ConstraintViolation('not-a-value', `${key} is ${value}, must be one of ${allowed.join(', ')}`, 'image')
    }
  }
  for (const key of INTEGER_FIELDS) {
    const value = properties[key]
    if (value !== undefined && readInteger(value) === null) {
      return new ConstraintViolation('not-a-value', `${key} is ${value}, must be an integer`, 'image')
    }
  }
  const numaCpus = readList(properties, 'hw_numa_cpus', { read: parseCpuList, wrong: 'cpu-list-invalid' })
  if (numaCpus instanceof ConstraintViolation) return imageStage(numaCpus)
  const numaMemoryMib = readList(properties, 'hw_numa_mem', { read: readInteger, wrong: 'not-a-value' })
  if (numaMemoryMib instanceof ConstraintViolation) return imageStage(numaMemoryMib)
  return typedImage(properties, numaCpus, numaMemoryMib)
}

function typedImage(properties: ImageProperties, numaCpus: Image['numaCpus'], numaMemoryMib: Image['numaMemoryMib']) {
  const locked = properties.hw_locked_memory
  const nodes = properties.hw_numa_nodes
  return {
    cpuPolicy: (properties.hw_cpu_policy ?? null) as CpuPolicy | null,
    threadPolicy: (properties.hw_cpu_thread_policy ?? null) as CpuThreadPolicy | null,
    pciNumaPolicy: (properties.hw_pci_numa_affinity_policy ?? null) as PciNumaPolicy | null,
    realtimeMask: properties.hw_cpu_realtime_mask ?? null,
    lockedMemory: locked === undefined ? null : readBoolean(locked),
    pageSize: properties.hw_mem_page_size ?? null,
    numaNodes: nodes === undefined ? null : readInteger(nodes),
    numaCpus,
    numaMemoryMib,
    hyperthreadingRequired: properties['trait:HW_CPU_HYPERTHREADING'] === 'required',
  }
}

const imageStage = (wrong: ConstraintViolation) =>
  new ConstraintViolation(wrong.error.kind, wrong.error.message, 'image')

interface ListReader<T> {
  readonly read: (text: string) => T | null
  readonly wrong: ConstraintErrorKind
}

// Nova's own bound on the number of guest NUMA nodes that can be listed.
const MAX_LIST_ENTRIES = 128

/** `key.0`, `key.1` … up to the first gap; null when there is none. */
export function readList<T>(
  source: Readonly<Record<string, string>>,
  key: string,
  reader: ListReader<T>,
): readonly T[] | null | ConstraintViolation {
  const list: T[] = []
  for (let index = 0; index < MAX_LIST_ENTRIES; index++) {
    const text = source[`${key}.${index}`]
    if (text === undefined) break
    const value = reader.read(text)
    if (value === null) return new ConstraintViolation(reader.wrong, `${key}.${index} does not parse: ${text}`)
    list.push(value)
  }
  return list.length > 0 ? list : null
}
