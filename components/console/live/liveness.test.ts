import { expect, it } from 'vitest'
import { type LivenessFacts, livenessOf, NOTHING_HEARD } from './liveness'

const AT = 1_000_000
const heard: LivenessFacts = { lastAt: AT, way: 'stream', lost: false }

it.each([
  ['nothing was heard yet', NOTHING_HEARD, AT, 'connecting'],
  ['the host did not answer from the start', { ...NOTHING_HEARD, lost: true }, AT, 'offline'],
  ['the stream was just heard', heard, AT, 'live'],
  ['a poll was just answered', { ...heard, way: 'polling' }, AT, 'polling'],
  ['a beat is missing', heard, AT + 39_000, 'live'],
  ['nothing has come for 40 s', heard, AT + 40_001, 'stale'],
  ['polls hang for 40 s', { ...heard, way: 'polling' }, AT + 40_001, 'stale'],
  ['a poll has failed', { ...heard, lost: true }, AT + 3_000, 'offline'],
  ['the clock went back', heard, AT - 5_000, 'live'],
] satisfies [string, LivenessFacts, number, string][])('when %s', (_, what, now, state) => {
  expect(livenessOf(what, now)).toEqual({ state, silentMs: what.lastAt === null ? 0 : Math.max(0, now - AT) })
})
