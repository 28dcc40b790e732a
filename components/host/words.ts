import type { MapDevice } from '@/server/api/device/view'
import type { HostContact } from '@/server/api/host/view'
import type { HostAction } from '@/server/api/permit/permits'
import type { Verb } from '@/server/api/simulator/controls'
import type { HostAdmission, HostTruth } from '@/server/engine/host'
import type { StateLook } from '../ui/Badge'
import { plural } from '../ui/format'

export const hostWords = {
  title: 'Hosts',
  one: 'Host',
  filter: 'Name or id',
  empty: 'No host yet',
  emptyMore: 'Hosts come by an import; those that Nova keeps are among the provider trees.',
  emptyFiltered: 'No host matches',
  emptyFilteredMore: 'Clear the filter to see every host.',
  movesIn: 'Migrations in',
  movesOut: 'Migrations out',
  never: 'its first answer',
  movesInOut: (into: number, out: number) =>
    [into > 0 ? `${into} in` : null, out > 0 ? `${out} out` : null].filter(Boolean).join(', '),
  tabs: {
    map: 'Map',
    instances: 'Instances',
    claims: 'Claims',
    moves: 'Moves',
    findings: 'Findings',
    adviser: 'Adviser',
    facts: 'Facts',
    events: 'Events',
  },
  remains: (n: number) => `Remains of ${plural(n, 'guest')} are not cleaned yet; it takes no claim until they are.`,
  facts: {
    title: 'Facts',
    cpu: 'CPU model',
    vendor: 'Vendor, arch',
    features: 'CPU features',
    sockets: 'Sockets',
    layout: 'Layout of inventory',
    memoryPolicy: 'Memory policy',
    ordinary: 'Ordinary memory',
    ordinaryShare: (held: string, capacity: string, huge: string) =>
      `${held} of ${capacity} promised; huge pages keep ${huge}`,
    policies: {
      exact: 'exact: ordinary and huge pages apart',
      nova: 'nova: may promise what huge pages keep',
    },
    changePolicy: 'Change memory policy',
    policyHints: {
      exact:
        'Each NUMA node accounts for ordinary and huge pages apart. What is held stays; a host that holds more than it has takes no new claims in ordinary pages and is reported.',
      nova: 'New claims may be promised ordinary memory that huge pages keep, as in Nova. Guests can then be killed for want of memory.',
    },
    policyChanged: (policy: string) => `accounts for memory by the policy ${policy}`,
    driver: 'Driver',
    reason: 'Reason given',
    seen: 'Last seen',
    generation: 'Generation',
    providers: 'Resource providers',
    provider: 'Provider',
    resourceClass: 'Class',
    used: 'Held',
    reserved: 'Reserved',
    total: 'Total',
    ratio: 'Ratio',
    capacity: 'May be held',
    traits: 'Traits',
    aggregates: 'Aggregates',
    cell: (n: number) => `cell ${n}`,
    sharing: 'sharing',
  },
  actions: 'Host actions',
} as const

export const truthLooks: Readonly<Record<HostTruth, StateLook>> = {
  up: { shape: 'dot', tone: 'ok', label: 'up' },
  down: { shape: 'triangle', tone: 'bad', label: 'down' },
  fenced: { shape: 'square', tone: 'warn', label: 'fenced' },
  gone: { shape: 'cross', tone: 'bad', label: 'gone' },
}

/** Of hosts recorded up: nobody stated otherwise, and still they do not answer, or never did. */
export const contactLooks: Readonly<Record<Exclude<HostContact, 'answering'>, StateLook>> = {
  silent: { shape: 'unknown', tone: 'bad', label: 'no answer' },
  'never-answered': { shape: 'dash', tone: 'warn', label: 'never answered' },
}

interface HostStatus {
  readonly truth: HostTruth
  readonly contact: HostContact | null
}

/** The one look of a host wherever there is room for one. A host is up only when it answers as well. */
export const statusLook = ({ truth, contact }: HostStatus): StateLook =>
  contact === null || contact === 'answering' ? truthLooks[truth] : contactLooks[contact]

export const truthMeans: Readonly<Record<HostTruth, string>> = {
  up: 'it answers',
  down: 'silent; its guests may still run',
  fenced: 'powered off by a person’s word; it may return',
  gone: 'it never returns',
}

export const admissionLooks: Readonly<Record<HostAdmission, StateLook>> = {
  open: { shape: 'ring', tone: 'idle', label: 'open' },
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
  up: { verb: 'State it is up', hint: truthMeans.up, danger: false, done: 'stated up' },
  down: { verb: 'State it is down', hint: truthMeans.down, danger: true, done: 'stated down' },
  fenced: { verb: 'State it is fenced', hint: truthMeans.fenced, danger: true, done: 'stated fenced' },
  gone: { verb: 'State it is gone', hint: truthMeans.gone, danger: true, done: 'stated gone' },
  enable: { verb: 'Open for claims', hint: 'the scheduler may place instances on it', danger: false, done: 'opened' },
  disable: { verb: 'Disable', hint: 'no new claims; what is there stays', danger: false, done: 'disabled' },
}

export const consequenceWords = {
  instances: (n: number) => `${plural(n, 'instance')} recorded on it`,
  goOn: (n: number) => `${plural(n, 'move')} waiting on it will go on by ${n === 1 ? 'itself' : 'themselves'}`,
  touched: (n: number) => `${plural(n, 'move')} in flight ${n === 1 ? 'touches' : 'touch'} it`,
  signed: 'This is a statement, signed with your name in the audit log. Berth acts on it at once.',
} as const

export const secondPersonWords = {
  ask: (verb: string) => `Ask a second person: ${verb.charAt(0).toLowerCase()}${verb.slice(1)}`,
  asked: 'Asked a second person',
  askedMore: 'Nothing was changed. It is done when somebody else approves it.',
  where: 'What waits for a second person',
} as const

/** What one place on the map is now. */
export type PlaceState =
  | 'free'
  | 'held'
  | 'incoming'
  | 'outgoing'
  | 'double'
  | 'shared'
  | 'reserved'
  | 'blocked'
  | 'gone'

export const placeLooks: Readonly<Record<PlaceState, StateLook>> = {
  free: { shape: 'ring', tone: 'idle', label: 'free' },
  held: { shape: 'square', tone: 'idle', label: 'held' },
  incoming: { shape: 'into', tone: 'flow', label: 'incoming' },
  outgoing: { shape: 'outof', tone: 'warn', label: 'outgoing' },
  double: { shape: 'cross', tone: 'bad', label: 'held twice' },
  shared: { shape: 'half', tone: 'idle', label: 'shared pool' },
  reserved: { shape: 'unknown', tone: 'idle', label: 'kept for the host' },
  blocked: { shape: 'pause', tone: 'idle', label: 'blocked' },
  gone: { shape: 'dash', tone: 'bad', label: 'gone' },
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
  cell: (id: number) => `Cell ${id}`,
  socket: (id: number) => `socket ${id}`,
  pinned: (used: number, total: number) => `${used} of ${total} pinned`,
  memory: 'Memory',
  ordinary: 'ordinary',
  pages: (size: string) => `${size} pages`,
  cpus: 'CPUs',
  sharedPool: (cpus: number, placed: number) => `${plural(cpus, 'CPU')} shared, ${plural(placed, 'vCPU')} placed`,
  devices: 'Devices',
  noCell: 'Cell not known',
  noCellMore: 'The hypervisor does not say which cell these are near.',
  networks: (names: readonly string[]) => `networks ${names.join(', ')}`,
  cpu: (id: number) => `CPU ${id}`,
  core: (siblings: readonly number[]) => `core with CPU ${siblings.join(', ')}`,
  vcpu: (id: number) => `vCPU ${id}`,
  inspector: 'Place',
  inspectHint:
    'Point at a place, or walk with the arrow keys, Home and End. Enter opens who holds it; Space or a click keeps it here.',
  guests: (n: number) => plural(n, 'guest'),
  inNoCell: 'in no cell',
  guest: (name: string, marks: readonly string[]) => [name, ...marks].join(', '),
  where: (parts: readonly (string | null)[]) => parts.filter(Boolean).join(' · '),
  uses: (uses: readonly string[]) => uses.join('; '),
  holds: (cpus: number, devices: number) =>
    [cpus > 0 ? plural(cpus, 'CPU') : null, devices > 0 ? plural(devices, 'device') : null].filter(Boolean).join(', '),
  holders: 'Held by',
  nobody: 'nobody',
  keepsIt: 'kept in the address',
  counts: 'On this host',
  twoHoldings: 'Two holdings here',
  twoHoldingsMore: 'A move within this host: the old places stay held until it is confirmed.',
  old: 'old',
  new: 'new',
  table: {
    unit: 'Place',
    kind: 'Kind',
    cell: 'Cell',
    state: 'State',
    holder: 'Held by',
    use: 'Use',
    move: 'Move',
    label: 'What',
  },
  empty: 'No map of this host',
  emptyMore: 'Its hypervisor has not told its cells, CPUs and devices yet.',
} as const

export const faultWords = {
  title: 'Faults of this simulated host',
  power: {
    running: { shape: 'dot', tone: 'ok', label: 'running' },
    silent: { shape: 'triangle', tone: 'warn', label: 'silent' },
    fenced: { shape: 'square', tone: 'warn', label: 'fenced' },
    booting: { shape: 'ring', tone: 'warn', label: 'starting up' },
    killed: { shape: 'cross', tone: 'bad', label: 'killed' },
  } satisfies Record<string, StateLook>,
  do: {
    'go-silent': { label: 'Go silent', hint: 'stops answering; its guests keep running' },
    return: { label: 'Return', hint: 'answers again, with what it has; after a loss of power it starts up first' },
    fence: { label: 'Fence', hint: 'surely stopped; may return' },
    kill: { label: 'Kill', hint: 'stopped, and its guests with it' },
    'power-cycle': { label: 'Power cycle', hint: 'off and on again: it boots, and its guests stay off' },
    'clear-faults': { label: 'Clear planned faults', hint: 'forgets faults that were planned' },
  },
  next: 'Next verb',
  nextHelp: 'The next time this host is asked to do it.',
  outcome: 'Then',
  outcomes: {
    fail: 'fail',
    'lose-answer': 'do it, but lose the answer',
    half: 'do half of it',
  },
  plan: 'Plan fault',
  planned: 'Planned',
  nothingPlanned: 'no fault planned',
  device: 'Device',
  noDevice: 'This host has no device that can be assigned.',
  pickDevice: 'Pick a device first.',
  devices: {
    'take-device': 'Take away',
    'put-device-back': 'Put back',
    'keep-attached': 'Never let go',
    'detach-device': 'Let go',
  },
  missing: (units: string) => `Taken away: ${units}`,
  keptAttached: (units: string) => `Never let go: ${units}`,
  deviceOf: (unit: string, label: string, holder: string | null) => `${unit}, ${label}${holder ? `, ${holder}` : ''}`,
  bandwidth: 'Bandwidth for transfers, MiB/s',
  set: 'Set',
  done: 'Fault applied',
  doneMore: (host: string) => `on ${host}; its effect shows up as facts do.`,
} as const

export const verbWords: Readonly<Record<Verb, string>> = {
  prepare: 'prepare',
  transfer: 'transfer',
  stopTransfer: 'stop the transfer',
  forceTransfer: 'force the transfer',
  locate: 'locate the guest',
  runAt: 'run the guest',
  clean: 'clean up',
  build: 'build',
  destroy: 'destroy',
  power: 'stop the guest',
}
