import { kindText } from '../event/words'
import { utc } from '../ui/format'

export const pastWords = {
  look: 'As it was…',
  asItWas: (at: number) => `As it was at ${utc(at)} UTC`,
  still: 'Not updated; nothing can be done to it.',
  asItIs: (at: number) => `As it is now, not as it was at ${utc(at)} UTC`,
  onlyMap: 'Only the map and its places go back.',
  ofNow: 'As of now:',
  whyNot: 'This page shows how it was; go back to now to act.',
  moment: 'Moment (UTC)',
  now: 'Back to now',
  unknownBefore: (from: number) => `Before ${utc(from)} UTC nobody kept how it was.`,
  notYet: 'This moment has not come yet: nobody knows how it will be.',
  slider: 'Replay of this host',
  previous: 'Previous moment',
  next: 'Next moment',
  play: 'Play',
  pause: 'Pause',
  noMoments: 'Nothing happened on this host since its past is kept.',
  what: 'the past',
  momentText: (kind: string, name: string | null, { who, events }: { who: string; events: number }) =>
    [kindText(kind), name, events > 1 ? `and ${events - 1} more` : null, `by ${who}`].filter(Boolean).join(', '),
  nth: (n: number, of: number) => `${n} of ${of}`,
  moves: 'Moves at that moment',
  noMoves: 'No move was under way',
  noMovesMore: 'At that moment nothing was moving.',
  noHosts: 'No host',
  noHostsMore: 'No host has this in its name.',
  ended: 'Ended',
  filter: 'Name or id',
  notKept: 'not kept',
} as const
