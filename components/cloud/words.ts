import type { CloudView } from '@/server/api/cloud/answers'
import type { CloudOutcomeView } from '@/server/api/cloud/clouds'
import type { BadgeContent } from '../ui/Badge'
import { count, duration, plural, utc } from '../ui/format'

export const cloudWords = {
  title: 'Clouds',
  one: 'Cloud',
  facts: 'OpenStack clouds that Berth watches through their own APIs. Times are by each cloud’s clock.',
  empty: 'No cloud is watched',
  emptyMore: 'Add one from its clouds.yaml. Berth reads it, and changes nothing.',
  heads: {
    name: 'Cloud',
    state: 'State',
    reached: 'Last read',
    act: 'Access',
    hosts: 'Hosts',
    instances: 'Instances',
    findings: 'Findings',
    requests: 'Requests/s',
    address: 'Keystone',
    region: 'Region',
  },
  readOnly: 'read-only',
  mayAct: 'actions allowed',
  tabs: {
    overview: 'Overview',
    hosts: 'Hosts',
    instances: 'Instances',
    migrations: 'Migrations',
    drift: 'Drift',
    findings: 'Findings',
  },
  never: 'a first read',
  ofTotal: (used: string, total: string) => `${used} / ${total}`,
  time: (at: number) => `${utc(at)} UTC`,
  names: (names: readonly string[]) => names.join(', '),
  deletedInstance: (id: string) => `${id.slice(0, 8)} (deleted)`,
  notYet: 'This cloud has not been read yet.',
  notYetMore: 'The first read takes seconds to minutes, depending on the size of the cloud.',
  requests: (perS: number) => perS.toFixed(1),
  took: (ms: number) => duration(ms),
  polledOnly: 'not set up: changes are polled',
  listening: 'listening, none yet',
  lastReceived: 'listening, last one',
  notReceived: (why: string) => `not received (${why}): changes are polled`,
  sections: { summary: 'Summary', connection: 'Connection', unknown: 'Not read', never: 'Not reported by Nova' },
  healthy: (instances: number, hosts: number) =>
    `Healthy: no findings among ${plural(instances, 'instance')} on ${plural(hosts, 'host')}.`,
  unhealthy: (critical: number, warning: number, info: number) =>
    `${plural(critical + warning + info, 'finding')}: ${Object.entries({ critical, warning, info })
      .flatMap(([severity, n]) => (n === 0 ? [] : `${count(n)} ${severity}`))
      .join(', ')}.`,
  lost: (error: string) => `The cloud does not answer: ${error}.`,
  old: 'The data shown is from before that.',
  off: 'This cloud is not watched now. The data shown is from before.',
  settingsUnreadable:
    'The stored settings of this cloud cannot be read. Nothing is sent. Remove the cloud and add it again.',
  anyCertificate: 'Any certificate is accepted, as its clouds.yaml says (verify: false).',
  keys: {
    authUrl: 'Keystone',
    region: 'Region',
    onlyRegion: 'the only one in the catalog',
    interface: 'Interface',
    account: 'Signs in as',
    act: 'Access',
    added: 'Added',
    read: 'Last read',
    requests: 'Requests',
    poll: 'Last poll took',
    audit: 'Audit took',
    notifications: 'Notifications',
    clock: 'Cloud’s clock',
    hosts: 'Hosts',
    instances: 'Instances',
    migrating: 'With a task state',
    witnessed: 'Read by libvirt',
  },
  ofHosts: (read: number, hosts: number) => `${count(read)} of ${plural(hosts, 'host')}`,
  perS: (value: number) => `${value.toFixed(1)} a second`,
  accessReadOnly: 'Read-only: only GETs and the sign-in are sent',
  accessMayAct: 'May act: Berth may send the calls that people confirm',
  notReported: [
    'NUMA nodes and free CPUs of hosts, PCI assignments and migration contexts: Nova has no API for them.',
    'Running domains: only libvirt reports them. A host with a libvirt connection has a map on its page.',
  ],
  lists: {
    hosts: {
      title: 'Hosts of the cloud',
      filter: 'Filter hosts',
      empty: 'No hosts',
      emptyMore: 'Nova reported no compute host.',
      emptyFiltered: 'No host matches',
      emptyFilteredMore: 'Change the filter.',
    },
    instances: {
      title: 'Instances of the cloud',
      filter: 'Filter instances',
      empty: 'No instances',
      emptyMore: 'Nova reported no instance.',
      emptyFiltered: 'No instance matches',
      emptyFilteredMore: 'Change the filter.',
    },
    migrations: {
      title: 'Migrations of the cloud',
      filter: 'Filter migrations',
      empty: 'No migrations',
      emptyMore: 'Nova reported no migration.',
      emptyFiltered: 'No migration matches',
      emptyFilteredMore: 'Change the filter.',
    },
    findings: {
      title: 'Findings of the cloud',
      filter: 'Filter findings',
      empty: 'No findings',
      emptyMore: 'A finding is listed once two surveys of the cloud, 30 s apart, agree on it.',
      emptyFiltered: 'No finding matches',
      emptyFilteredMore: 'Change the filter.',
    },
  },
  unreported: 'a report from Nova',
  locked: 'In progress',
  lockedWhy: (why: string) => `In progress: ${why}. No repair is offered for it.`,
  repairable: 'Show repair',
  evidence: 'Evidence',
  cause: 'Cause',
  repair: 'Repair',
  before: 'Before',
  after: 'After',
  calls: (n: number) => plural(n, 'call'),
  call: (n: number) => `Call ${n}`,
  body: 'Body',
  undo: (what: string) => `Undo: ${what}`,
  noUndo: 'Cannot be undone.',
  instead: 'What to do',
  noLongerReported: 'The last audit no longer reports this finding.',
  awaitsRead: 'The calls were sent. The next read of the cloud shows whether the finding is gone.',
  beforeRepair: 'The finding before the repair',
  goneFinding: 'This finding no longer exists.',
  close: 'Close',
  witnesses: { nova: 'Nova', placement: 'Placement', libvirt: 'libvirt' },
  planTitle: 'Repair plan',
  planAll: 'Review repair plan',
  planRead: (at: string) => `Dry run from what was read at ${at} UTC by the cloud’s clock. Nothing is sent.`,
  planEmpty: 'No call is planned.',
  leftOut: 'Not in the plan',
  script: 'Download script',
  scriptDone: 'Script saved',
  apply: 'Apply repair',
  applyMeans:
    'Berth sends these calls to the cloud one by one. Before each call, it reads the preconditions again. It stops when a precondition no longer holds or a call is refused.',
  notAllowed: 'The cloud is read-only. An admin can allow actions on its page.',
  outcomes: 'Result',
  actions: {
    allow: 'Allow actions',
    forbid: 'Set to read-only',
    stop: 'Stop watching',
    start: 'Watch cloud',
    remove: 'Remove cloud',
  },
  means: {
    allow:
      'People with the right role may then have Berth send calls to Nova and Placement. Each is shown first and needs its own confirmation. Nothing is sent on its own.',
    forbid: 'Only GETs and the sign-in are sent from then on.',
    stop: 'Berth sends nothing to the cloud until it is watched again. The data already read stays.',
    start: 'Berth reads the cloud within its request budget.',
    remove:
      'Berth deletes the cloud from its records, with its credentials and everything read from it. Nothing changes in the cloud.',
  },
  done: {
    allow: (name: string) => `Actions on ${name} are allowed`,
    forbid: (name: string) => `${name} is read-only`,
    stop: (name: string) => `${name} is not watched`,
    start: (name: string) => `${name} is watched`,
    remove: (name: string) => `${name} removed`,
  },
} as const

export const addCloudWords = {
  title: 'Add cloud',
  sections: { files: 'Files', probe: 'Probe', add: 'Add the cloud' },
  readOnlyFirst:
    'Berth signs in and sends GETs only. The files go to this server when the cloud is probed and added; the password is sealed there and never shown again.',
  clouds: 'clouds.yaml',
  cloudsHelp: 'Paste it or choose the file.',
  secure: 'secure.yaml (if the password is there)',
  ca: 'CA certificates in PEM (if cacert names a file)',
  choose: (name: string) => `Choose ${name}`,
  read: 'Read files',
  change: 'Change files',
  cloud: 'Cloud',
  region: 'Region',
  onlyRegion: 'As the file and the catalog say',
  interface: 'Interface',
  asFile: 'As the file says',
  problem: ({ key, what, fix }: { key: string; what: string; fix: string }) => `${key}: ${what}; ${fix}.`,
  probe: 'Probe cloud',
  again: 'Probe again',
  cancel: 'Cancel probe',
  needFile: 'Enter the text of clouds.yaml.',
  notRead: 'Read files',
  notProbed: 'Probe cloud',
  notAdded: 'Add cloud',
  name: 'Name in Berth',
  needName: 'Enter a name.',
  reason: 'Reason',
  reasonHelp: 'Kept in the audit log with your name.',
  needReason: 'Enter a reason.',
  unreached: 'Keystone, Nova and Placement have to answer first.',
  add: (name: string) => `Add ${name}`,
  added: (name: string) => `${name} added`,
  readOnly: 'The cloud is added read-only. Somebody with the right role may allow actions later, on its page.',
} as const

/** One state: the most urgent. */
export function cloudBadge({ enabled, status, reach }: Pick<CloudView, 'enabled' | 'status' | 'reach'>): BadgeContent {
  if (reach === null) return { shape: 'cross', tone: 'bad', label: 'settings unreadable' }
  if (!enabled) return { shape: 'pause', tone: 'idle', label: 'not watched' }
  if (status === null) return { shape: 'ring', tone: 'idle', label: 'starting' }
  if (status.error !== null) return { shape: 'cross', tone: 'bad', label: 'not reached' }
  const counts = status.counts
  if (counts === null) return { shape: 'half', tone: 'flow', label: 'first pass' }
  if (counts.critical > 0) return { shape: 'cross', tone: 'bad', label: 'critical findings' }
  if (counts.warning > 0) return { shape: 'diamond', tone: 'warn', label: 'findings' }
  return { shape: 'tick', tone: 'ok', label: 'healthy' }
}

export const outcomeBadges: Readonly<Record<CloudOutcomeView['did'], BadgeContent>> = {
  sent: { shape: 'tick', tone: 'ok', label: 'sent' },
  'not-sent': { shape: 'pause', tone: 'warn', label: 'not sent' },
  refused: { shape: 'cross', tone: 'bad', label: 'refused' },
  unknown: { shape: 'unknown', tone: 'warn', label: 'no clear answer; the next read shows whether it was done' },
}

/** Nova's words keep their own spelling; only the tone is Berth's. */
export const vmStateBadge = (state: string): BadgeContent =>
  state === 'active'
    ? { shape: 'dot', tone: 'ok', label: state }
    : state === 'error'
      ? { shape: 'cross', tone: 'bad', label: state }
      : { shape: 'ring', tone: 'idle', label: state }

export const migrationBadge = (status: string, isActive: boolean): BadgeContent =>
  isActive
    ? { shape: 'half', tone: 'flow', label: status }
    : ['error', 'failed'].includes(status)
      ? { shape: 'cross', tone: 'bad', label: status }
      : { shape: 'tick', tone: 'idle', label: status }

export const serviceBadge = (state: 'up' | 'down' | null, forcedDown: boolean): BadgeContent =>
  state === null
    ? { shape: 'unknown', tone: 'warn', label: 'no service' }
    : state === 'up'
      ? { shape: 'dot', tone: 'ok', label: state }
      : { shape: 'cross', tone: 'bad', label: forcedDown ? 'forced down' : state }
