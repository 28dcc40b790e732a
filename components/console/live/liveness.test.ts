import { expect, it } from 'vitest'
import { INITIAL_LIVENESS, type LivenessFacts, livenessOf } from './liveness'

const AT = 1_000_000
const facts: LivenessFacts = { lastAt: AT, transport: 'stream', disconnected: false }

it.each([
  ['nothing has been received yet', INITIAL_LIVENESS, AT, 'connecting'],
  ['the server did not answer from the start', { ...INITIAL_LIVENESS, disconnected: true }, AT, 'offline'],
  ['the stream has just delivered', facts, AT, 'live'],
  ['a poll was just answered', { ...facts, transport: 'polling' }, AT, 'polling'],
  ['one beat is late', facts, AT + 39_000, 'live'],
  ['nothing has arrived for 40 s', facts, AT + 40_001, 'stale'],
  ['polls hang for 40 s', { ...facts, transport: 'polling' }, AT + 40_001, 'stale'],
  ['a poll has failed', { ...facts, disconnected: true }, AT + 3_000, 'offline'],
  ['the clock was set back', facts, AT - 5_000, 'live'],
] satisfies [string, LivenessFacts, number, string][])(
  'livenessOf derives the state when %s',
  (_, what, now, state) => {
    expect(livenessOf(what, now)).toEqual({ state, silentMs: what.lastAt === null ? 0 : Math.max(0, now - AT) })
  },
)
