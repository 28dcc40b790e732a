'use client'
import type { ReactNode } from 'react'
import { useNow } from './Clock'
import { cx } from './cx'
import { duration } from './format'
import { useTimes } from './zone'

// Bars on one time axis: what happened, and under it who held what meanwhile. Bars that last an instant keep a
// width one can see; their true length is in the tip and in the table beside.

export interface LaneBar {
  readonly key: string
  readonly from: number
  readonly to: number | null
  readonly label: string
  readonly tip: string
  readonly className: string
}

export interface Lane {
  readonly key: string
  readonly label: ReactNode
  readonly bars: readonly LaneBar[]
}

const TICKS = 6
const MIN_SHARE = 0.4
/** Percent of the axis under which a label would be cut to nothing. */
const WIDE_ENOUGH = 4

export function Lanes(props: { readonly label: string; readonly lanes: readonly Lane[] }) {
  const now = useNow()
  const bars = props.lanes.flatMap((lane) => lane.bars)
  const from = Math.min(...bars.map((bar) => bar.from))
  const running = bars.some((bar) => bar.to === null)
  const to = Math.max(...bars.map((bar) => bar.to ?? now), from + 1000)
  const share = (at: number) => (100 * (at - from)) / (to - from)
  if (bars.length === 0) return null
  return (
    <figure aria-label={props.label} className="m-0 grid grid-cols-[minmax(7rem,11rem)_1fr] gap-x-3 gap-y-1 text-xs">
      {props.lanes.map((lane) => (
        <div key={lane.key} className="contents">
          <div className="flex min-h-6 min-w-0 items-center truncate text-soft">{lane.label}</div>
          <div className="relative min-h-6 rounded-sm bg-sunken">
            {lane.bars.map((bar) => (
              <Bar key={bar.key} bar={bar} left={share(bar.from)} right={share(bar.to ?? now)} />
            ))}
            {running ? (
              <span
                aria-hidden="true"
                className="absolute inset-y-0 w-px bg-accent"
                style={{ left: `${share(now)}%` }}
              />
            ) : null}
          </div>
        </div>
      ))}
      <Axis from={from} to={to} />
    </figure>
  )
}

function Bar({ bar, left, right }: { bar: LaneBar; left: number; right: number }) {
  const width = Math.max(right - left, MIN_SHARE)
  return (
    <span
      title={bar.tip}
      className={cx('absolute inset-y-0.5 flex items-center overflow-hidden rounded-sm', bar.className)}
      style={{ left: `${Math.min(left, 100 - width)}%`, width: `${width}%` }}
    >
      <span className={width > WIDE_ENOUGH ? 'truncate px-1.5' : 'sr-only'}>{bar.label}</span>
    </span>
  )
}

function Axis({ from, to }: { from: number; to: number }) {
  const { clock } = useTimes()
  const ticks = Array.from({ length: TICKS }, (_, index) => from + ((to - from) * index) / (TICKS - 1))
  return (
    <>
      <div className="text-faint">{duration(to - from)}</div>
      <div className="flex justify-between border-t border-line pt-1 text-2xs text-faint">
        {ticks.map((at, index) => (
          <time key={String(index)} dateTime={new Date(at).toISOString()} suppressHydrationWarning>
            {clock(at)}
          </time>
        ))}
      </div>
    </>
  )
}
