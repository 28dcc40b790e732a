import type { PowerAction } from '@/server/engine/power/request'
import type { PowerState } from '@/server/engine/power/state'
import type { StateLook } from '../ui/Badge'
import { plural } from '../ui/format'

export const powerLooks: Readonly<Record<PowerState, StateLook>> = {
  running: { shape: 'dot', tone: 'ok', label: 'running' },
  paused: { shape: 'pause', tone: 'warn', label: 'paused' },
  shutdown: { shape: 'square', tone: 'idle', label: 'shut down' },
  crashed: { shape: 'cross', tone: 'bad', label: 'crashed' },
  unknown: { shape: 'unknown', tone: 'idle', label: 'unknown' },
}

interface ActionWords {
  readonly verb: string
  readonly hint: string
  /** Noun of the request, while it is under way. */
  readonly pending: string
  readonly tone: 'plain' | 'bad'
}

export const powerActionWords: Readonly<Record<PowerAction, ActionWords>> = {
  start: { verb: 'Start instance', hint: 'The guest boots on its host.', pending: 'starting', tone: 'plain' },
  stop: {
    verb: 'Stop instance',
    hint: 'The guest is asked to shut down. After 60 seconds it is powered off. It keeps its claim.',
    pending: 'stopping',
    tone: 'bad',
  },
  reboot: {
    verb: 'Hard-reboot instance',
    hint: 'The guest is powered off and on at once. What it has not written to disk is lost.',
    pending: 'rebooting',
    tone: 'bad',
  },
  pause: {
    verb: 'Pause instance',
    hint: 'The guest stands still with its memory kept. It keeps its claim.',
    pending: 'pausing',
    tone: 'bad',
  },
  resume: {
    verb: 'Resume instance',
    hint: 'The guest goes on where it was paused.',
    pending: 'resuming',
    tone: 'plain',
  },
}

export const powerWords = {
  column: 'Power',
  filter: 'what its hypervisor shows',
  title: 'Power',
  state: 'Observed',
  reason: 'Reason',
  last: 'Last observed',
  since: 'Since',
  observed: 'Survey',
  recorded: 'Recorded',
  request: 'Request',
  never: 'a survey of its host',
  unknownMore: 'Its host does not answer, or answered without it.',
  differs: (recorded: string, observed: string) => `Recorded ${recorded}; its hypervisor shows it ${observed}.`,
  change: 'Change power',
  failed: (action: PowerAction, why: string) => `${powerActionWords[action].verb} failed: ${why}`,
  pending: (action: PowerAction, who: string) => `${powerActionWords[action].pending}, requested by ${who}`,
  bulk: (action: PowerAction, n: number) =>
    `${powerActionWords[action].verb.replace('instance', plural(n, 'instance'))}`,
  one: (action: PowerAction, name: string) => powerActionWords[action].verb.replace('instance', name),
  accepted: (what: string) => `Accepted: ${what}`,
  acceptedMore: 'The conductor carries it out. The list shows what its hypervisor answers.',
  refused: (n: number) => `${plural(n, 'instance')} refused`,
  results: {
    title: (verb: string, taken: number, not: number) => `${verb}: ${taken} accepted, ${not} refused`,
    each: 'Each instance answers for itself: one that is refused leaves the others as they are.',
    table: 'Results by instance',
    subject: 'Instance',
    takesEffect: 'The conductor carries it out.',
    notChanged: 'Its power was not changed.',
    result: 'Result',
    why: 'Reason',
    taken: 'accepted',
    not: 'refused',
  },
  hard: 'Power off now, without waiting for the guest to shut down',
  pickFirst: 'Select instances in the table first.',
  returned: {
    verb: 'Start instances that ran here before',
    of: (n: number) => `Start ${plural(n, 'instance')} that ran here before`,
    note: (n: number) =>
      `${plural(n, 'instance')} ran here until the host went down, and ${n === 1 ? 'is' : 'are'} off since.`,
    none: 'No instance that ran here is off.',
    accepted: (n: number) => `Start of ${plural(n, 'instance')} accepted`,
    rule: 'After a host power cycle',
    on: 'starts by itself what ran here before',
    off: 'waits for a person',
    switchOn: 'Start by itself',
    switchOff: 'Wait for a person',
    done: 'Rule changed',
  },
  fault: {
    title: 'Simulated guest power',
    crash: 'Crash guest',
    'shut-down': 'Shut down from inside',
    'ignore-button': 'Ignore shutdown requests',
    'heed-button': 'Heed shutdown requests',
  },
} as const

export const leftoverWords = {
  adopt: 'Adopt guest',
  adoptTitle: (host: string) => `Adopt the guest on ${host}`,
  adoptMeans: 'It becomes an instance that holds exactly the CPUs, memory and devices it has. It is not touched.',
  adopted: (name: string) => `Adopted: ${name}`,
  adoptedMore: 'It holds its claim. The next audit closes the finding.',
  name: 'Name',
  project: 'Project',
  flavor: 'Flavor',
  image: 'Image',
  incomplete: 'Enter a name, a project, a flavor and an image.',
  remove: (host: string) => `Remove guest from ${host}`,
  removeTitle: (name: string, host: string) => `Remove ${name} from ${host}`,
  removeMeans: (host: string) =>
    `The guest and its files on ${host} are destroyed. It was proven a moment ago that another copy lives elsewhere, that its image is stored, or that it was deleted.`,
  removal: (name: string, host: string) => `Removal of ${name} from ${host} accepted`,
  removalMore: 'The conductor destroys it there. Until then the host takes no claim of this instance.',
} as const
