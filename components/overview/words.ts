import type { UsualShape } from '@/server/api/capacity/router'
import type { AttentionKind } from '@/server/api/overview/attention'
import type { RunKind } from '@/server/engine/drain/ask'
import type { HealthCheckName } from '@/server/engine/health/checks'
import type { StateLook } from '../ui/Badge'
import { count, plural } from '../ui/format'

export const overviewWords = {
  title: 'Overview',
  counting: 'reading the records',
  notCounted: 'the records could not be read',
  noHosts: 'No host yet',
  noCapacity: 'No inventory yet',
  noHostsMore: 'Hosts come by an import; the README says how.',
  fleet: 'Fleet',
  fleetFacts: (hosts: number, instances: number) => `${plural(hosts, 'host')}, ${plural(instances, 'instance')}`,
  zone: (name: string, hosts: number) => `${name}, ${plural(hosts, 'host')}`,
  noZone: 'no zone',
  shade: 'Shade',
  shades: { cpus: 'CPUs', memoryMib: 'Memory', room: 'Room for' },
  chooseShape: 'Choose a flavor or type a shape to see where more of it fits.',
  typed: 'of the typed shape',
  shape: 'Room for',
  room: (more: number, exact: boolean, what: string) => `${exact ? '' : 'at least '}${count(more)} more ${what}`,
  roomOn: (hosts: number, of: number) => `on ${count(hosts)} of ${plural(of, 'host')}`,
  largestLike: 'Largest like it',
  whyNot: 'Why not elsewhere',
  marks: { into: 'moves in', outof: 'moves out', findings: 'findings' },
  marksLabel: 'Marks',
  runs: {
    drain: (done: number, of: number) => `draining, ${done} of ${of}`,
    evacuation: (done: number, of: number) => `evacuating, ${done} of ${of}`,
  } satisfies Record<RunKind, (done: number, of: number) => string>,
  columns: {
    host: 'Host',
    zone: 'Zone',
    state: 'State',
    into: 'Moves in',
    outof: 'Moves out',
    findings: 'Findings',
  },
  findings: (n: number) => (n > 0 ? plural(n, 'finding') : ''),
  hostText: (name: string, truth: string, share: string, marks: readonly string[]) =>
    [name, truth, share, ...marks].filter(Boolean).join(', '),
  percent: (percent: number) => `${percent} %`,
  used: (percent: number, of: string) => `${percent} % of ${of} held`,
  attention: 'Needs attention',
  guests: (instances: number) => `${plural(instances, 'instance')} recorded`,
  hostCount: (hosts: number) => plural(hosts, 'host'),
  guestsOff: (n: number) => `${plural(n, 'instance')} off since it went down. Start them on its page.`,
  neverAnswered: 'Imported. No survey has reached it yet.',
  moveCount: (moves: number) => plural(moves, 'move'),
  calm: 'Nothing needs attention',
  calmMore: 'No migration waits, is overdue or does not converge. Every host answered the last survey.',
  notConverging: 'Dirties memory faster than the link copies it.',
  overdueIn: (step: string) => `In ${step} for longer than 95 % of earlier migrations.`,
  moves: 'Moves now',
  allMoves: 'All moves',
  fromTo: 'From, to',
  from: 'From',
  to: 'To',
  capacity: 'Capacity',
  byFlavor: 'By flavor and zone',
  capacityColumns: {
    ...{ resourceClass: 'Class', used: 'Held', total: 'Capacity', share: 'Share', twice: 'Twice' },
    largest: 'Largest',
    largestHelp: 'The largest piece of it that is free on one host.',
    twiceHelp: 'Held on both sides of moves.',
  },
  largest: 'Largest that still fits',
  largestKinds: {
    shared: 'Shared vCPUs',
    pinned: 'Pinned CPUs',
    'pinned-large-pages': 'Pinned, large pages',
  } satisfies Record<UsualShape, string>,
  nothingFree: 'none: no CPU is free',
  largestOf: (cpus: number) => `of ${count(cpus)} free`,
  largestMore: '2 GiB to a vCPU, on one host',
  counts: (flight: number, queued: number, waiting: number) =>
    `${flight} in flight, ${queued} queued, ${waiting} waiting`,
  view: 'Show the fleet as',
} as const

/** What a health check looks at. */
export const checkWords: Readonly<Record<HealthCheckName, string>> = {
  relay: 'Outbox relay',
  outbox: 'Unpublished events',
  tasks: 'Periodic tasks',
  audit: 'Standing audit',
  survey: 'Survey',
  leases: 'Leases',
  clock: 'Server clock',
}

export const attentionLooks: Readonly<Record<AttentionKind, StateLook>> = {
  health: { shape: 'triangle', tone: 'bad', label: 'Berth itself' },
  'waits-for-person': { shape: 'pause', tone: 'warn', label: 'Waits for a person' },
  'waits-for-host': { shape: 'triangle', tone: 'bad', label: 'Waits for a host' },
  'not-converging': { shape: 'half', tone: 'warn', label: 'Not converging' },
  overdue: { shape: 'pause', tone: 'warn', label: 'Overdue' },
  retrying: { shape: 'half', tone: 'warn', label: 'Retrying' },
  parked: { shape: 'cross', tone: 'bad', label: 'Migration parked' },
  failed: { shape: 'cross', tone: 'bad', label: 'Failed' },
  'host-silent': { shape: 'unknown', tone: 'bad', label: 'Host does not answer' },
  'guests-off': { shape: 'outof', tone: 'bad', label: 'Instances off' },
  'host-never-answered': { shape: 'dash', tone: 'warn', label: 'Host never answered' },
  'host-down': { shape: 'triangle', tone: 'bad', label: 'Host down' },
  quarantined: { shape: 'diamond', tone: 'bad', label: 'Quarantined' },
  remains: { shape: 'square', tone: 'warn', label: 'Remains not cleaned' },
  finding: { shape: 'cross', tone: 'bad', label: 'State mismatch' },
}

/** What empties a host. */
export const runLooks: Readonly<Record<RunKind, StateLook>> = {
  drain: { shape: 'half', tone: 'flow', label: 'draining' },
  evacuation: { shape: 'moon', tone: 'warn', label: 'evacuating' },
}
