import type { Database } from '../../store/database/database'
import { openSessionReader } from '../../store/user/session'
import { type CallSlots, makeCallSlots, makeStreamCounts, type StreamCounts } from './call-slots'
import { makeSessionWatch, type SessionWatch, type SessionWatchOptions } from './session-watch'

/** The limits per user and per session; one instance of each per server. */
export interface Limits {
  readonly callSlots: CallSlots
  readonly streamCounts: StreamCounts
  readonly sessionWatch: SessionWatch
}

export interface LimitsOptions extends Pick<SessionWatchOptions, 'onFailure'> {
  readonly database: Database
}

export const makeLimits = ({ database, onFailure }: LimitsOptions): Limits => ({
  callSlots: makeCallSlots(),
  streamCounts: makeStreamCounts(),
  sessionWatch: makeSessionWatch({ reader: openSessionReader(database.url), onFailure }),
})
