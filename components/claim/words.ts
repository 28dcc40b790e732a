import type { ClaimTotals, Mark } from '@/server/api/claim/view'
import type { UnitUse } from '@/server/engine/host'
import type { UnitKind } from '@/server/engine/words/units'
import type { StateLook } from '../ui/Badge'
import { count, gib, mib, plural } from '../ui/format'
import { uiWords } from '../ui/words'

export const claimWords = {
  amounts: { vcpus: 'vCPUs', pinnedCpus: 'pinned CPUs', memoryMib: 'memory', diskGib: 'disk', devices: 'devices' },
  title: 'Claims',
  filter: 'Instance or id',
  filters: {
    instance: 'name of the instance; web-* for many',
    side: 'held, incoming or outgoing',
    cell: 'a NUMA cell it is bound to',
    device: 'address of a device it holds',
  },
  empty: 'Nothing is held',
  emptyFiltered: 'No claim matches',
  emptyFilteredMore: 'Clear the filter to see every claim on this host.',
  emptyMore: 'No instance and no migration holds anything here.',
  columns: {
    holder: 'Held by',
    mark: 'Side',
    host: 'Host',
    instance: 'Instance',
    cpus: 'CPUs',
    cells: 'Cells',
    memory: 'Memory',
    devices: 'Devices',
    amounts: 'Amounts',
    since: 'Since',
  },
  byMigration: 'its migration',
  byInstance: 'the instance',
  pin: (vcpu: number, cpu: number) => `vCPU ${vcpu} on CPU ${cpu}`,
  memory: (amount: string, pages: string | null) => (pages === null ? amount : `${amount} in ${pages} pages`),
  use: (use: string, cell: number | null) => (cell === null ? use : `${use}, cell ${cell}`),
  cell: (guest: number, host: number) => `guest cell ${guest} on host cell ${host}`,
  pins: 'CPU pins',
  offNode: 'on another NUMA node than the guest',
  emulator: 'emulator threads',
  shared: (n: number) => `${plural(n, 'vCPU')} floating`,
  cpus: (parts: readonly (string | null)[]) => parts.filter(Boolean).join(' + '),
  noTopology: 'No NUMA topology: vCPUs float, memory is not bound.',
  units: 'Devices',
  noUnits: 'no devices',
  total: 'In total',
  mapping: {
    title: 'Old to new',
    what: 'What',
    item: 'Of the guest',
    old: 'Old',
    new: 'New',
    change: 'Change',
    changed: 'changed',
    same: 'same',
    only: { old: 'given back', new: 'added' },
    groups: { cells: 'Cells', cpus: 'CPUs', devices: 'Devices', amounts: 'Amounts' },
    cell: (key: string) => `guest cell ${key}`,
    cpu: (key: string) => (/^\d+$/.test(key) ? `vCPU ${key}` : key),
    hostCell: (cell: number) => `cell ${cell}`,
    pages: (size: string) => `${size} pages`,
    hostCpu: (cpu: number) => `CPU ${cpu}`,
    none: '–',
    empty: 'No claim was made, so there is nothing to compare.',
    noPlaces: 'This claim has amounts only: no pinned CPUs, no bound cells, no devices.',
  },
} as const

/** A claim's side, the same look on the map, in bars and in rows. */
export const markLooks: Readonly<Record<Mark, StateLook>> = {
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
  vpmem: 'pmem namespace',
}

/** A claim in one line: `4 pinned CPUs, 8 GiB, 2 devices`. What is none is left out; nothing at all is said so. */
export function heldText(held: ClaimTotals): string {
  const parts = [
    held.pinnedCpus > 0 ? plural(held.pinnedCpus, 'pinned CPU') : held.vcpus > 0 ? plural(held.vcpus, 'vCPU') : null,
    held.memoryMib > 0 ? mib(held.memoryMib) : null,
    held.diskGib > 0 ? `${gib(held.diskGib)} disk` : null,
    held.devices > 0 ? plural(held.devices, 'device') : null,
  ]
  return parts.filter(Boolean).join(', ') || 'nothing'
}

const UNITS: Readonly<Record<string, (n: number) => string>> = { MEMORY_MB: mib, DISK_GB: gib }

/** An amount of a resource class in the class's own unit. */
export const amountText = (resourceClass: string, amount: number) => (UNITS[resourceClass] ?? count)(amount)

interface Amount {
  readonly resourceClass: string
  readonly amount: number
}

/** `VCPU 4, MEMORY_MB 8 GiB` */
export const amountList = (amounts: readonly Amount[]) =>
  amounts.map(({ resourceClass, amount }) => `${resourceClass} ${amountText(resourceClass, amount)}`).join(', ')

/** What is used of a class and what there is of it: `12 / 96`. */
export const shareText = (resourceClass: string, used: number, total: number) =>
  uiWords.share(amountText(resourceClass, used), amountText(resourceClass, total))
