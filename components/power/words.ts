import type { PowerAction } from '@/server/engine/power/request'
import type { PowerState } from '@/server/engine/power/state'
import type { BadgeContent } from '../ui/Badge'
import { plural } from '../ui/format'

export const powerBadges: Readonly<Record<PowerState, BadgeContent>> = {
  running: { shape: 'dot', tone: 'ok', label: 'running' },
  paused: { shape: 'pause', tone: 'warn', label: 'paused' },
  shutdown: { shape: 'square', tone: 'idle', label: 'shut down' },
  crashed: { shape: 'cross', tone: 'bad', label: 'crashed' },
  unknown: { shape: 'unknown', tone: 'idle', label: 'unknown' },
}

interface ActionWords {
  readonly verb: string
  readonly hint: string
  /** The request while it runs. */
  readonly pending: string
  readonly tone: 'plain' | 'bad'
}

export const powerActionWords: Readonly<Record<PowerAction, ActionWords>> = {
  start: { verb: 'Start instance', hint: 'Boots the instance on its host.', pending: 'starting', tone: 'plain' },
  stop: {
    verb: 'Stop instance',
    hint: 'Asks the guest to shut down; after 60 seconds it is powered off. It keeps its claim.',
    pending: 'stopping',
    tone: 'bad',
  },
  reboot: {
    verb: 'Hard-reboot instance',
    hint: 'Powers it off and on at once. Data not yet written to disk is lost.',
    pending: 'rebooting',
    tone: 'bad',
  },
  pause: {
    verb: 'Pause instance',
    hint: 'Freezes the instance and keeps its memory. It keeps its claim.',
    pending: 'pausing',
    tone: 'bad',
  },
  resume: {
    verb: 'Resume instance',
    hint: 'Continues where it was paused.',
    pending: 'resuming',
    tone: 'plain',
  },
}

export const powerWords = {
  title: 'Power',
  state: 'Observed',
  reason: 'Reason',
  last: 'Last observed',
  since: 'Since',
  observed: 'Survey',
  request: 'Request',
  never: 'a survey of its host',
  differs: (recorded: string, observed: string) => `Recorded as ${recorded}; its hypervisor reports ${observed}.`,
  change: 'Change power',
  failed: (action: PowerAction, why: string) => `${powerActionWords[action].verb} failed: ${why}`,
  pending: (action: PowerAction, who: string) => `${powerActionWords[action].pending}, requested by ${who}`,
  bulk: (action: PowerAction, n: number) =>
    `${powerActionWords[action].verb.replace('instance', plural(n, 'instance'))}`,
  one: (action: PowerAction, name: string) => powerActionWords[action].verb.replace('instance', name),
  accepted: (what: string) => `Accepted: ${what}`,
  acceptedMore: 'The conductor carries it out; the list shows the result.',
  refused: (n: number) => `${plural(n, 'instance')} refused`,
  results: {
    title: (verb: string, taken: number, not: number) => `${verb}: ${taken} accepted, ${not} refused`,
    each: 'An instance that is refused leaves the others unaffected.',
    table: 'Result per instance',
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
    note: (n: number) =>
      `${plural(n, 'instance')} ran here until the host went down, and ${n === 1 ? 'is' : 'are'} still off.`,
    accepted: (n: number) => `Start of ${plural(n, 'instance')} accepted`,
    rule: 'After a host power cycle',
    on: 'start automatically what ran here before',
    off: 'start by hand',
    switchOn: 'Start automatically',
    switchOff: 'Start by hand',
    done: 'Rule changed',
  },
} as const

export const leftoverWords = {
  adopt: 'Adopt domain',
  adoptTitle: (host: string) => `Adopt domain on ${host}`,
  adoptMeans:
    'It becomes an instance whose claim is exactly the CPUs, memory and devices that it has. The domain is not touched.',
  adopted: (name: string) => `Adopted: ${name}`,
  adoptedMore: 'It has its claim. The next audit closes the finding.',
  name: 'Name',
  project: 'Project',
  flavor: 'Flavor',
  image: 'Image',
  incomplete: 'Enter a name, a project, a flavor and an image.',
  remove: (host: string) => `Remove domain from ${host}`,
  removeTitle: (name: string, host: string) => `Remove ${name} from ${host}`,
  removeMeans: (host: string) =>
    `The domain and its files on ${host} are destroyed. Berth has just verified that another copy exists, that its image is stored, or that the instance was deleted.`,
  removal: (name: string, host: string) => `Removal of ${name} from ${host} accepted`,
  removalMore: 'The conductor destroys it there. Until then, this instance cannot claim on that host.',
} as const
