import { cx } from './cx'
import { dash } from './dash'
import { withoutUnitOf } from './format'

export type SegmentKind = 'held' | 'incoming' | 'outgoing' | 'reserved' | 'shared'

const segmentClasses: Readonly<Record<SegmentKind, string>> = {
  held: 'bg-map-held',
  incoming: 'bg-map-incoming',
  outgoing: 'stripes-outgoing',
  reserved: 'stripes-blocked',
  shared: 'dots-shared',
}

export interface Segment {
  readonly kind: SegmentKind
  readonly amount: number
}

/** A bar of parts of a whole. The numbers are shown beside it: the bar is for comparison, not for reading. */
export function Meter(props: {
  readonly label: string
  readonly text: string
  readonly total: number
  readonly segments: readonly Segment[]
  readonly className?: string
}) {
  const used = props.segments.reduce((sum, segment) => sum + segment.amount, 0)
  const whole = Math.max(props.total, used, 1)
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot hold segments of different looks
    <span
      role="meter"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={props.total}
      aria-valuenow={Math.min(used, props.total)}
      aria-valuetext={props.text}
      className={cx('flex h-2 overflow-hidden rounded-sm bg-sunken ring-1 ring-line ring-inset', props.className)}
    >
      {props.segments.map((segment) =>
        segment.amount > 0 ? (
          <span
            key={segment.kind}
            className={cx('h-full min-w-px', segmentClasses[segment.kind])}
            style={{ width: `${(100 * segment.amount) / whole}%` }}
          />
        ) : null,
      )}
    </span>
  )
}

/** Percent of the bar's width: one pixel, so that a small share is visible. */
const MIN_SHARE = 4.5

/** In a table cell: used of total, and the bar. The bar repeats the figures, so it is hidden from screen readers. */
export function ShareCell(props: {
  readonly used: number
  readonly total: number
  readonly format?: (value: number) => string
}) {
  const format = props.format ?? String
  const [used, total] = [format(props.used), format(props.total)]
  if (props.total === 0) return dash
  const share = Math.min(100, (100 * props.used) / props.total)
  const seen = share > 0 ? Math.max(MIN_SHARE, share) : 0
  return (
    // One element and a background: lists render four of these per row while scrolling.
    <span className="text-xs">
      <span aria-hidden="true" className="share-bar" style={{ backgroundSize: `${seen}%` }} />
      {withoutUnitOf(total, used)}
      <span className="text-faint"> / {total}</span>
    </span>
  )
}
