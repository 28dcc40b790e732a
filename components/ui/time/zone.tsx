'use client'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { utc, utcClock } from '../format'
import { uiWords } from '../words'
import { ZONE_COOKIE, type Zone } from './zone-cookie'

// The zone of displayed times: UTC, common to the clocks of a fleet, or the reader's own. The choice is a cookie, and
// all displayed times follow it at once.

interface ClockZone {
  readonly zone: Zone
  readonly toggle: () => void
}

const ZoneContext = createContext<ClockZone>({ zone: 'utc', toggle: () => {} })

export function ClockZoneProvider({ initial, children }: { initial: Zone; children: ReactNode }) {
  const [zone, setZone] = useState(initial)
  const value = useMemo(
    () => ({
      zone,
      toggle: () => {
        const next = zone === 'utc' ? 'local' : 'utc'
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
        document.cookie = `${ZONE_COOKIE}=${next};path=/;max-age=31536000;samesite=lax`
        setZone(next)
      },
    }),
    [zone],
  )
  return <ZoneContext value={value}>{children}</ZoneContext>
}

export const useClockZone = (): ClockZone => useContext(ZoneContext)

/** `2026-11-21 01:06:56` in the reader's own zone. */
function localTime(ms: number): string {
  const date = new Date(ms)
  return utc(ms - date.getTimezoneOffset() * 60_000)
}

export interface Times {
  /** `2026-11-21 01:06:56` */
  readonly full: (ms: number) => string
  /** `01:06:56` */
  readonly clock: (ms: number) => string
  /** The same with the name of the zone, if nothing beside it names it. */
  readonly named: (ms: number) => string
}

const TIMES: Readonly<Record<Zone, Times>> = {
  utc: { full: utc, clock: utcClock, named: (ms) => uiWords.inZone(utc(ms), uiWords.utc) },
  local: {
    full: localTime,
    clock: (ms) => localTime(ms).slice(11),
    named: (ms) => uiWords.inZone(localTime(ms), uiWords.local),
  },
}

/** Formatters for the current zone. */
export const useTimes = (): Times => TIMES[useClockZone().zone]

/** A time without its date, where the day is obvious. */
export function ClockTime({ at }: { at: number }) {
  const { clock, named } = useTimes()
  return (
    <time dateTime={new Date(at).toISOString()} title={named(at)} suppressHydrationWarning>
      {clock(at)}
    </time>
  )
}

/** An absolute time; `isNamed` adds the zone where nothing beside it names it. */
export function AbsoluteTime(props: { at: number; className?: string; isNamed?: true }) {
  const { at, className, isNamed } = props
  const { full, named } = useTimes()
  return (
    <time dateTime={new Date(at).toISOString()} title={named(at)} className={className} suppressHydrationWarning>
      {isNamed ? named(at) : full(at)}
    </time>
  )
}
