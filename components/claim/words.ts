import { USUAL_CLASSES } from '@/lists/classes'
import type { ClaimTotals, Mark } from '@/server/api/claim/view'
import type { UnitUse } from '@/server/engine/host'
import type { UnitKind } from '@/server/engine/words/units'
import type { BadgeContent } from '../ui/Badge'
import { count, gib, mib, plural } from '../ui/format'
import { uiWords } from '../ui/words'

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

/** A claim in one line: `4 pinned CPUs, 8 GiB, 2 devices`. Omits zeros; an empty claim is `nothing`. */
export function claimTotalsText(held: ClaimTotals): string {
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

/** `VCPU 4, MEMORY_MB 8 GiB`: CPUs and memory first, so that a narrow column shows the main part of a claim. */
export const amountList = (amounts: readonly Amount[]) =>
  mainFirst(amounts)
    .map(({ resourceClass, amount }) => `${resourceClass} ${amountText(resourceClass, amount)}`)
    .join(', ')

export const mainFirst = <Of extends Amount>(amounts: readonly Of[]): readonly Of[] =>
  amounts.toSorted((one, other) => placeOf(one) - placeOf(other))

function placeOf({ resourceClass }: Amount): number {
  const at = (USUAL_CLASSES as readonly string[]).indexOf(resourceClass)
  return at < 0 ? USUAL_CLASSES.length : at
}

/** Used and total of a resource class: `12 / 96`. */
export const shareText = (resourceClass: string, used: number, total: number) =>
  uiWords.share(amountText(resourceClass, used), amountText(resourceClass, total))

/** The largest shape that fits: of one kind on the overview, of one request on the explain page. */
export const largestWords = {
  shape: (vcpus: number, memoryMib: number, devices: number) =>
    [plural(vcpus, 'vCPU'), mib(memoryMib), devices > 0 ? plural(devices, 'device') : null].filter(Boolean).join(', '),
  atLeast: 'at least',
  on: 'on',
  nothingFits: 'none: refused for reasons other than size',
  nothingFound: 'none found so far',
} as const
