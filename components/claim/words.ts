import type { Mark } from '@/server/api/claim/view'
import type { UnitUse } from '@/server/engine/host'
import type { UnitKind } from '@/server/engine/words/units'
import type { BadgeContent } from '../ui/Badge'
import { plural } from '../ui/format'

export const claimWords = {
  amounts: { vcpus: 'vCPUs', pinnedCpus: 'pinned CPUs', memoryMib: 'memory', diskGib: 'disk', devices: 'devices' },
  title: 'Claims',
  filter: 'Instance or id',
  filters: {
    instance: 'name of the instance; web-* for many',
    side: 'held, incoming or outgoing',
    cell: 'host NUMA node it is bound to',
    device: 'address of one of its devices',
  },
  empty: 'No claims',
  emptyFiltered: 'No claim matches',
  emptyFilteredMore: 'Clear the filter to see every claim on this host.',
  emptyMore: 'No instance or migration has a claim here.',
  columns: {
    holder: 'Held by',
    mark: 'Side',
    host: 'Host',
    instance: 'Instance',
    cpus: 'CPUs',
    cells: 'NUMA nodes',
    memory: 'Memory',
    devices: 'Devices',
    amounts: 'Amounts',
    since: 'Since',
  },
  byMigration: 'its migration',
  byInstance: 'the instance',
  byNoMigration: 'no active migration',
  pinned: 'vCPU to CPU:',
  pin: (vcpu: number, cpu: number) => `vCPU ${vcpu} on CPU ${cpu}`,
  memory: (amount: string, pages: string | null) => (pages === null ? amount : `${amount} in ${pages} pages`),
  use: (use: string, cell: number | null) => (cell === null ? use : `${use}, NUMA node ${cell}`),
  cell: (instance: number, host: number) => `guest NUMA node ${instance} on host NUMA node ${host}`,
  pins: 'CPU pins',
  offNode: 'on another NUMA node than the instance',
  emulator: 'emulator threads',
  shared: (n: number) => `${plural(n, 'vCPU')} floating`,
  cpus: (parts: readonly (string | null)[]) => parts.filter(Boolean).join(' + '),
  noTopology: 'No NUMA topology: vCPUs float, memory is not bound.',
  units: 'Devices',
  noUnits: 'no devices',
  total: 'In total',
  mapping: {
    title: 'Resource mapping',
    what: 'Resource',
    item: 'Guest',
    old: 'Old',
    new: 'New',
    change: 'Change',
    changed: 'changed',
    same: 'same',
    only: { old: 'released', new: 'added' },
    groups: { cells: 'NUMA nodes', cpus: 'CPUs', devices: 'Devices', amounts: 'Amounts' },
    cell: (key: string) => `guest NUMA node ${key}`,
    cpu: (key: string) => (/^\d+$/.test(key) ? `vCPU ${key}` : key),
    hostNumaNode: (cell: number) => `NUMA node ${cell}`,
    pages: (size: string) => `${size} pages`,
    hostCpu: (cpu: number) => `CPU ${cpu}`,
    none: '–',
    empty: 'Nothing was claimed, so there is nothing to compare.',
    noPlaces: 'This claim has amounts only: no pinned CPUs, NUMA nodes or devices.',
  },
} as const

/** The side of a claim, with the same mark on the map, in bars and in rows. */
export const markBadges: Readonly<Record<Mark, BadgeContent>> = {
  held: { shape: 'square', tone: 'idle', label: 'held' },
  incoming: { shape: 'into', tone: 'flow', label: 'incoming' },
  outgoing: { shape: 'outof', tone: 'warn', label: 'outgoing' },
}

export const useWords: Readonly<Record<UnitUse, string>> = {
  pin: 'pinned',
  emulator: 'emulator threads',
  sibling: 'kept idle (sibling)',
  device: 'attached',
  'with-parent': 'taken with its parent',
}

export const unitKindWords: Readonly<Record<UnitKind, string>> = {
  cpu: 'CPU',
  pci: 'PCI function',
  vgpu: 'vGPU',
  vpmem: 'PMEM namespace',
}
