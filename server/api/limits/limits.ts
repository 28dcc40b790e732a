import { makeSessionWatch, type SessionWatch, type SessionWatchOptions } from './session-watch'
import { type CallTurns, makeCallTurns, makeStreamCounts, type StreamCounts } from './turns'

/** What bounds one person and one session, one of each for a server. */
export interface Limits {
  readonly callTurns: CallTurns
  readonly streamCounts: StreamCounts
  readonly sessionWatch: SessionWatch
}

export const makeLimits = (options: SessionWatchOptions): Limits => ({
  callTurns: makeCallTurns(),
  streamCounts: makeStreamCounts(),
  sessionWatch: makeSessionWatch(options),
})
