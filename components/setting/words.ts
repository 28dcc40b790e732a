import type { ForeignInstances, MigrationRules, SecondPersonAction } from '@/server/engine/migration/rules'
import type { Policy } from '@/server/engine/scheduler'
import { duration } from '../ui/format'

interface ChoiceWords {
  readonly label: string
  readonly detail: string
}

export const policyWords: Readonly<Record<Policy, ChoiceWords>> = {
  spread: { label: 'Spread', detail: 'Prefers the host with the most free capacity.' },
  pack: { label: 'Pack', detail: 'Prefers the fullest host that still fits the instance.' },
  'least-fragmentation': {
    label: 'Least fragmentation',
    detail: 'Prefers the host whose NUMA nodes and devices stay least fragmented.',
  },
}

export const approvalWords: Readonly<Record<SecondPersonAction, ChoiceWords>> = {
  lost: {
    label: 'Mark a host as permanently lost',
    detail:
      'Its instances can then be evacuated and its claims released. Needs approval whenever marking a host as fenced does.',
  },
  fenced: {
    label: 'Mark a host as fenced',
    detail: 'Includes attesting that an unreachable host, also one of a connected cloud, is powered off.',
  },
  heal: {
    label: 'Apply a repair',
    detail:
      'Writes the reviewed changes to allocations and claims, also in a connected cloud. Automatic repairs need no approval.',
  },
  release: {
    label: 'Release an allocation of another owner',
    detail: 'Needs approval whenever applying a repair does.',
  },
  cloud: {
    label: 'Request an action from Nova',
    detail:
      'Migrations, evacuations and other actions on a connected cloud, drains of its hosts, and repairs by such actions.',
  },
}

export const foreignWords: Readonly<Record<ForeignInstances, ChoiceWords>> = {
  refuse: { label: 'Refuse', detail: 'The client gets 409 Conflict and has to claim on another host.' },
  allow: { label: 'Allow', detail: 'Berth counts the allocation, but neither observes nor migrates the instance.' },
}

export type SectionId = 'scheduling' | 'limits' | 'confirm' | 'approval' | 'placement' | 'server'

interface SectionWords {
  readonly title: string
  readonly about: string
  /** When a change takes effect. */
  readonly effect: string
}

const WITHIN_SECONDS = 'Every server applies it within a few seconds.'

export const sectionWords: Readonly<Record<Exclude<SectionId, 'server'>, SectionWords>> = {
  scheduling: {
    title: 'Scheduling',
    about: 'How Berth chooses a host when a request names none.',
    effect: `Applies to the next scheduling decision. ${WITHIN_SECONDS} Running instances stay where they are.`,
  },
  limits: {
    title: 'Concurrent migrations',
    about: 'Migrations over a limit wait in the queue and show their position.',
    effect: `Queued migrations are checked again at once. ${WITHIN_SECONDS} Migrations in flight continue.`,
  },
  confirm: {
    title: 'Confirm window',
    about: 'After a resize or cold migration, both hosts stay claimed until somebody confirms or reverts it.',
    effect: 'Applies to migrations that start from now on. Migrations in flight keep the window they started with.',
  },
  approval: {
    title: 'Two-person approval',
    about: 'A second operator has to approve these actions before they run, on hosts of Berth and in connected clouds.',
    effect: `Applies to the next request. ${WITHIN_SECONDS} Open requests still await a second person.`,
  },
  placement: {
    title: 'Placement API',
    about: 'What a Placement client gets when it claims for its own instance on a host that Berth manages.',
    effect: `Applies to the next claim. ${WITHIN_SECONDS} Existing allocations stay.`,
  },
}

const confirmText = (ms: number | null) => (ms === null ? 'off' : `after ${duration(ms)}`)

/** A rule's value in one line. */
export const ruleText: { readonly [R in keyof MigrationRules]: (value: MigrationRules[R]) => string } = {
  policy: (policy) => policyWords[policy].label,
  limits: ({ perSource, perTarget, fleet }) => `${perSource} out of a host, ${perTarget} into a host, ${fleet} in all`,
  confirmWindowMs: confirmText,
  secondPerson: (actions) =>
    actions.length === 0 ? 'off' : actions.map((action) => approvalWords[action].label).join(', '),
  foreignInstances: (answer) => foreignWords[answer].label,
}

export const settingWords = {
  title: 'Settings',
  facts: 'Rules that every server follows.',
  what: 'Settings',
  history: 'Change history',
  index: 'Sections',
  policy: 'Host selection',
  perSource: 'Out of one host',
  perTarget: 'Into one host',
  fleet: 'In the whole fleet',
  unit: 'migrations at once',
  bounds: (least: number, most: number) => `Enter a whole number from ${least} to ${most}.`,
  hasWindow: 'Confirm automatically',
  window: 'Confirm after',
  minutes: 'minutes',
  windowOff: 'Off: a migration waits until somebody confirms or reverts it.',
  actions: 'Actions that need approval',
  approvalOff: 'Off: an operator needs no second person. Requests of support still await an operator.',
  onlyOne: 'With a single operator, nobody could approve these actions.',
  foreign: 'Instances of other clients',
  byDefault: (value: string) => `Default: ${value}`,
  neverChanged: 'Never changed: the default applies.',
  changedBy: (who: string) => `Last changed by ${who}`,
  script: 'a script',
  review: 'Review change',
  discard: 'Discard',
  unsaved: 'Unsaved change',
  fixFirst: 'Correct the marked field first.',
  changedMeanwhile: (who: string) => `${who} changed this while you were editing. Discard your change to see it.`,
  changing: (section: string) => `Change ${section.toLowerCase()}`,
  save: 'Save change',
  done: (section: string) => `${section} changed`,
  mayNot: (why: string) => `You cannot change this: ${why}`,
  serverTitle: 'This server',
  serverAbout: 'How the server that you are connected to was started.',
  noWarnings: 'No warnings at its start.',
} as const
