import type { StreamItem } from '@/server/api/event/router'

// The console's one channel: a stream while it lasts, and while it is cut a poll for the same items every two seconds.
// Both continue after the last item received by either. An item may arrive twice, but none is lost: it only names what
// is stale.

export type ChannelTransport = 'stream' | 'polling'

export interface ChannelSources {
  /** Opens the stream after that sequence; at the stream's end if undefined. */
  readonly stream: (after: string | undefined, callbacks: StreamCallbacks) => { readonly close: () => void }
  /** Items after that sequence, the last one a heartbeat. Rejects if the server does not respond. */
  readonly since: (after: string | undefined) => Promise<readonly StreamItem[]>
}

export interface StreamCallbacks {
  readonly onItem: (item: StreamItem) => void
  /** The stream is interrupted and reconnects on its own. */
  readonly onCut: () => void
  /** The stream has ended and does not reconnect. */
  readonly onEnd: () => void
}

export interface ChannelCallbacks {
  readonly onItem: (item: StreamItem, way: ChannelTransport) => void
  /** Neither stream nor poll works: queries sent meanwhile have failed too. */
  readonly onLost: () => void
}

const POLL_MS = 2_000 // the largest delay that the console promises
const POLL_LIMIT_MS = 10_000 // after this time a pending poll no longer delays the next
const FIRST_ITEM_MS = 5_000 // a proxy that buffers the stream delivers neither items nor errors
const REOPEN_MS = 5_000 // a proxy answers 502 while the server restarts, which ends the stream

export interface Channel {
  readonly close: () => void
  /** The page is hidden: neither stream nor polls, until `resume` continues after the last item. */
  readonly pause: () => void
  readonly resume: () => void
}

/** Starts after that sequence, or at the stream's end. */
export function openChannel(sources: ChannelSources, after: string | undefined, callbacks: ChannelCallbacks): Channel {
  const { later, callOff } = makeTimers()
  let last = after
  let closed = false
  /** Null at rest and after closing. Late calls of an earlier stream are ignored. */
  let stream: { close: () => void } | null = null
  const hear = (item: StreamItem, way: ChannelTransport) => {
    last = item.seq
    callbacks.onItem(item, way)
  }
  /** A stream opened for the first time starts at its end, so items since the last poll are requested once more. */
  const catchUp = async () => {
    const answer = await sources.since(last).catch(() => 'failed' as const)
    // At rest too: the stream is already past these items, and they are not requested again.
    if (closed) return
    if (answer === 'failed') callbacks.onLost()
    else for (const item of answer) callbacks.onItem(item, 'stream')
  }
  const polling = makePolling(() => sources.since(last), {
    later,
    onItem: (item) => hear(item, 'polling'),
    onLost: callbacks.onLost,
  })
  const open = () => {
    let silent = true
    const mine = { close: () => {} }
    const ifMine = (what: () => void) => stream === mine && what()
    stream = mine
    const opened = sources.stream(last, {
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
  const pause = () => {
    polling.stop()
    callOff()
    stream?.close()
    stream = null
  }
  const resume = () => {
    if (stream === null) open()
  }
  open()
  const close = () => {
    closed = true
    pause()
  }
  return { close, pause, resume }
}

interface PollingSources {
  readonly later: (what: () => void, ms: number) => void
  readonly onItem: (item: StreamItem) => void
  readonly onLost: () => void
}

function makePolling(ask: () => Promise<readonly StreamItem[]>, { later, onItem, onLost }: PollingSources) {
  /** Identifies the current polling, so that a cancelled one cannot run beside the next. */
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
  /** Returns whether it was polling. */
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

/** A silent server has not failed: its screens grow stale, which their age shows. */
const within = <T>(ms: number, answer: Promise<T>): Promise<T | 'late'> =>
  Promise.race([answer, new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), ms))])
