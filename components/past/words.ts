import { utc } from '../ui/format'

/** What every page needs. The texts of a shown past are in replay/words.ts, which few pages load. */
export const pastWords = {
  viewAtTime: 'View at a time…',
  asItIs: (at: number) => `Current state, not the state at ${utc(at)} UTC`,
  noHistory: 'This page has no history.',
  unreadable: (text: string) => `Invalid time in the URL: at=${text}`,
  unreadableMore: 'This page shows the current state. Write the time like 2026-11-21T05:00:00Z.',
  onlyMap: 'Only the map is available for past times.',
  ofNow: 'Current:',
  whyNot: 'This page shows a past state. Return to now to act.',
  now: 'Return to now',
  what: 'the history',
} as const
