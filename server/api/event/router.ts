import { setTimeout } from 'node:timers/promises'
import { TRPCError, tracked } from '@trpc/server'
import { z } from 'zod'
import { addressKey } from '../../auth/address-key'
import { grantText } from '../../auth/grant'
import { memoize } from '../../engine/memoize'
import { listEvents } from '../../store/event/trail-read'
import type { SessionEnd, WatchedSession } from '../limits/session-watch'
import { idsInText, namedIn, type Ref } from '../names/names'
import { namesOf } from '../names/read'
import type { Ms } from '../plain'
import { hostId, instanceId, limit, migrationId, object, sequence } from '../procedure/inputs'
import { type CallerContext, router, support, viewer } from '../procedure/procedure'

// Events, as a list and as a stream. One channel carries every change: a screen refetches the host that an event names,
// so the stream stays small and needs no rights of its own.

export interface EventView {
  readonly seq: string
  readonly at: Ms
  readonly kind: string
  readonly hosts: readonly Ref[]
  readonly instance: Ref | null
  readonly migration: string | null
  readonly who: string
  readonly request: string | null
  readonly reason: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * One message of `event.stream`, sent as `tracked(seq, item)`. A heartbeat at least every 10 s keeps the live indicator
 * correct.
 */
export type StreamItem =
  | { readonly is: 'beat'; readonly at: Ms; readonly seq: string }
  /** Events since the last message, in order; `seq` is that of the last event. */
  | { readonly is: 'events'; readonly seq: string; readonly events: readonly StreamEvent[] }

export interface StreamEvent {
  readonly seq: string
  readonly at: Ms
  readonly kind: string
  readonly hosts: readonly string[]
  readonly instance: string | null
  readonly migration: string | null
}

const LIST_DEFAULT = 100
/**
 * Maximum time that events wait for the projection, which serves the refetch: under writes from other servers it may
 * never catch up.
 */
const CATCH_UP_MS = 500
/** Drives the live indicator of the screen. */
const BEAT_MS = 5_000
/**
 * Delay after a message, to batch the events that follow: one message per event of fifty migrations would be ten
 * thousand a second to two hundred browsers. It grows with the number of streams, so that the total cost stays
 * constant. Screens may be two seconds late: fifty streams use an eighth of that, two hundred or more use half.
 */
const gatherMs = (streams: number) => Math.min(1_000, Math.max(250, 5 * streams))

const listInput = object({
  host: hostId.optional(),
  instance: instanceId.optional(),
  migration: migrationId.optional(),
  before: sequence.optional(),
  /** False: without the reports of a running transfer, which fill the list when one does not converge. */
  progress: z.boolean({ error: 'expected true or false' }).default(true),
  limit: limit.default(LIST_DEFAULT),
})

export const eventRouter = router({
  list: support.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<readonly EventView[]> => {
    const { services } = ctx
    const rows = await services.past.read((database) => listEvents(database, input))
    const names = await namesOf(
      services,
      rows.flatMap(({ instance, data }) => [
        ...(instance === null ? [] : [instance]),
        ...idsInText(JSON.stringify(data)),
      ]),
    )
    return rows.map(({ sequence: seq, hosts, instance, ...row }) => ({
      ...row,
      // Written for programs, shown to users.
      data: namedIn(row.data, names),
      seq,
      hosts: hosts.map((id) => names.host(id)),
      instance: instance === null ? null : names.instance(instance),
    }))
  }),

  stream: viewer
    .input(object({ lastEventId: sequence.optional() }).prefault({}))
    .subscription(({ ctx, input, signal }) => follow(ctx, input.lastEventId, signal)),

  /** Polling for clients without a stream: the messages after that sequence, then a heartbeat. */
  since: viewer
    .input(object({ after: sequence.optional() }).prefault({}))
    .query(async ({ ctx, input }): Promise<readonly StreamItem[]> => {
      const { feed } = ctx.services
      const after = placeIn(ctx, input.after)
      const events = after < feed.head ? await feed.waitForEvents(after) : []
      if (events.length > 0) await caughtUp(ctx)
      const last = beat(ctx, events.at(-1)?.sequence ?? after)
      return events.length > 0 ? [together(events), last] : [last]
    }),
})

/** A browser may remember a database that was replaced since; it then starts at the end of this one. */
function placeIn({ services: { feed } }: CallerContext, remembered: string | undefined): bigint {
  return remembered === undefined || BigInt(remembered) > feed.head ? feed.head : BigInt(remembered)
}

/** Sends everything after `lastEventId`, then new events, and a heartbeat when idle. */
async function* follow(ctx: CallerContext, lastEventId: string | undefined, signal: AbortSignal | undefined) {
  const { feed, metrics, streamCounts, sessionWatch } = ctx.services
  const releaseStream = streamCounts.take(ctx.caller.id, addressKey(ctx.headers))
  const ended = new AbortController()
  const unwatch = sessionWatch.watch(watchedOf(ctx), (why) => ended.abort(why))
  const over = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal
  let at = placeIn(ctx, lastEventId)
  metrics.countStream(1)
  try {
    yield tracked(String(at), beat(ctx, at))
    while (!signal?.aborted) {
      const pause = AbortSignal.timeout(BEAT_MS)
      const events = await feed.waitForEvents(at, AbortSignal.any([over, pause]))
      if (events.length > 0) await caughtUp(ctx, over)
      if (signal?.aborted) return
      // Checked before each message, and no wait above outlasts the session: without one nothing more is sent.
      endedWith(ended.signal)
      const last = events.at(-1)
      if (last) {
        at = last.sequence
        yield tracked(String(at), together(events))
        await pauseUntil(gatherMs(streamCounts.open()), over)
        continue
      }
      // Returning would end the stream for good and the browser would not reconnect; a 503 makes it reconnect.
      if (!pause.aborted) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'Berth is stopping.' })
      yield tracked(String(at), beat(ctx, at))
    }
  } finally {
    releaseStream()
    unwatch()
    metrics.countStream(-1)
  }
}

/** The wording of the session check. */
const watchedOf = ({ caller: { session, role, grants } }: CallerContext): WatchedSession => ({
  session,
  role: [role, ...grants.map(grantText)].join(' '),
})

async function caughtUp({ services: { fleet } }: CallerContext, over?: AbortSignal): Promise<void> {
  await Promise.race([fleet.settled(), pauseUntil(CATCH_UP_MS, over)])
}

const pauseUntil = (ms: number, over: AbortSignal | undefined) =>
  setTimeout(ms, null, over && { signal: over }).catch(() => null)

/** A user whose role changed must reconnect; without a session the browser does not. */
function endedWith({ aborted, reason }: AbortSignal): void {
  if (!aborted) return
  if ((reason as SessionEnd) === 'signed-out') {
    throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Your session has ended.' })
  }
  throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: 'Your role has changed.' })
}

function beat({ services }: CallerContext, at: bigint): StreamItem {
  return { is: 'beat', at: services.now(), seq: String(at) }
}

type FeedEvent = Awaited<ReturnType<CallerContext['services']['feed']['waitForEvents']>>[number]

function together(events: readonly FeedEvent[]): StreamItem {
  return { is: 'events', seq: String(events.at(-1)?.sequence), events: events.map(streamed) }
}

/** Made once for all streams. */
const streamed = memoize(({ sequence, at, kind, hosts, instance, migration }: FeedEvent): StreamEvent => {
  return { seq: String(sequence), at, kind, hosts, instance, migration }
})
