import type { AttentionKind } from '@/server/api/contract-moves'
import type { StateLook } from '../ui/Badge'
import { plural } from '../ui/format'

export const overviewWords = {
  title: 'Overview',
  counting: 'asking the books',
  noHosts: 'No host yet',
  noCapacity: 'No inventory yet',
  noHostsMore: 'Hosts come by an import; the README says how.',
  fleet: 'Fleet',
  fleetFacts: (hosts: number, instances: number) => `${plural(hosts, 'host')}, ${plural(instances, 'instance')}`,
  zone: (name: string, hosts: number) => `${name}, ${plural(hosts, 'host')}`,
  noZone: 'no zone',
  shade: 'Shade',
  shades: { cpus: 'CPUs', memoryMib: 'Memory', room: 'Room for' },
  roomFlavor: 'Flavor',
  chooseFlavor: 'Choose a flavor to see where more of it fits.',
  room: (more: number, exact: boolean, flavor: string) => `${exact ? '' : 'at least '}${more} more ${flavor}`,
  legend: { moves: 'moves in or out', findings: 'findings' },
  legendLabel: 'Marks',
  findings: (n: number) => (n > 0 ? plural(n, 'finding') : ''),
  hostText: (name: string, truth: string, share: string, marks: readonly string[]) =>
    [name, truth, share, ...marks].filter(Boolean).join(', '),
  used: (percent: number, of: string) => `${percent} % of ${of} held`,
  attention: 'Needs attention',
  count: (moves: number) => plural(moves, 'move'),
  calm: 'Nothing needs attention',
  calmMore: 'No move waits for a person or a host, every host answers.',
  moves: 'Moves now',
  allMoves: 'All moves',
  capacity: 'Capacity',
  capacityColumns: { resourceClass: 'Class', used: 'Held', total: 'Capacity', share: 'Share', twice: 'Held twice' },
  counts: (flight: number, queued: number, waiting: number) =>
    `${flight} in flight, ${queued} queued, ${waiting} waiting`,
  table: 'Fleet as a table',
  more: (n: number) => `${n} more`,
} as const

export const attentionLooks: Readonly<Record<AttentionKind, StateLook>> = {
  'waits-for-person': { shape: 'pause', tone: 'warn', label: 'Waits for a person' },
  'waits-for-host': { shape: 'triangle', tone: 'bad', label: 'Waits for a host' },
  retrying: { shape: 'half', tone: 'warn', label: 'Retrying' },
  failed: { shape: 'cross', tone: 'bad', label: 'Failed' },
  'host-down': { shape: 'triangle', tone: 'bad', label: 'Host down' },
  quarantined: { shape: 'diamond', tone: 'bad', label: 'Quarantined' },
  remains: { shape: 'square', tone: 'warn', label: 'Remains not cleaned' },
  finding: { shape: 'cross', tone: 'bad', label: 'Books disagree' },
}
