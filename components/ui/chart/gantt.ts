// Positions of bars on a time axis, and the bar that an arrow key selects. Times in ms, positions in percent of the
// axis.

export interface Bar {
  readonly key: string
  readonly from: number
  /** Null while it lasts. */
  readonly to: number | null
}
export interface Track<B extends Bar = Bar> {
  readonly key: string
  readonly bars: readonly B[]
}

export interface Axis {
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
}

const TICKS = 6
const STEPS_S = [0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 28_800, 86_400]

/**
 * An axis that ends at a whole number of ticks. Running bars then grow under a fixed axis, instead of everything
 * shrinking every second. Null if there is nothing to draw.
 */
export function axisOf(tracks: readonly Track[], now: number): Axis | null {
  const bars = tracks.flatMap(({ bars }) => bars)
  if (bars.length === 0) return null
  const from = Math.min(...bars.map((bar) => bar.from))
  const last = Math.max(...bars.map((bar) => bar.to ?? Math.max(now, bar.from)), from + 1)
  const least = (last - from) / TICKS / 1000
  const whole = STEPS_S.find((step) => step >= least) ?? Math.ceil(least / 86_400) * 86_400
  const tick = whole * 1000
  const count = Math.ceil((last - from) / tick)
  const ticks = Array.from({ length: count + 1 }, (_, at) => from + at * tick)
  return { from, to: from + count * tick, ticks }
}

export const share = (axis: Axis, at: number): number => (100 * (at - axis.from)) / (axis.to - axis.from)

/** Instantaneous bars keep a visible width; the table beside has their true duration. */
const MIN_WIDTH = 0.4

export function placeOf(bar: Bar, axis: Axis, now: number): { readonly left: number; readonly width: number } {
  const left = share(axis, bar.from)
  const width = Math.max(share(axis, bar.to ?? Math.max(now, bar.from)) - left, MIN_WIDTH)
  return { left: Math.min(left, 100 - width), width }
}

export interface Spot {
  readonly track: number
  readonly bar: number
}

/** Left and right walk one track; up and down select the next track's bar at the same time. */
export function nextSpot(key: string, at: Spot, tracks: readonly Track[]): Spot | null {
  const bars = tracks[at.track]?.bars ?? []
  switch (key) {
    case 'ArrowRight':
      return at.bar + 1 < bars.length ? { ...at, bar: at.bar + 1 } : null
    case 'ArrowLeft':
      return at.bar > 0 ? { ...at, bar: at.bar - 1 } : null
    case 'Home':
      return { ...at, bar: 0 }
    case 'End':
      return { ...at, bar: bars.length - 1 }
    case 'ArrowDown':
    case 'ArrowUp':
      return across(at, tracks, key === 'ArrowDown' ? 1 : -1)
    default:
      return null
  }
}

function across(at: Spot, tracks: readonly Track[], by: 1 | -1): Spot | null {
  const when = tracks[at.track]?.bars[at.bar]?.from ?? 0
  for (let track = at.track + by; track >= 0 && track < tracks.length; track += by) {
    const bars = tracks[track]?.bars ?? []
    if (bars.length === 0) continue
    const over = bars.findLastIndex((bar) => bar.from <= when)
    return { track, bar: Math.max(over, 0) }
  }
  return null
}
