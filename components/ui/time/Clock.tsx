'use client'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { duration } from '../format'
import { uiWords } from '../words'
import { useTimes } from './zone'

// One clock for the screen: all ages tick together, by the server's time and not the browser's.

const Now = createContext<number | null>(null)

export function Clock({ offsetMs, children }: { offsetMs: number; children: ReactNode }) {
  const [now, setNow] = useState(() => Date.now() + offsetMs)
  useEffect(() => {
    setNow(Date.now() + offsetMs)
    const timer = setInterval(() => setNow(Date.now() + offsetMs), 1000)
    return () => clearInterval(timer)
  }, [offsetMs])
  return <Now value={now}>{children}</Now>
}

/** ms since the epoch by the server's clock, ticking once a second. */
export function useNow(): number {
  return useContext(Now) ?? Date.now()
}

function age(at: number, now: number): string {
  const ms = now - at
  if (Math.abs(ms) < 1500) return uiWords.now
  return ms > 0
    ? uiWords.ago(duration(Math.floor(ms / 1000) * 1000))
    : uiWords.ahead(duration(Math.ceil(-ms / 1000) * 1000))
}

/** Relative on the screen, absolute in the chosen zone on hover, and in UTC for machines. */
export function RelativeTime({ at, happened }: { at: number; happened?: boolean }) {
  // A past event cannot lie ahead: the clock of a page that took seconds to load lags by them.
  const tick = useNow()
  const now = happened ? Math.max(at, tick) : tick
  const { named } = useTimes()
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={named(at)}
      className="whitespace-nowrap"
      suppressHydrationWarning
    >
      {age(at, now)}
    </time>
  )
}

/** How long something has lasted, or lasted until it ended; its beginning on hover. */
export function Elapsed({ from, to }: { from: number; to?: number | null }) {
  const now = useNow()
  const { named } = useTimes()
  // The clock of a page that took seconds to load lags by them.
  return (
    <span title={named(from)} className="whitespace-nowrap" suppressHydrationWarning>
      {duration(Math.max(0, (to ?? now) - from))}
    </span>
  )
}
