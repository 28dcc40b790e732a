import type { Database } from '../../store/database/database'
import { openSessionReader } from '../../store/user/session'
import { makeSessionWatch, type SessionWatch, type SessionWatchOptions } from './session-watch'
import { type CallTurns, makeCallTurns, makeStreamCounts, type StreamCounts } from './turns'

/** The limits per user and per session; one instance of each per server. */
export interface Limits {
  readonly callTurns: CallTurns
  readonly streamCounts: StreamCounts
  readonly sessionWatch: SessionWatch
}

export interface LimitsOptions extends Pick<SessionWatchOptions, 'onFailure'> {
  readonly database: Database
}

export const makeLimits = ({ database, onFailure }: LimitsOptions): Limits => ({
  callTurns: makeCallTurns(),
  streamCounts: makeStreamCounts(),
  sessionWatch: makeSessionWatch({ reader: openSessionReader(database.url), onFailure }),
})
