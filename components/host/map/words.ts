import type { MapDevice } from '@/server/api/device/view'
import type { BadgeContent } from '../../ui/Badge'
import { plural } from '../../ui/format'

// Texts of a host's map, which few pages show.

/** The state of one CPU or device on the map. */
export type UnitState =
  | 'free'
  | 'held'
  | 'incoming'
  | 'outgoing'
  | 'double'
  | 'shared'
  | 'unpinned'
  | 'reserved'
  | 'blocked'
  | 'missing'

export const placeBadges: Readonly<Record<UnitState, BadgeContent>> = {
  free: { shape: 'ring', tone: 'idle', label: 'free' },
  held: { shape: 'square', tone: 'idle', label: 'held' },
  incoming: { shape: 'into', tone: 'flow', label: 'incoming' },
  outgoing: { shape: 'outof', tone: 'warn', label: 'outgoing' },
  double: { shape: 'cross', tone: 'bad', label: 'held twice' },
  shared: { shape: 'half', tone: 'idle', label: 'shared pool' },
  unpinned: { shape: 'ring', tone: 'idle', label: 'no pinned vCPU' },
  reserved: { shape: 'unknown', tone: 'idle', label: 'reserved for the host' },
  blocked: { shape: 'pause', tone: 'idle', label: 'blocked' },
  missing: { shape: 'dash', tone: 'bad', label: 'missing' },
}

/** States on the map of a host that Berth manages. */
export const OWN_STATES: readonly UnitState[] = [
  ...(['free', 'held', 'incoming', 'outgoing', 'double', 'shared', 'reserved', 'blocked', 'missing'] as const),
]

/** States on a map that only libvirt reports. */
export const LIBVIRT_STATES: readonly UnitState[] = ['held', 'double', 'unpinned', 'free', 'blocked']

export const roleWords: Readonly<Record<MapDevice['role'], string>> = {
  pf: 'PF',
  vf: 'VF',
  card: 'PCI',
  gpu: 'GPU',
  vgpu: 'vGPU',
  region: 'PMEM',
  namespace: 'NS',
}

export const mapWords = {
  title: 'Map',
  view: 'Show as',
  legend: 'Legend',
  cell: (id: number) => `NUMA node ${id}`,
  socket: (id: number) => `socket ${id}`,
  pinned: (used: number, total: number) => `${used} of ${total} pinned`,
  memory: 'Memory',
  ordinary: 'small pages',
  pages: (size: string) => `${size} pages`,
  cpus: 'CPUs',
  sharedPool: (cpus: number, placed: number) => `${plural(cpus, 'CPU')} shared, ${plural(placed, 'vCPU')} placed`,
  floatingCount: 'vCPUs not pinned',
  heldBy: (place: string, holders: number) => `${place}, held by ${holders}`,
  floating: (vcpus: number) => `${plural(vcpus, 'vCPU')} on any CPU of this node`,
  devices: 'Devices',
  noNumaNode: 'NUMA node unknown',
  noNumaNodeMore: 'The hypervisor does not report the NUMA node of these.',
  networks: (names: readonly string[]) => `networks ${names.join(', ')}`,
  cpu: (id: number) => `CPU ${id}`,
  core: (siblings: readonly number[]) => `core with CPU ${siblings.join(', ')}`,
  vcpu: (id: number) => `vCPU ${id}`,
  inspector: 'CPU or device',
  inspectHint:
    'Point at a CPU or device, or use the arrow keys, Home and End. Enter opens its holder; Space or a click keeps it here.',
  instances: (n: number) => plural(n, 'instance'),
  onNoNumaNode: 'no NUMA topology',
  instance: (name: string, marks: readonly string[]) => [name, ...marks].join(', '),
  where: (parts: readonly (string | null)[]) => parts.filter(Boolean).join(' · '),
  uses: (uses: readonly string[]) => uses.join('; '),
  holds: (cpus: number, devices: number) =>
    [cpus > 0 ? plural(cpus, 'CPU') : null, devices > 0 ? plural(devices, 'device') : null].filter(Boolean).join(', '),
  counts: 'On this host',
  twoHoldings: 'Two claims here',
  twoHoldingsMore: 'A resize on the same host: the old claim stays until the migration is confirmed.',
  old: 'old',
  new: 'new',
  table: {
    unit: 'CPU or device',
    kind: 'Kind',
    cell: 'NUMA node',
    state: 'State',
    holder: 'Held by',
    use: 'Use',
    migration: 'Migration',
    label: 'Description',
  },
  empty: 'No map of this host',
  emptyMore: 'Its hypervisor has not reported its NUMA nodes, CPUs and devices yet.',
} as const
