// Types of the recorded vectors, as far as the replayers read them, and of a replay's result. Their
// keys end in `Mb` and `Kb` and mean MiB and KiB; they are renamed when a file is read.

const UNITS: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/(?<=[a-z])Mb$/, 'Mib'],
  [/(?<=[a-z])Kb$/, 'Kib'],
]

/** The same value with the units of every key renamed, at any depth. */
export function inOurUnits(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOurUnits)
  if (typeof value !== 'object' || value === null) return value
  const rename = (key: string) => UNITS.reduce((name, [theirs, ours]) => name.replace(theirs, ours), key)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), inOurUnits(inner)]))
}

export interface VectorFile {
  readonly kind: string
  readonly cases: readonly VectorCase[]
}

export interface VectorCase {
  readonly id: string
  readonly note?: string
}

/** Null: the case passed. Otherwise the difference, in one sentence. */
export type Verdict = string | null

export interface VectorPages {
  readonly sizeKib: number
  readonly total: number
  readonly used: number
  readonly reserved: number
}

export interface VectorNode {
  readonly id: number
  readonly socket: number | null
  readonly cpuset: readonly number[]
  readonly pcpuset: readonly number[]
  readonly siblings: readonly (readonly number[])[]
  readonly pinnedCpus: readonly number[]
  readonly cpuUsage: number
  readonly memoryMib: number
  readonly memoryUsageMib: number
  readonly memPages: readonly VectorPages[]
  readonly network?: { readonly physnets: readonly string[]; readonly tunneled: boolean }
}

export interface VectorGuestNode {
  readonly id: number
  readonly cpuset: readonly number[]
  readonly pcpuset: readonly number[]
  readonly memoryMib: number
  readonly pageSizeKib: number | null
  readonly cpuPolicy: 'shared' | 'dedicated' | 'mixed' | null
  readonly cpuThreadPolicy: 'prefer' | 'isolate' | 'require' | null
  readonly cpuPinning?: Readonly<Record<string, number>>
  readonly cpusetReserved?: readonly number[]
}

export interface VectorGuest {
  readonly emulatorThreadsPolicy: 'share' | 'isolate' | null
  readonly cells: readonly VectorGuestNode[]
}

export interface VectorLimits {
  readonly cpuAllocationRatio: number
  readonly ramAllocationRatio: number
  readonly network?: { readonly physnets: readonly string[]; readonly tunneled: boolean }
}

export interface VectorRequest {
  readonly requestId: string
  readonly aliasName: string
  readonly count: number
  readonly spec: readonly Readonly<Record<string, string>>[]
  readonly numaPolicy: 'required' | 'legacy' | 'preferred' | 'socket' | null
  readonly placementProviders?: readonly string[] | null
}

export interface VectorPool {
  readonly vendorId: string
  readonly productId: string
  readonly numaNode: number | null
  readonly devType: 'type-PCI' | 'type-PF' | 'type-VF' | 'vdpa'
  readonly count: number
  readonly tags?: Readonly<Record<string, string>>
}

export interface FitCaseFile extends VectorCase {
  readonly host: { readonly cells: readonly VectorNode[] }
  readonly instance: VectorGuest
  readonly limits: VectorLimits | null
  readonly pci: { readonly pools: readonly VectorPool[]; readonly requests: readonly VectorRequest[] } | null
  readonly expected: { readonly fits: boolean }
}

export interface VectorDevice {
  readonly address: string
  readonly vendorId: string
  readonly productId: string
  readonly devType: VectorPool['devType']
  readonly numaNode: number | null
  readonly parentAddress: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly free: boolean
  readonly rpUuid?: string | null
}

export interface PciCaseFile extends VectorCase {
  readonly numaCells: readonly { readonly id: number; readonly socket: number | null }[]
  readonly devices: readonly VectorDevice[]
  readonly requests: readonly VectorRequest[]
  readonly instanceCells: readonly number[] | null
  readonly expected: { readonly feasible: boolean; readonly consumable: boolean | null; readonly class: string }
}
