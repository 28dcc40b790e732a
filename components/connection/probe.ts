import { useEffect, useRef, useState } from 'react'
import type { DaemonAddress } from '@/forms/connection'
import { useTRPCClient } from '../console/trpc'

export interface ProbeState<Asked, Report> {
  /** The current or last probe; null before the first one and after a cancel. */
  readonly request: Asked | null
  readonly isRunning: boolean
  readonly report: Report | null
  /** The probe was refused or the connection to the server was lost. */
  readonly error: unknown
}

type ReportQuery<Asked, Report> = (
  asked: Asked,
  options: { readonly signal: AbortSignal },
) => Promise<AsyncIterable<Report>>

const IDLE = { request: null, isRunning: false, report: null, error: null } as const

/** One probe at a time, reported as it runs. Unmounting the component ends it, on the server too. */
export function useReports<Asked, Report>(ask: ReportQuery<Asked, Report>) {
  const running = useRef<AbortController | null>(null)
  const [state, setState] = useState<ProbeState<Asked, Report>>(IDLE)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (request: Asked) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    const set = (now: Partial<ProbeState<Asked, Report>>) => {
      if (!own.signal.aborted) setState((before) => ({ ...before, ...now }))
    }
    setState({ ...IDLE, request, isRunning: true })
    try {
      for await (const report of await ask(request, { signal: own.signal })) set({ report })
      set({ isRunning: false })
    } catch (error) {
      set({ isRunning: false, error })
    }
  }
  const cancel = () => {
    running.current?.abort()
    setState(IDLE)
  }
  return { state, start: (asked: Asked) => void start(asked), cancel }
}

export function useProbe() {
  const client = useTRPCClient()
  return useReports((address: DaemonAddress, options) => client.connection.probe.mutate(address, options))
}
