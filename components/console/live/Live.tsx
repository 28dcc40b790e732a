'use client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { StreamEvent } from '@/server/api/event/router'
import type { Liveness } from '../../ui/LiveMark'
import { Clock, useNow } from '../../ui/time/Clock'
import { useTRPC, useTRPCClient } from '../trpc'
import { makeBatcher } from './batcher'
import { type ChannelSources, openChannel } from './channel'
import { INITIAL_LIVENESS, type LivenessFacts, livenessOf } from './liveness'
import { refetchActive } from './refetch-active'
import { acquireStreamSlot } from './stream-slots'
import { watchVisibility } from './visibility'

// One channel for the whole console. It fetches nothing itself: it marks query results as stale.

/** Events within this window share one round of refetches; well inside the two seconds that the console promises. */
const GATHER_MS = 200
/** After this time a round without a response no longer delays the next one. */
const PATIENCE_MS = 15_000

const LiveContext = createContext<LivenessFacts>(INITIAL_LIVENESS)

export interface LiveProps {
  readonly serverNow: number
  /** The last event before the page was rendered: its queries may miss only later ones. */
  readonly serverSeq: string | undefined
  readonly children: ReactNode
}

export function Live({ serverNow, serverSeq, children }: LiveProps) {
  const queries = useQueryClient()
  const sources = useChannelSources(queries)
  const [facts, setFacts] = useState<LivenessFacts>(INITIAL_LIVENESS)
  const [offsetMs, setOffset] = useState(() => serverNow - Date.now())
  const [begin] = useState(serverSeq)
  useEffect(() => {
    const gatherer = gathererOf(queries)
    let disconnected = false
    const channel = openChannel(sources, begin, {
      onItem: (item, transport) => {
        // Queries sent while the server was down have failed. Events resume, errors do not, so all are refetched.
        if (disconnected) void queries.invalidateQueries()
        disconnected = false
        setFacts({ lastAt: Date.now(), transport, disconnected })
        if (item.is === 'events') for (const event of item.events) gatherer.add(event)
        else setOffset((old) => (Math.abs(item.at - Date.now() - old) > 1000 ? item.at - Date.now() : old))
      },
      onLost: () => {
        disconnected = true
        setFacts((old) => ({ ...old, disconnected }))
      },
    })
    const unwatch = watchVisibility({
      onHidden: channel.pause,
      onVisible: () => {
        setFacts(INITIAL_LIVENESS)
        channel.resume()
      },
    })
    return () => {
      unwatch()
      channel.close()
      gatherer.stop()
    }
  }, [sources, queries, begin])
  return (
    <LiveContext value={facts}>
      <Clock offsetMs={offsetMs}>{children}</Clock>
    </LiveContext>
  )
}

function useChannelSources(queries: QueryClient): ChannelSources {
  const trpc = useTRPC()
  const client = useTRPCClient()
  return useMemo(
    () => ({
      stream: (lastEventId, callbacks) => {
        let close = () => {}
        let closed = false
        const subscribe = () =>
          client.event.stream.subscribe(
            { lastEventId },
            {
              onData: (message) => callbacks.onItem(message.data),
              // The first attempt has no error, nor has any later one that follows a clean end.
              onConnectionStateChange: ({ state, error }) => state === 'connecting' && error && callbacks.onCut(),
              onError: callbacks.onEnd,
              onComplete: callbacks.onEnd,
            },
          )
        void acquireStreamSlot().then((giveBack) => {
          if (closed) return giveBack?.()
          if (!giveBack) return callbacks.onEnd()
          const stream = subscribe()
          close = () => {
            stream.unsubscribe()
            giveBack()
          }
        })
        // A lost network leaves the stream silent for long; the browser notices at once, and a poll confirms it.
        window.addEventListener('offline', callbacks.onCut)
        return {
          close: () => {
            window.removeEventListener('offline', callbacks.onCut)
            closed = true
            close()
          },
        }
      },
      // Sent through the cache's client, so that an ended session redirects to sign-in as for any query.
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
  return makeBatcher<StreamEvent>({
    gatherMs: GATHER_MS,
    patienceMs: PATIENCE_MS,
    round: async (events) => {
      // Without this code the affected queries are unknown, so everything is invalidated.
      const rules = await import('./invalidation').catch(() => null)
      if (rules === null) return queries.invalidateQueries()
      const touched = rules.invalidatedBy(events)
      return refetchActive(queries, (key) => rules.isInvalidatedBy(key, touched))
    },
  })
}

/** Liveness of the screen, recomputed on every clock tick. */
export function useLiveness(): { readonly state: Liveness; readonly silentMs: number } {
  const facts = useContext(LiveContext)
  useNow()
  return livenessOf(facts, Date.now())
}
