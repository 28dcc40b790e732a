import { useEffect, useRef, useState } from 'react'
import type { DaemonAddress } from '@/forms/connection'
import type { ProbeReport } from '@/server/api/connection/connections'
import { useTRPCClient } from '../console/trpc'

export interface ProbeState {
  /** What is probed, or was; null before the first probe and after a cancel. */
  readonly address: DaemonAddress | null
  readonly isRunning: boolean
  readonly report: ProbeReport | null
  /** The probe was refused, or the server was lost. */
  readonly error: unknown
}

const IDLE: ProbeState = { address: null, isRunning: false, report: null, error: null }

/** One probe at a time. It ends with the component, and then on the server too. */
export function useProbe() {
  const client = useTRPCClient()
  const running = useRef<AbortController | null>(null)
  const [state, setState] = useState(IDLE)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (address: DaemonAddress) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    const set = (now: Partial<ProbeState>) => {
      if (!own.signal.aborted) setState((before) => ({ ...before, ...now }))
    }
    setState({ ...IDLE, address, isRunning: true })
    try {
      const reports = await client.connection.probe.mutate(address, { signal: own.signal })
      for await (const report of reports) set({ report })
      set({ isRunning: false })
    } catch (error) {
      set({ isRunning: false, error })
    }
  }
  const cancel = () => {
    running.current?.abort()
    setState(IDLE)
  }
  return { state, start: (address: DaemonAddress) => void start(address), cancel }
}
