import type { MapDevice } from '@/server/api/device/view'
import type { HostCounts } from '@/server/api/host/list'
import type { HostContact } from '@/server/api/host/view'
import type { HostAction } from '@/server/api/permit/permits'
import type { Verb } from '@/server/api/simulator/controls'
import type { HostScheduling, HostStatus } from '@/server/engine/host'
import type { StateLook } from '../ui/Badge'
import { plural } from '../ui/format'

export const hostWords = {
  title: 'Hosts',
  one: 'Host',
  filter: 'Name or id',
  empty: 'No host yet',
  emptyMore: 'Import hosts to get started. Hosts managed by Nova are listed under Provider trees.',
  emptyFiltered: 'No host matches',
  emptyFilteredMore: 'Clear the filter to see every host.',
  movesIn: 'Migrations in',
  movesOut: 'Migrations out',
  never: 'its first survey',
  findingCount: (n: number) => plural(n, 'finding'),
  leftoverCount: (n: number) => plural(n, 'leftover'),
  quickLabel: 'Hosts by state',
  movesInOut: (into: number, out: number) =>
    [into > 0 ? `${into} in` : null, out > 0 ? `${out} out` : null].filter(Boolean).join(', '),
  tabs: {
    map: 'Map',
    instances: 'Instances',
    claims: 'Claims',
    moves: 'Migrations',
    findings: 'Findings',
    adviser: 'Adviser',
    facts: 'Facts',
    events: 'Events',
  },
  remains: (n: number) =>
    `${plural(n, 'instance')} still ${n === 1 ? 'needs' : 'need'} clean-up here. No new claims until it finishes.`,
  facts: {
    title: 'Facts',
    cpu: 'CPU model',
    vendor: 'Vendor, arch',
    features: 'CPU features',
    sockets: 'Sockets',
    layout: 'Provider layout',
    memoryPolicy: 'Memory policy',
    ordinary: 'Ordinary memory',
    ordinaryShare: (held: string, capacity: string, huge: string) =>
      `${held} of ${capacity} claimed; huge pages use ${huge}`,
    policies: {
      exact: 'exact: ordinary and huge pages separately',
      nova: 'nova: ordinary memory includes huge pages',
    },
    changePolicy: 'Change memory policy',
    policyHints: {
      exact:
        'Each NUMA node accounts for ordinary and huge pages separately. Existing claims stay; an overcommitted host accepts no new claims in ordinary pages and gets a finding.',
      nova: 'New claims may be promised ordinary memory that huge pages use, as in Nova. The OOM killer may then kill instances.',
    },
    policyChanged: (policy: string) => `memory policy set to ${policy}`,
    driver: 'Driver',
    reason: 'Reason given',
    seen: 'Last seen',
    generation: 'Generation',
    providers: 'Resource providers',
    provider: 'Provider',
    resourceClass: 'Class',
    used: 'Used',
    reserved: 'Reserved',
    total: 'Total',
    ratio: 'Ratio',
    capacity: 'Capacity',
    traits: 'Traits',
    aggregates: 'Aggregates',
    cell: (n: number) => `NUMA node ${n}`,
    sharing: 'sharing provider',
  },
  actions: 'Host actions',
} as const

/** One-click filters over the list, each with its count. */
export const quickLooks: Readonly<Record<keyof HostCounts, StateLook>> = {
  all: { shape: 'ring', tone: 'idle', label: 'all' },
  up: { shape: 'dot', tone: 'ok', label: 'up' },
  silent: { shape: 'unknown', tone: 'bad', label: 'no answer' },
  neverAnswered: { shape: 'dash', tone: 'warn', label: 'never answered' },
  down: { shape: 'triangle', tone: 'bad', label: 'down' },
  disabled: { shape: 'pause', tone: 'warn', label: 'disabled' },
  quarantined: { shape: 'diamond', tone: 'bad', label: 'quarantined' },
  leftovers: { shape: 'square', tone: 'warn', label: 'leftovers' },
  findings: { shape: 'diamond', tone: 'bad', label: 'findings' },
  migrating: { shape: 'into', tone: 'flow', label: 'migrating' },
}

export const statusLooks: Readonly<Record<HostStatus, StateLook>> = {
  up: { shape: 'dot', tone: 'ok', label: 'up' },
  down: { shape: 'triangle', tone: 'bad', label: 'down' },
  fenced: { shape: 'square', tone: 'warn', label: 'fenced' },
  lost: { shape: 'cross', tone: 'bad', label: 'lost' },
}

/** Hosts that are recorded as up but do not answer, or never did. */
export const contactLooks: Readonly<Record<Exclude<HostContact, 'answering'>, StateLook>> = {
  silent: { shape: 'unknown', tone: 'bad', label: 'no answer' },
  'never-answered': { shape: 'dash', tone: 'warn', label: 'never answered' },
}

interface ShownStatus {
  readonly status: HostStatus
  readonly contact: HostContact | null
}

/** The badge of a host where there is space for one only. A host shows as up only while it answers. */
export const statusLook = ({ status, contact }: ShownStatus): StateLook =>
  contact === null || contact === 'answering' ? statusLooks[status] : contactLooks[contact]

export const statusMeans: Readonly<Record<HostStatus, string>> = {
  up: 'it answers',
  down: 'it does not answer; its instances may still run',
  fenced: 'attested as powered off; it may return',
  lost: 'it never returns',
}

/** A host keeps one reason: of its status unless it is up, else of its scheduling. */
export const schedulingReason = ({ status, reason }: { status: HostStatus; reason: string | null }): string | null =>
  status === 'up' ? reason : null

export const schedulingLooks: Readonly<Record<HostScheduling, StateLook>> = {
  enabled: { shape: 'ring', tone: 'idle', label: 'enabled' },
  disabled: { shape: 'pause', tone: 'warn', label: 'disabled' },
  quarantined: { shape: 'diamond', tone: 'bad', label: 'quarantined' },
}

export interface ActionWords {
  readonly verb: string
  readonly hint: string
  readonly danger: boolean
  readonly done: string
}

export const hostActionWords: Readonly<Record<HostAction, ActionWords>> = {
  up: { verb: 'Mark as up', hint: statusMeans.up, danger: false, done: 'marked as up' },
  down: { verb: 'Mark as down', hint: statusMeans.down, danger: true, done: 'marked as down' },
  fenced: { verb: 'Mark as fenced', hint: statusMeans.fenced, danger: true, done: 'marked as fenced' },
  lost: { verb: 'Mark as permanently lost', hint: statusMeans.lost, danger: true, done: 'marked as permanently lost' },
  enable: {
    verb: 'Enable scheduling',
    hint: 'the scheduler may place instances on it',
    danger: false,
    done: 'enabled',
  },
  disable: {
    verb: 'Disable scheduling',
    hint: 'no new claims; existing instances stay',
    danger: false,
    done: 'disabled',
  },
}

export const consequenceWords = {
  instances: (n: number) => `${plural(n, 'instance')} recorded on it`,
  goOn: (n: number) => `${plural(n, 'migration')} waiting for it will continue`,
  touched: (n: number) => `${plural(n, 'active migration')} from or to it`,
  signed: 'This is signed with your name in the audit log. Berth acts on it at once.',
} as const

export const secondPersonWords = {
  ask: (verb: string) => `Request approval: ${verb.charAt(0).toLowerCase()}${verb.slice(1)}`,
  asked: 'Sent for approval',
  askedMore: 'Nothing changes until a second person approves it.',
  where: 'Requests awaiting approval',
} as const

/** The state of one CPU or device on the map. */
export type PlaceState =
  | 'free'
  | 'held'
  | 'incoming'
  | 'outgoing'
  | 'double'
  | 'shared'
  | 'reserved'
  | 'blocked'
  | 'missing'

export const placeLooks: Readonly<Record<PlaceState, StateLook>> = {
  free: { shape: 'ring', tone: 'idle', label: 'free' },
  held: { shape: 'square', tone: 'idle', label: 'held' },
  incoming: { shape: 'into', tone: 'flow', label: 'incoming' },
  outgoing: { shape: 'outof', tone: 'warn', label: 'outgoing' },
  double: { shape: 'cross', tone: 'bad', label: 'held twice' },
  shared: { shape: 'half', tone: 'idle', label: 'shared pool' },
  reserved: { shape: 'unknown', tone: 'idle', label: 'reserved for the host' },
  blocked: { shape: 'pause', tone: 'idle', label: 'blocked' },
  missing: { shape: 'dash', tone: 'bad', label: 'missing' },
}

export const roleWords: Readonly<Record<MapDevice['role'], string>> = {
  pf: 'PF',
  vf: 'VF',
  card: 'PCI',
  gpu: 'GPU',
  vgpu: 'vGPU',
  region: 'PMEM',
  namespace: 'ns',
}

export const mapWords = {
  title: 'Map',
  view: 'Show as',
  legend: 'Legend',
  cell: (id: number) => `NUMA node ${id}`,
  socket: (id: number) => `socket ${id}`,
  pinned: (used: number, total: number) => `${used} of ${total} pinned`,
  memory: 'Memory',
  ordinary: 'ordinary',
  pages: (size: string) => `${size} pages`,
  cpus: 'CPUs',
  sharedPool: (cpus: number, placed: number) => `${plural(cpus, 'CPU')} shared, ${plural(placed, 'vCPU')} placed`,
  devices: 'Devices',
  noCell: 'NUMA node unknown',
  noCellMore: 'The hypervisor does not report the NUMA node of these.',
  networks: (names: readonly string[]) => `networks ${names.join(', ')}`,
  cpu: (id: number) => `CPU ${id}`,
  core: (siblings: readonly number[]) => `core with CPU ${siblings.join(', ')}`,
  vcpu: (id: number) => `vCPU ${id}`,
  inspector: 'CPU or device',
  inspectHint:
    'Point at a CPU or device, or use the arrow keys, Home and End. Enter opens its holder; Space or a click keeps it here.',
  guests: (n: number) => plural(n, 'instance'),
  inNoCell: 'on no NUMA node',
  guest: (name: string, marks: readonly string[]) => [name, ...marks].join(', '),
  where: (parts: readonly (string | null)[]) => parts.filter(Boolean).join(' · '),
  uses: (uses: readonly string[]) => uses.join('; '),
  holds: (cpus: number, devices: number) =>
    [cpus > 0 ? plural(cpus, 'CPU') : null, devices > 0 ? plural(devices, 'device') : null].filter(Boolean).join(', '),
  holders: 'Held by',
  nobody: 'nobody',
  keepsIt: 'kept in the URL',
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
    move: 'Migration',
    label: 'Description',
  },
  empty: 'No map of this host',
  emptyMore: 'Its hypervisor has not reported its NUMA nodes, CPUs and devices yet.',
} as const

export const faultWords = {
  title: 'Faults on this simulated host',
  power: {
    running: { shape: 'dot', tone: 'ok', label: 'running' },
    silent: { shape: 'triangle', tone: 'warn', label: 'silent' },
    fenced: { shape: 'square', tone: 'warn', label: 'fenced' },
    booting: { shape: 'ring', tone: 'warn', label: 'starting up' },
    killed: { shape: 'cross', tone: 'bad', label: 'killed' },
  } satisfies Record<string, StateLook>,
  do: {
    'go-silent': { label: 'Go silent', hint: 'stops answering; its instances keep running' },
    return: { label: 'Return', hint: 'answers again with the domains it has; after a power loss it boots first' },
    fence: { label: 'Fence', hint: 'powered off; may return' },
    kill: { label: 'Kill', hint: 'powered off, and its instances with it' },
    'power-cycle': { label: 'Power cycle', hint: 'off and on again: it boots, and its instances stay off' },
    'clear-faults': { label: 'Clear planned faults', hint: 'removes every planned fault' },
  },
  next: 'Driver operation',
  nextHelp: 'The fault applies to the next such operation on this host.',
  outcome: 'Outcome',
  outcomes: {
    fail: 'fail',
    'lose-answer': 'succeed, but lose the answer',
    half: 'stop halfway',
  },
  plan: 'Plan fault',
  planned: 'Planned',
  nothingPlanned: 'none',
  device: 'Device',
  noDevice: 'This host has no assignable devices.',
  pickDevice: 'Choose a device first.',
  devices: {
    'take-device': 'Remove',
    'put-device-back': 'Put back',
    'keep-attached': 'Keep attached',
    'detach-device': 'Detach',
  },
  missing: (units: string) => `Removed: ${units}`,
  keptAttached: (units: string) => `Kept attached: ${units}`,
  deviceOf: (unit: string, label: string, holder: string | null) => `${unit}, ${label}${holder ? `, ${holder}` : ''}`,
  bandwidth: 'Migration bandwidth, MiB/s',
  set: 'Set',
  done: 'Fault applied',
  doneMore: (host: string) => `on ${host}; the next survey shows its effect.`,
} as const

export const verbWords: Readonly<Record<Verb, string>> = {
  prepare: 'prepare',
  transfer: 'transfer',
  stopTransfer: 'stop the transfer',
  forceTransfer: 'force the transfer',
  locate: 'locate the domain',
  runAt: 'start the domain',
  clean: 'clean up',
  build: 'build',
  destroy: 'destroy',
  power: 'change power',
}
