import type { Database } from '../database/database'
import { Listener } from '../database/listener'
import { EVENTS_READ_AT_ONCE, type FleetEvent, readEventsAfter } from './read'
import { readLastSequence } from './trail-read'

// One reader of the event sequence per process, for the projection and every live view. It listens for the relay's
// notification and also polls, so a lost notification or a broken connection delays events and never loses one.

type Follower = (events: readonly FleetEvent[]) => void

export interface EventFeedOptions {
  readonly onFailure: (error: unknown) => void
  readonly pollMs?: number
  /** Events kept in memory for readers slightly behind; others read the table. */
  readonly keep?: number
}

const POLL_MS = 1000 // the lag of a live view while notifications do not arrive
const KEEP = 5000

export class EventFeed {
  readonly #database: Database
  readonly #options: EventFeedOptions
  readonly #followers = new Set<Follower>()
  readonly #enders = new Set<() => void>()
  readonly #poll: NodeJS.Timeout
  readonly #listener: Listener
  #recent: FleetEvent[] = []
  #head: bigint
  #tail: bigint // all events after it, up to the head, are in `recent`
  #again = false
  #reading: Promise<void> | null = null
  #stopped = false

  private constructor(database: Database, options: EventFeedOptions, head: bigint) {
    this.#database = database
    this.#options = options
    this.#head = head
    this.#tail = head
    const onNotify = () => this.#wake()
    this.#poll = setInterval(onNotify, options.pollMs ?? POLL_MS)
    this.#listener = new Listener(database.url, { channel: 'berth_events', onNotify, onFailure: options.onFailure })
  }

  /** Starts at the last assigned sequence, so that anything a later read of the tables misses arrives as an event. */
  static async open(database: Database, options: EventFeedOptions): Promise<EventFeed> {
    return new EventFeed(database, options, await readLastSequence(database))
  }

  /** The sequence read so far. */
  get head(): bigint {
    return this.#head
  }

  /** Called with every batch, in order. Returns a function that unsubscribes. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }

  /** Events after the sequence, oldest first; blocks until there is one. Empty when the signal or the feed ends. */
  async waitForEvents(after: bigint, signal?: AbortSignal): Promise<readonly FleetEvent[]> {
    if (after < this.#tail) return orNothing(readEventsAfter(this.#database, after), signal)
    if (after < this.#head) {
      // Searched from the end: readers are a few events behind, and thousands are kept.
      return this.#recent.slice(this.#recent.findLastIndex(({ sequence }) => sequence <= after) + 1)
    }
    if (this.#stopped || signal?.aborted) return []
    return new Promise((resolve) => {
      const finish = (events: readonly FleetEvent[]) => {
        leave()
        this.#enders.delete(end)
        signal?.removeEventListener('abort', end)
        resolve(events)
      }
      const end = () => finish([])
      const leave = this.follow((events) => {
        const later = events.filter(({ sequence }) => sequence > after)
        if (later.length > 0) finish(later)
      })
      this.#enders.add(end)
      signal?.addEventListener('abort', end, { once: true })
    })
  }

  /** Ends every wait, then the connection. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#poll)
    for (const end of [...this.#enders]) end()
    await this.#listener.stop()
    await this.#reading
  }

  #wake(): void {
    this.#again = true
    if (this.#stopped) return
    this.#reading ??= this.#read()
      .catch((error: unknown) => {
        if (!this.#stopped) this.#options.onFailure(error)
      })
      .finally(() => {
        this.#reading = null
        if (this.#again) this.#wake() // notified between the last poll and now
      })
  }

  async #read(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      const events = await readEventsAfter(this.#database, this.#head)
      const last = events.at(-1)
      if (!last) continue
      this.#head = last.sequence
      const known = [...this.#recent, ...events]
      this.#recent = known.slice(-(this.#options.keep ?? KEEP))
      if (this.#recent.length < known.length) this.#tail = (this.#recent[0] as FleetEvent).sequence - 1n
      for (const follower of [...this.#followers]) follower(events)
      this.#again ||= events.length === EVENTS_READ_AT_ONCE
    }
  }
}

/** Returns the read, or nothing as soon as the signal is aborted, because a read may wait for a connection. */
function orNothing<Read>(reading: Promise<readonly Read[]>, signal: AbortSignal | undefined): Promise<readonly Read[]> {
  if (!signal) return reading
  return new Promise((resolve, reject) => {
    const end = () => resolve([])
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    reading.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
