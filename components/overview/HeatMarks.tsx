import type { HeatCell } from '@/server/api/host/view'
import { contactBadges, schedulingBadges, statusBadges } from '../host/state/words'
import type { BadgeContent } from '../ui/Badge'
import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { toneText, toneWash } from '../ui/tone'
import { FULL_SHADE_COUNT, type HeatMetric, shadeAt } from './heat'
import { runBadges, overviewWords as words } from './words'

// Activity on a host, in its corners: a wedge pointing in or out, and a diamond for findings that need an operator,
// hollow for warnings. They are distinguishable without colour and at any size.

const marks = {
  into: 'bg-map-incoming [clip-path:polygon(0_0,100%_50%,0_100%)]',
  outof: 'bg-map-outgoing [clip-path:polygon(100%_0,0_50%,100%_100%)]',
  critical: 'rotate-45 bg-bad-fill',
  warning: 'rotate-45 border-2 border-warn bg-surface',
} as const
const MARKS = Object.keys(marks) as readonly (keyof typeof marks)[]

export function HeatMarks({ cell, dense }: { cell: HeatCell; dense?: boolean }) {
  const { movesIn, movesOut, worst } = cell
  const size = dense ? 'size-1.5' : 'size-2'
  return (
    <>
      {movesIn > 0 ? <Mark kind="into" className={cx(size, 'top-0 left-0')} /> : null}
      {movesOut > 0 ? <Mark kind="outof" className={cx(size, 'top-0 right-0')} /> : null}
      {worst !== null && worst !== 'info' ? (
        <Mark kind={worst} className={cx(size, '-right-0.5 -bottom-0.5 ring-1 ring-surface')} />
      ) : null}
    </>
  )
}

function Mark({ kind, className }: { kind: keyof typeof marks; className: string }) {
  return <span aria-hidden="true" className={cx('absolute', marks[kind], className)} />
}

/** The meaning of shade, number, marks and signs, drawn with the same classes. */
export function HeatLegend({ shade, numbered }: { shade: HeatMetric; numbered: boolean }) {
  return (
    <div className="flex flex-col gap-1.5 text-xs text-soft">
      <Scale shade={shade} numbered={numbered} />
      <ul aria-label={words.marksLabel} className="m-0 flex list-none flex-wrap gap-x-4 gap-y-1 p-0">
        {MARKS.map((kind) => (
          <li key={kind} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={cx('size-2', marks[kind])} />
            {words.marks[kind]}
          </li>
        ))}
        {SIGNS.map((badge) => (
          <li key={badge.label} className="flex items-center gap-1.5">
            <span className={cx('flex size-4 items-center justify-center rounded-[2px]', toneWash[badge.tone])}>
              <Glyph shape={badge.shape} className={toneText[badge.tone]} />
            </span>
            {badge.label}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Replace the number on a host in an unusual state. */
const SIGNS: readonly BadgeContent[] = [
  ...Object.values(contactBadges),
  statusBadges.down,
  statusBadges.fenced,
  statusBadges.lost,
  schedulingBadges.disabled,
  schedulingBadges.quarantined,
  ...Object.values(runBadges),
]

function Scale({ shade, numbered }: { shade: HeatMetric; numbered: boolean }) {
  const { by } = shade
  const [from, to] = by === 'room' ? ['0', words.orMore(FULL_SHADE_COUNT)] : [words.percent(0), words.percent(100)]
  const what = by === 'room' ? words.scaleOfFits(shade.what) : words.scaleOf(words.shades[by])
  return (
    <p className="m-0 flex flex-wrap items-center gap-x-2">
      <span>{from}</span>
      <span
        aria-hidden="true"
        className="h-2.5 w-24 rounded-[2px] ring-1 ring-edge/50 ring-inset"
        style={{ backgroundImage: gradient('in oklab to right', shadeAt(by, 0), shadeAt(by, 1)) }}
      />
      <span>{to}</span>
      <span className="text-faint">{numbered ? words.numberAndShade(what) : what}</span>
    </p>
  )
}

const gradient = (...parts: readonly string[]) => `linear-gradient(${parts.join(',')})`
