import type { VmState } from '@/server/engine/books'
import type { StateLook } from '../ui/Badge'

export const instanceWords = {
  title: 'Instances',
  one: 'Instance',
  filter: 'Name or id',
  empty: 'No instance yet',
  emptyHere: 'No instance is here',
  emptyMore: 'Build one, or import those that run already.',
  emptyFiltered: 'No instance matches',
  emptyFilteredMore: 'Clear the filter, or build one.',
  build: 'Build instance',
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
    gives: (held: string) => `Gives back ${held}.`,
    accepted: (name: string) => `Deletion of ${name} accepted`,
    acceptedMore: 'Its claim is given back when its host has destroyed it.',
  },
} as const

export const vmStateLooks: Readonly<Record<VmState, StateLook>> = {
  building: { shape: 'half', tone: 'flow', label: 'building' },
  active: { shape: 'dot', tone: 'ok', label: 'active' },
  paused: { shape: 'pause', tone: 'warn', label: 'paused' },
  stopped: { shape: 'square', tone: 'idle', label: 'stopped' },
  shelved: { shape: 'moon', tone: 'idle', label: 'shelved' },
  deleting: { shape: 'outof', tone: 'warn', label: 'deleting' },
  error: { shape: 'cross', tone: 'bad', label: 'error' },
}
