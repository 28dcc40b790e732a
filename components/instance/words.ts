import type { InstanceAction } from '@/server/api/contract'
import type { VmState } from '@/server/engine/books'
import type { StateLook } from '../ui/Badge'

export const instanceWords = {
  title: 'Instances',
  one: 'Instance',
  filter: 'Name or id',
  filters: {
    name: 'name of the instance; web-* for many',
    state: 'what it is doing',
    host: 'name of the host it is on',
    zone: 'its zone',
    flavor: 'its flavor',
    image: 'its image',
    project: 'whose it is',
    group: 'its server group',
    moving: 'a move is under way',
  },
  empty: 'No instance matches',
  emptyMore: 'Clear the filter, or build one.',
  build: 'Build instance',
  columns: {
    name: 'Instance',
    state: 'State',
    host: 'Host',
    flavor: 'Flavor',
    vcpus: 'vCPUs',
    pinned: 'Pinned',
    cells: 'Cells',
    memory: 'Memory',
    disk: 'Disk',
    devices: 'Devices',
    move: 'Move',
    project: 'Project',
    zone: 'Zone',
    image: 'Image',
    group: 'Group',
  },
  nowhere: 'nowhere',
  tabs: { holdings: 'Holdings', moves: 'Moves', findings: 'Findings', facts: 'Facts', events: 'Events' },
  holdsNothing: 'It holds nothing',
  holdsNothingMore: 'A shelved instance has no claim until it is unshelved.',
  twoClaims: 'Two claims are held while it moves: the side it heads to, and the side it comes from.',
  actions: 'More actions',
  facts: {
    flavor: 'Flavor',
    extraSpecs: 'Extra specs',
    image: 'Image',
    properties: 'Image properties',
    place: 'Place',
    generation: 'Generation',
    simulated: 'Simulated guest',
    dirty: 'Writes, MiB/s',
    dirtyHelp: 'How fast the simulated guest writes its memory: a move must be faster to converge.',
    set: 'Set',
    none: 'none',
  },
  remove: {
    verb: (name: string) => `Delete ${name}`,
    title: (name: string) => `Delete ${name}`,
    means: 'The guest is stopped and destroyed, and all that it holds is given back. There is no way back.',
    accepted: (name: string) => `Deletion of ${name} accepted`,
    acceptedMore: 'Its claim is given back when its host has destroyed it.',
  },
} as const

export const vmStateLooks: Readonly<Record<VmState, StateLook>> = {
  building: { shape: 'half', tone: 'flow', label: 'building' },
  active: { shape: 'dot', tone: 'ok', label: 'active' },
  stopped: { shape: 'square', tone: 'idle', label: 'stopped' },
  shelved: { shape: 'moon', tone: 'idle', label: 'shelved' },
  deleting: { shape: 'outof', tone: 'warn', label: 'deleting' },
  error: { shape: 'cross', tone: 'bad', label: 'error' },
}

/** In the order in which one looks for them; the first that is permitted is the main button. */
export const INSTANCE_ACTIONS: readonly InstanceAction[] = [
  'live-migrate',
  'cold-migrate',
  'resize',
  'unshelve',
  'evacuate',
  'rebuild',
  'delete',
]
