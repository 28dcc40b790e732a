import type { BadgeContent } from '../../ui/Badge'
import { count, plural } from '../../ui/format'

export const ruleWords = {
  title: 'Automatic repair',
  intro:
    'Automatic repair is off until an admin turns it on for a kind of finding. Each kind has a daily limit; beyond it, repairs wait for review.',
  onNow: (n: number, of: number) => `On for ${count(n)} of ${plural(of, 'kind')}.`,
  on: { shape: 'dot', tone: 'flow', label: 'on' } satisfies BadgeContent,
  off: { shape: 'ring', tone: 'idle', label: 'off' } satisfies BadgeContent,
  columns: { kind: 'Kind', state: 'Automatic', used: 'Today', by: 'Changed by', at: 'When', change: 'Change' },
  used: (used: number, cap: number) => `${used} of ${cap}`,
  change: 'Change',
  changeOf: (kind: string) => `Change automatic repair: ${kind}`,
  heals: 'Repair automatically',
  cap: 'Daily limit',
  switchOn: (cap: number) => `Turn on, up to ${cap} a day`,
  switchOff: 'Turn off',
  consequences: (cap: number) =>
    `Up to ${plural(cap, 'finding')} of this kind a day will be repaired without review. Every repair is in the audit log and can be undone.`,
  consequencesOff: 'From now on, every repair of this kind needs review.',
  done: (kind: string) => `Automatic repair changed: ${kind}`,
  onlyAdmin: 'Only an admin can change this.',
} as const
