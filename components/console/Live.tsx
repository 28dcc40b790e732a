'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useSubscription } from '@trpc/tanstack-react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { StreamItem } from '@/server/api/contract-moves'
import { Clock, useNow } from '../ui/Clock'
import type { Liveness } from '../ui/LiveMark'
import { makeGatherer } from './gather'
import { isTouched, touchedBy } from './touched'
import { useTRPC } from './trpc'

// One subscription for the whole console. It fetches nothing itself: it says which answers have become old.

/** Events that come close together cost one round of questions; well inside the two seconds the console promises. */
const GATHER_MS = 200
/** A round that is not answered by then no longer holds up the next. */
const PATIENCE_MS = 15_000
/** Four missed beats. Support is told this number. */
const STALE_AFTER_MS = 40_000

type StreamEvent = Extract<StreamItem, { is: 'event' }>

interface LiveState {
  readonly lastAt: number | null
  readonly connected: boolean
  readonly failed: boolean
}

const LiveContext = createContext<LiveState>({ lastAt: null, connected: false, failed: false })

export function Live({ serverNow, children }: { serverNow: number; children: ReactNode }) {
  const trpc = useTRPC()
  const [state, setState] = useState<LiveState>({ lastAt: null, connected: false, failed: false })
  const [offsetMs, setOffset] = useState(() => serverNow - Date.now())
  const invalidate = useGatheredInvalidation()
  const hearAgain = useAskAnewAfterSilence()
  const onData = useCallback(
    (message: { data: StreamItem }) => {
      const item = message.data
      hearAgain.heard()
      setState({ lastAt: Date.now(), connected: true, failed: false })
      if (item.is === 'event') invalidate(item)
      else setOffset((old) => (Math.abs(item.at - Date.now() - old) > 1000 ? item.at - Date.now() : old))
    },
    [invalidate, hearAgain],
  )
  const subscription = useSubscription(
    trpc.event.stream.subscriptionOptions(
      {},
      { onData, onError: () => setState((old) => ({ ...old, connected: false, failed: true })) },
    ),
  )
  const { status } = subscription
  useEffect(() => {
    setState((old) => ({ ...old, connected: status === 'pending' }))
    if (status !== 'pending') hearAgain.lost()
  }, [status, hearAgain])
  return (
    <LiveContext value={state}>
      <Clock offsetMs={offsetMs}>{children}</Clock>
    </LiveContext>
  )
}

/** Questions asked while nobody answered have failed, and events resume but errors do not: after a gap all is asked anew. */
function useAskAnewAfterSilence(): { heard(): void; lost(): void } {
  const queries = useQueryClient()
  const was = useRef({ heard: false, lost: false })
  return useMemo(
    () => ({
      heard: () => {
        const { heard, lost } = was.current
        was.current = { heard: true, lost: false }
        if (heard && lost) void queries.invalidateQueries()
      },
      lost: () => {
        was.current.lost = true
      },
    }),
    [queries],
  )
}

function useGatheredInvalidation(): (event: StreamEvent) => void {
  const queries = useQueryClient()
  const gatherer = useMemo(
    () =>
      makeGatherer<StreamEvent>({
        gatherMs: GATHER_MS,
        patienceMs: PATIENCE_MS,
        round: (events) => {
          const touched = touchedBy(events)
          // A question that somebody else has under way is asked anew: it may have been read before the event.
          return queries.invalidateQueries({ predicate: (query) => isTouched(query.queryKey, touched) })
        },
      }),
    [queries],
  )
  useEffect(() => gatherer.stop, [gatherer])
  return gatherer.add
}

/** How far the screen can be trusted, told anew with every tick of the clock. */
export function useLiveness(): { readonly state: Liveness; readonly silentMs: number } {
  const { lastAt, connected, failed } = useContext(LiveContext)
  useNow()
  const silentMs = lastAt === null ? 0 : Math.max(0, Date.now() - lastAt)
  if (failed || (!connected && lastAt !== null)) return { state: 'offline', silentMs }
  if (lastAt === null) return { state: 'connecting', silentMs }
  return { state: silentMs > STALE_AFTER_MS ? 'stale' : 'live', silentMs }
}
