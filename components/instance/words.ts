import type { VmState } from '@/server/engine/books'
import type { StateLook } from '../ui/Badge'

export const instanceWords = {
  title: 'Instances',
  one: 'Instance',
  filter: 'Name or id',
  empty: 'No instance yet',
  emptyHere: 'No instances here',
  emptyMore: 'Build one, or import existing instances.',
  emptyFiltered: 'No instance matches',
  emptyFilteredMore: 'Clear the filter, or build one.',
  build: 'Build instance',
  nowhere: 'nowhere',
  tabs: { holdings: 'Holdings', moves: 'Moves', findings: 'Findings', facts: 'Facts', events: 'Events' },
  holdsNothing: 'It holds nothing',
  holdsNothingMore: 'A shelved instance has no claim until it is unshelved.',
  twoClaims: 'It has two claims while it migrates: one on the target and one on the source.',
  actions: 'More actions',
  facts: {
    flavor: 'Flavor',
    extraSpecs: 'Extra specs',
    image: 'Image',
    properties: 'Image properties',
    place: 'Host',
    generation: 'Generation',
    simulated: 'Simulated guest',
    dirty: 'Dirty rate, MiB/s',
    dirtyHelp: 'How fast the simulated guest dirties memory. A live migration must copy faster to converge.',
    set: 'Set',
    none: 'none',
  },
  remove: {
    verb: (name: string) => `Delete ${name}`,
    title: (name: string) => `Delete ${name}`,
    means: 'The instance is stopped and destroyed, and its claim is released. This cannot be undone.',
    gives: (held: string) => `Frees ${held}.`,
    accepted: (name: string) => `Deletion of ${name} accepted`,
    acceptedMore: 'Its claim is released when its host has destroyed it.',
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
