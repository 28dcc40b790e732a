import type { HeatCell } from '@/server/api/host/view'
import { cx } from '../ui/cx'
import { overviewWords as words } from './words'

// What goes on at a host, in its corners: a wedge that points into it or out of it, and a diamond for findings. They
// are told apart without colour, and at any size.

const marks = {
  into: 'bg-map-incoming [clip-path:polygon(0_0,100%_50%,0_100%)]',
  outof: 'bg-map-outgoing [clip-path:polygon(100%_0,0_50%,100%_100%)]',
  findings: 'rotate-45 bg-bad-fill',
} as const
const MARKS = Object.keys(marks) as readonly (keyof typeof marks)[]

export function HeatMarks({ cell, dense }: { cell: HeatCell; dense?: boolean }) {
  const { movesIn, movesOut, findings } = cell
  const size = dense ? 'size-1.5' : 'size-2'
  return (
    <>
      {movesIn > 0 ? <Mark kind="into" className={cx(size, 'top-0 left-0')} /> : null}
      {movesOut > 0 ? <Mark kind="outof" className={cx(size, 'top-0 right-0')} /> : null}
      {findings > 0 ? (
        <Mark kind="findings" className={cx(size, '-right-0.5 -bottom-0.5 ring-1 ring-surface')} />
      ) : null}
    </>
  )
}

function Mark({ kind, className }: { kind: keyof typeof marks; className: string }) {
  return <span aria-hidden="true" className={cx('absolute', marks[kind], className)} />
}

/** The marks in words, drawn with the same classes. */
export function HeatLegend() {
  return (
    <ul aria-label={words.marksLabel} className="m-0 flex list-none gap-4 p-0 text-xs text-faint">
      {MARKS.map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={cx('size-2', marks[kind])} />
          {words.marks[kind]}
        </li>
      ))}
    </ul>
  )
}
