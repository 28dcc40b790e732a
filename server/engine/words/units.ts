// Names of assignable things. A unit's name is unique on its host and is shown on screens: `cpu:12`,
// `pci:0000:3b:02.1`, `vgpu:0000:d8:00.0:nvidia-35:3`, `pmem:ns0`.

/** Each kind has a file in `topology/device/` and a line in its `devices.ts`. */
export const DEVICE_UNITS = ['pci', 'vgpu', 'vpmem'] as const

/** Kinds of units that are assigned, not counted. */
export const UNIT_KINDS = ['cpu', ...DEVICE_UNITS] as const
export type UnitKind = (typeof UNIT_KINDS)[number]

export type UnitName = `${string}:${string}`

export const cpuUnit = (cpu: number): UnitName => `cpu:${cpu}`
export const pciUnit = (address: string): UnitName => `pci:${address}`
export const vgpuUnit = (gpuAddress: string, mdevType: string, slot: number): UnitName =>
  `vgpu:${gpuAddress}:${mdevType}:${slot}`
export const vpmemUnit = (namespace: string): UnitName => `pmem:${namespace}`

const KINDS: Readonly<Record<string, UnitKind>> = { cpu: 'cpu', vgpu: 'vgpu', pmem: 'vpmem' }

export const unitKindOf = (unit: UnitName): UnitKind => KINDS[unit.slice(0, unit.indexOf(':'))] ?? 'pci'

/** Page sizes that an instance may request instead of a number of KiB (Nova `hw:mem_page_size`). */
export const PAGE_SMALL = -1
export const PAGE_LARGE = -2
export const PAGE_ANY = -3

/** Placement's standard resource classes that the engine itself uses. */
export const VCPU = 'VCPU'
export const PCPU = 'PCPU'
export const MEMORY_MB = 'MEMORY_MB'
export const DISK_GB = 'DISK_GB'
export const VGPU = 'VGPU'
