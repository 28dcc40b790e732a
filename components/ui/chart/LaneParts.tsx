'use client'
import { cx } from '../cx'
import { duration, withTenths } from '../format'
import { useTimes } from '../time/zone'
import { type Axis, type Bar, share, type Track } from './gantt'

// Parts of lanes: selectable bars, bands across all lanes, and the axis below them.

export interface LaneBar extends Bar {
  readonly label: string
  /** The full description of the bar, in one line. */
  readonly tip: string
  readonly className: string
}
export interface Lane extends Track<LaneBar> {
  readonly label: string
}
/** A period or a time marked across all lanes. */
export interface Band {
  readonly key: string
  readonly from: number
  readonly to: number | null
  readonly className: string
}

/** Percent of the axis below which a label would be cut to nothing. */
const WIDE_ENOUGH = 4
const WIDE_ENOUGH_ON_PHONE = 20

interface BarButtonProps {
  readonly id: string
  readonly bar: LaneBar
  readonly place: { readonly left: number; readonly width: number }
  readonly inTabOrder: boolean
  readonly chosen: boolean
  readonly onChoose: (id: string) => void
}

export function BarButton({ id, bar, place, inTabOrder, chosen, onChoose }: BarButtonProps) {
  return (
    <button
      type="button"
      data-bar={id}
      title={bar.tip}
      aria-label={bar.tip}
      aria-pressed={chosen}
      tabIndex={inTabOrder ? 0 : -1}
      onFocus={() => onChoose(id)}
      onClick={() => onChoose(id)}
      className={cx(
        'absolute inset-y-0.5 flex cursor-default items-center overflow-hidden rounded-sm p-0 text-left',
        bar.className,
        chosen && 'z-10 outline-2 outline-accent',
      )}
      style={{ left: `${place.left}%`, width: `${place.width}%` }}
    >
      {place.width > WIDE_ENOUGH ? (
        <span className={cx('truncate px-1.5', place.width < WIDE_ENOUGH_ON_PHONE && 'max-sm:hidden')}>
          {bar.label}
        </span>
      ) : null}
    </button>
  )
}

export function Bands({ bands, axis, now }: { bands: readonly Band[]; axis: Axis; now: number }) {
  return bands
    .filter(({ from }) => from <= axis.to)
    .map((band) => {
      const left = share(axis, band.from)
      const width = share(axis, band.to ?? now) - left
      return (
        <span
          key={band.key}
          aria-hidden="true"
          className={cx('pointer-events-none absolute inset-y-0 z-10 min-w-0.5', band.className)}
          style={{ left: `${left}%`, width: `${Math.min(width, 100 - left)}%` }}
        />
      )
    })
}

export function Ticks({ axis }: { axis: Axis }) {
  const { clock } = useTimes()
  const [first = 0, second = 0] = axis.ticks
  const close = (second - first) % 1000 !== 0
  return (
    <>
      <div className="text-faint">{duration(axis.to - axis.from)}</div>
      <div className="@container relative h-6 border-t border-line text-2xs text-faint">
        {axis.ticks.map((at, index) => (
          <time
            key={at}
            dateTime={new Date(at).toISOString()}
            suppressHydrationWarning
            className={cx(
              'absolute top-1',
              // A phone or a drawer has space only for the two ends.
              index === 0
                ? ''
                : index === axis.ticks.length - 1
                  ? '-translate-x-full'
                  : '-translate-x-1/2 @max-lg:hidden',
            )}
            style={{ left: `${share(axis, at)}%` }}
          >
            {close ? withTenths(clock(at), at) : clock(at)}
          </time>
        ))}
      </div>
    </>
  )
}
