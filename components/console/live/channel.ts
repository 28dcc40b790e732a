import type { StreamItem } from '@/server/api/event/router'

// The one event channel of the console: a stream while it is connected, otherwise a poll for the same items every two
// seconds. Both continue after the last item received by either. Items may repeat, and none is lost: an item only says
// what is stale.

export type Way = 'stream' | 'polling'

export interface ChannelDoors {
  /** Opens the stream after that sequence; at its end when there is none. */
  readonly stream: (after: string | undefined, told: StreamTold) => { readonly close: () => void }
  /** What came after that sequence, the last item being a beat. Rejects without an answer. */
  readonly since: (after: string | undefined) => Promise<readonly StreamItem[]>
}

export interface StreamTold {
  readonly onItem: (item: StreamItem) => void
  /** Disconnected; reconnects automatically. */
  readonly onCut: () => void
  /** It has ended and never comes back. */
  readonly onEnd: () => void
}

export interface ChannelTold {
  readonly onItem: (item: StreamItem, way: Way) => void
  /** Neither stream nor poll works: queries meanwhile have failed too. */
  readonly onLost: () => void
}

const POLL_MS = 2_000 // as late as the console promises to be at most
const POLL_LIMIT_MS = 10_000 // a poll that has no answer by then no longer holds up the next
const FIRST_ITEM_MS = 5_000 // a proxy that keeps a stream to itself says neither item nor error
const REOPEN_MS = 5_000 // what stands before a server says 502 while the server restarts, and ends the stream by it

export interface Channel {
  readonly close: () => void
  /** The page is hidden: neither stream nor question, until it wakes and goes on after the last item. */
  readonly rest: () => void
  readonly wake: () => void
}

/** Begins after that sequence, or where the stream ends. */
export function openChannel(doors: ChannelDoors, after: string | undefined, told: ChannelTold): Channel {
  const { later, callOff } = makeTimers()
  let last = after
  let closed = false
  /** Null while it rests, and after it was closed. What an earlier one still says is not heard. */
  let stream: { close: () => void } | null = null
  const hear = (item: StreamItem, way: Way) => {
    last = item.seq
    told.onItem(item, way)
  }
  /** A new stream begins at the end, so what came since the last poll is fetched once more. */
  const catchUp = async () => {
    const answer = await doors.since(last).catch(() => 'failed' as const)
    // Also while paused: the stream has advanced past this answer, which is not fetched again.
    if (closed) return
    if (answer === 'failed') told.onLost()
    else for (const item of answer) told.onItem(item, 'stream')
  }
  const polling = makePolling(() => doors.since(last), {
    later,
    onItem: (item) => hear(item, 'polling'),
    onLost: told.onLost,
  })
  const open = () => {
    let silent = true
    const mine = { close: () => {} }
    const ifMine = (what: () => void) => stream === mine && what()
    stream = mine
    const opened = doors.stream(last, {
      onItem: (item) =>
        ifMine(() => {
          silent = false
          if (polling.stop()) void catchUp()
          hear(item, 'stream')
        }),
      onCut: () => ifMine(polling.start),
      onEnd: () =>
        ifMine(() => {
          mine.close()
          polling.start()
          later(open, REOPEN_MS)
        }),
    })
    mine.close = opened.close
    later(() => ifMine(() => silent && polling.start()), FIRST_ITEM_MS)
  }
  const rest = () => {
    polling.stop()
    callOff()
    stream?.close()
    stream = null
  }
  const wake = () => {
    if (stream === null) open()
  }
  open()
  const close = () => {
    closed = true
    rest()
  }
  return { close, rest, wake }
}

interface PollingDoors {
  readonly later: (what: () => void, ms: number) => void
  readonly onItem: (item: StreamItem) => void
  readonly onLost: () => void
}

function makePolling(ask: () => Promise<readonly StreamItem[]>, { later, onItem, onLost }: PollingDoors) {
  /** Names the polling under way, so that one that was called off cannot go on beside the next. */
  let current: object | null = null
  const poll = async (mine: object) => {
    const answer = await within(POLL_LIMIT_MS, ask()).catch(() => 'failed' as const)
    if (current !== mine) return
    if (answer === 'failed') onLost()
    else if (answer !== 'late') for (const item of answer) onItem(item)
    later(() => current === mine && void poll(mine), POLL_MS)
  }
  const start = () => {
    if (current) return
    current = {}
    void poll(current)
  }
  /** Answers whether it was under way. */
  const stop = () => {
    const was = current !== null
    current = null
    return was
  }
  return { start, stop }
}

function makeTimers() {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const later = (what: () => void, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      what()
    }, ms)
    timers.add(timer)
  }
  const callOff = () => {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }
  return { later, callOff }
}

/** A server that says nothing has not failed: its screens grow stale, which their age shows. */
const within = <T>(ms: number, answer: Promise<T>): Promise<T | 'late'> =>
  Promise.race([answer, new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), ms))])
