import type { CloudActionView } from '@/server/api/cloud/action-view'
import type { CloudActionKind, SubjectKind } from '@/server/engine/cloud/action/action'
import type { BadgeContent } from '../../ui/Badge'

interface ActionLabel {
  readonly verb: string
  readonly hint: string
}

export const cloudActionLabels: Readonly<Record<CloudActionKind, ActionLabel>> = {
  'live-migrate': { verb: 'Live-migrate instance', hint: 'The instance keeps running' },
  migrate: { verb: 'Cold-migrate instance', hint: 'The instance is off during the migration' },
  resize: { verb: 'Resize instance', hint: 'To another flavor' },
  confirm: { verb: 'Confirm migration', hint: 'Frees the source' },
  revert: { verb: 'Revert migration', hint: 'Back to the source' },
  evacuate: { verb: 'Evacuate instance', hint: 'From a host that is fenced' },
  shelve: { verb: 'Shelve instance', hint: 'Frees its host' },
  unshelve: { verb: 'Unshelve instance', hint: 'Puts it on a host' },
  start: { verb: 'Start instance', hint: 'Powers the instance on' },
  stop: { verb: 'Stop instance', hint: 'Powers the instance off' },
  reboot: { verb: 'Hard-reboot instance', hint: 'Power-cycles the instance' },
  rebuild: { verb: 'Rebuild instance', hint: 'From its image; its disk is lost' },
  'reset-state': { verb: 'Reset state', hint: 'Overwrites what Nova records' },
  abort: { verb: 'Abort migration', hint: 'Its instance stays on the source' },
  'force-complete': { verb: 'Force migration to complete', hint: 'Pauses the instance or switches to post-copy' },
  enable: { verb: 'Enable service', hint: 'The scheduler may choose the host again' },
  disable: { verb: 'Disable service', hint: 'The scheduler chooses other hosts' },
  'force-down': { verb: 'Force service down', hint: 'So that its instances can be evacuated' },
  'force-up': { verb: 'Unset forced down', hint: 'It counts as up once it reports' },
}

/** Disruptive actions: never the primary button, even if no other action is available. */
export const INTERRUPTING: ReadonlySet<CloudActionKind> = new Set([
  ...(['stop', 'reboot', 'rebuild', 'shelve', 'reset-state'] as const),
  ...(['abort', 'force-complete', 'disable', 'force-down'] as const),
])

export const cloudActionBadges: Readonly<Record<CloudActionView['state'], BadgeContent>> = {
  sending: { shape: 'ring', tone: 'flow', label: 'sending' },
  accepted: { shape: 'half', tone: 'flow', label: 'accepted' },
  unanswered: { shape: 'unknown', tone: 'warn', label: 'no clear answer' },
  'not-sent': { shape: 'pause', tone: 'warn', label: 'not sent' },
  refused: { shape: 'cross', tone: 'bad', label: 'refused' },
  done: { shape: 'tick', tone: 'ok', label: 'done' },
  failed: { shape: 'cross', tone: 'bad', label: 'failed' },
}

const SUBJECTS: Readonly<Record<SubjectKind, string>> = { instance: 'Instance', migration: 'Migration', host: 'Host' }

export const cloudActionWords = {
  subjects: SUBJECTS,
  menu: 'Actions',
  gone: 'The cloud does not list it any more.',
  requested: 'Requested actions',
  noneMore: 'Actions that people request are listed here, with their results.',
  readOnly: 'The cloud is read-only. An admin can allow actions on its page.',
  host: 'Destination',
  scheduler: 'The scheduler chooses',
  fits: 'fits by amounts',
  storage: 'Storage',
  storages: { auto: 'Nova chooses', block: 'Copy the disks', shared: 'Shared storage' },
  flavor: 'Flavor',
  chooseFlavor: 'Choose a flavor',
  state: 'State',
  states: { active: 'active', error: 'error' },
  unchecked: 'Not checked by Berth; Nova may refuse it',
  undone: (verb: string) => `Undo: ${verb}.`,
  accepted: (verb: string, name: string) => `${verb}: ${name}, accepted`,
  acceptedMore: 'The next read shows whether it was done.',
  notDone: (says: string) => `Not done: ${says}`,
  byline: (who: string, reason: string | null) => (reason === null ? who : `${who}: ${reason}`),
  fence: 'Mark as fenced',
  unfence: 'Mark as not fenced',
  fenced: (who: string) => `Attested by ${who} to be powered off`,
  fenceMeans:
    'You attest that this host is powered off. Its instances can then be evacuated, and their stuck migrations repaired. If they still run here, second copies start elsewhere.',
  unfenceMeans: 'The host may be running again. Its instances are neither evacuated nor repaired.',
  fenceDone: (host: string) => `${host} is marked as fenced`,
  unfenceDone: (host: string) => `${host} is not marked as fenced`,
} as const
