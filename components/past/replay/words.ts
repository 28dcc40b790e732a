import { kindText } from '../../event/words'
import { utc } from '../../ui/format'

export const replayWords = {
  asItWas: (at: number) => `State at ${utc(at)} UTC`,
  still: 'Read-only; not updated.',
  time: 'Time (UTC)',
  unknownBefore: (from: number) => `No history before ${utc(from)} UTC.`,
  notYet: 'This time is in the future.',
  slider: 'Replay of this host',
  previous: 'Previous change',
  next: 'Next change',
  play: 'Play',
  pause: 'Pause',
  noChanges: 'No recorded change on this host.',
  changeText: (kind: string, name: string | null, { who, events }: { who: string; events: number }) =>
    [kindText(kind), name, events > 1 ? `and ${events - 1} more` : null, `by ${who}`].filter(Boolean).join(', '),
  nth: (n: number, of: number) => `${n} of ${of}`,
  migrations: 'Migrations at that time',
  noMigrations: 'No active migrations',
  noMigrationsMore: 'No migration was active at that time.',
  noHosts: 'No host matches',
  noHostsMore: 'Change or clear the filter.',
  notKept: 'not recorded',
} as const
