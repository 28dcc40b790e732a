import type { EvacuationView } from '@/server/api/run/evacuation'
import type { StateLook } from '../ui/Badge'
import { plural } from '../ui/format'

export const evacuationWords = {
  title: (host: string) => `Evacuate ${host}`,
  one: 'Evacuation',
  needsAnswer: 'a first answer of its hypervisor',
  lastContact: 'Last contact',
  truth: 'Status',
  fencing: {
    title: 'Fencing',
    looks: {
      attested: { shape: 'diamond', tone: 'warn', label: 'attested' },
      contradicted: { shape: 'triangle', tone: 'bad', label: 'contradicted' },
      none: { shape: 'unknown', tone: 'warn', label: 'not attested' },
    } satisfies Readonly<Record<EvacuationView['fencing']['state'], StateLook>>,
    contradicted:
      'A survey after this statement found the host answering. Its instances may run: fence the host again before anything starts elsewhere.',
    how: 'Reason given',
    by: 'Attested by',
    at: 'When',
    means: 'A guest that is rebuilt while it still runs on the old host writes to one disk from two places.',
    attest: 'State it is fenced…',
    attestMore:
      'Fence the host first: power it off by its management board, or pull it. Then sign that with its name and a reason.',
  },
  start: 'Start evacuation',
  startOf: (host: string) => `Evacuate ${host}`,
  consequences: (n: number) => `${plural(n, 'guest')} will be rebuilt on other hosts, most urgent first.`,
  consequencesBlocked: (n: number) =>
    `${plural(n, 'guest')} ${n === 1 ? 'has no place and stays' : 'have no place and stay'} down until there is one.`,
  attests: (host: string) => `You attest that ${host} is powered off: no machine verifies it.`,
  underWay: 'An evacuation of this host is under way.',
  stops: 'It stops by itself when the host answers again.',
  quarantine: 'When the host returns it takes nothing until its stale guests are removed.',
  started: 'Evacuation started',
  ask: 'Propose the evacuation',
  asksSecond: 'A second person has to agree first; until then nothing is stated and nothing moves.',
  waits: 'It waits for a second person.',
  proposed: 'Proposed to a second person',
  progress: 'Progress',
  openRun: 'Open the run',
  guests: 'Guests and where they would go',
  noPreview: 'No preview yet',
  planning: 'Planning: every host is asked for every guest.',
  stale: {
    title: 'Stale guests',
    quarantined: { shape: 'diamond', tone: 'bad', label: 'in quarantine' } satisfies StateLook,
    free: { shape: 'ring', tone: 'idle', label: 'not in quarantine' } satisfies StateLook,
    none: 'Nothing stands on this host that lives elsewhere.',
    columns: { guest: 'Guest', sight: 'Seen', lives: 'Lives on' },
    nowhere: 'nowhere',
    more: 'They are removed before the host may take anything. Removal begins when its hypervisor answers.',
  },
} as const
