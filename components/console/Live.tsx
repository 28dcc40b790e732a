'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useSubscription } from '@trpc/tanstack-react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import type { StreamItem } from '@/server/api/contract-moves'
import { Clock, useNow } from '../ui/Clock'
import type { Liveness } from '../ui/LiveMark'
import { isTouched, touchedBy } from './touched'
import { useTRPC } from './trpc'

// One subscription for the whole console. It fetches nothing itself: it says which answers have become old.

/** Events that come close together cost one round of questions; well inside the two seconds the console promises. */
const GATHER_MS = 500
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
  const onData = useCallback(
    (message: { data: StreamItem }) => {
      const item = message.data
      setState({ lastAt: Date.now(), connected: true, failed: false })
      if (item.is === 'event') invalidate(item)
      else setOffset((old) => (Math.abs(item.at - Date.now() - old) > 1000 ? item.at - Date.now() : old))
    },
    [invalidate],
  )
  const subscription = useSubscription(
    trpc.event.stream.subscriptionOptions(
      {},
      { onData, onError: () => setState((old) => ({ ...old, connected: false, failed: true })) },
    ),
  )
  const { status } = subscription
  useEffect(() => setState((old) => ({ ...old, connected: status === 'pending' })), [status])
  return (
    <LiveContext value={state}>
      <Clock offsetMs={offsetMs}>{children}</Clock>
    </LiveContext>
  )
}

function useGatheredInvalidation(): (event: StreamEvent) => void {
  const queries = useQueryClient()
  const gathered = useRef<StreamEvent[]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])
  return useCallback(
    (event) => {
      gathered.current.push(event)
      timer.current ??= setTimeout(() => {
        const touched = touchedBy(gathered.current)
        gathered.current = []
        timer.current = null
        queries.invalidateQueries({ predicate: (query) => isTouched(query.queryKey, touched) })
      }, GATHER_MS)
    },
    [queries],
  )
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
