'use client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { StreamEvent } from '@/server/api/event/router'
import type { Liveness } from '../../ui/LiveMark'
import { Clock, useNow } from '../../ui/time/Clock'
import { useTRPC, useTRPCClient } from '../trpc'
import { askAnew } from './ask-anew'
import { type ChannelDoors, openChannel } from './channel'
import { makeGatherer } from './gather'
import { type Heard, livenessOf, NOTHING_HEARD } from './liveness'
import { takeTurn } from './turns'
import { watchVisibility } from './visibility'

// One channel for the whole console. It fetches nothing itself: it says which answers have become old.

/** Events that come close together cost one round of questions; well inside the two seconds the console promises. */
const GATHER_MS = 200
/** A round that is not answered by then no longer holds up the next. */
const PATIENCE_MS = 15_000

const LiveContext = createContext<Heard>(NOTHING_HEARD)

export interface LiveProps {
  readonly serverNow: number
  /** The last event before the page was made: whatever its questions miss came after it. */
  readonly serverSeq: string | undefined
  readonly children: ReactNode
}

export function Live({ serverNow, serverSeq, children }: LiveProps) {
  const queries = useQueryClient()
  const doors = useDoors(queries)
  const [heard, setHeard] = useState<Heard>(NOTHING_HEARD)
  const [offsetMs, setOffset] = useState(() => serverNow - Date.now())
  const [begin] = useState(serverSeq)
  useEffect(() => {
    const gatherer = gathererOf(queries)
    let lost = false
    const channel = openChannel(doors, begin, {
      onItem: (item, way) => {
        // Queries during an outage have failed, and events resume but errors do not: everything is refetched.
        if (lost) void queries.invalidateQueries()
        lost = false
        setHeard({ lastAt: Date.now(), way, lost })
        if (item.is === 'events') for (const event of item.events) gatherer.add(event)
        else setOffset((old) => (Math.abs(item.at - Date.now() - old) > 1000 ? item.at - Date.now() : old))
      },
      onLost: () => {
        lost = true
        setHeard((old) => ({ ...old, lost }))
      },
    })
    const unwatch = watchVisibility({
      onHidden: channel.rest,
      onSeen: () => {
        setHeard(NOTHING_HEARD)
        channel.wake()
      },
    })
    return () => {
      unwatch()
      channel.close()
      gatherer.stop()
    }
  }, [doors, queries, begin])
  return (
    <LiveContext value={heard}>
      <Clock offsetMs={offsetMs}>{children}</Clock>
    </LiveContext>
  )
}

function useDoors(queries: QueryClient): ChannelDoors {
  const trpc = useTRPC()
  const client = useTRPCClient()
  return useMemo(
    () => ({
      stream: (lastEventId, told) => {
        let close = () => {}
        let closed = false
        const subscribe = () =>
          client.event.stream.subscribe(
            { lastEventId },
            {
              onData: (message) => told.onItem(message.data),
              // The first attempt is made without an error, and so is each one after it that nothing went wrong before.
              onConnectionStateChange: ({ state, error }) => state === 'connecting' && error && told.onCut(),
              onError: told.onEnd,
              onComplete: told.onEnd,
            },
          )
        void takeTurn().then((giveBack) => {
          if (closed) return giveBack?.()
          if (!giveBack) return told.onEnd()
          const stream = subscribe()
          close = () => {
            stream.unsubscribe()
            giveBack()
          }
        })
        // A network that is gone leaves the stream silent for long; the browser knows at once, and a poll confirms it.
        window.addEventListener('offline', told.onCut)
        return {
          close: () => {
            window.removeEventListener('offline', told.onCut)
            closed = true
            close()
          },
        }
      },
      // Asked of the cache's client, so that a session that ended meanwhile leads to the door as with any question.
      since: (after) =>
        queries.fetchQuery({
          ...trpc.event.since.queryOptions({ after }),
          ...{ staleTime: 0, gcTime: 0, retry: false, networkMode: 'always' },
        }),
    }),
    [trpc, client, queries],
  )
}

function gathererOf(queries: QueryClient) {
  return makeGatherer<StreamEvent>({
    gatherMs: GATHER_MS,
    patienceMs: PATIENCE_MS,
    round: async (events) => {
      // Without its code the affected queries are unknown, so everything is stale.
      const rules = await import('./touched').catch(() => null)
      if (rules === null) return queries.invalidateQueries()
      const touched = rules.touchedBy(events)
      return askAnew(queries, (key) => rules.isTouched(key, touched))
    },
  })
}

/** How far the screen can be trusted, computed again with every tick of the clock. */
export function useLiveness(): { readonly state: Liveness; readonly silentMs: number } {
  const heard = useContext(LiveContext)
  useNow()
  return livenessOf(heard, Date.now())
}
