import type { Database } from '../../store/database/database'
import { EventFeed } from '../../store/event/feed'
import { relayOnce } from '../../store/event/relay'
import { readLastSequence } from '../../store/event/trail-read'
import { Projection } from '../projection'

const onFailure = (error: unknown) => {
  throw error
}

/** The fleet as a server knows it, from events that `settle` or a relay numbers. */
export async function openFleet(database: Database, poll: { readonly pollMs?: number } = {}) {
  const feed = await EventFeed.open(database, { onFailure, ...poll })
  const fleet = await Projection.open({ database, feed, onFailure })
  return {
    feed,
    fleet,
    /** Everything that was committed is in the sequence and in the projection. */
    settle: async () => {
      while ((await relayOnce(database)) > 0);
      const last = await readLastSequence(database)
      while (feed.head < last) await feed.waitForEvents(feed.head)
      await fleet.settled()
    },
    stop: async () => {
      await fleet.stop()
      await feed.stop()
    },
  }
}
