'use client'
import type { MigrationDetail } from '@/server/api/migration/detail'
import { usePictureView } from '../../console/url'
import { Lanes } from '../../ui/chart/Lanes'
import { cx } from '../../ui/cx'
import { PictureOrTable } from '../../ui/PictureOrTable'
import type { Column } from '../../ui/table/column'
import { wholeSeconds } from '../../ui/table/exported'
import { Table } from '../../ui/table/Table'
import { Elapsed } from '../../ui/time/Clock'
import { AbsoluteTime, useClockZone, useTimes } from '../../ui/time/zone'
import { bandsOf, type LaneRow, lanesOf, rowsOf } from '../lanes'
import { type StepRow, stepColumns, stepRows } from './step-columns'
import { tabWords } from './words'

const words = tabWords.timeline

/** Steps above, and on the same axis what each side holds and for whom (N1). */
export function TimelineTab({ migration }: { migration: MigrationDetail }) {
  const { clock } = useTimes()
  const { zone } = useClockZone()
  const [as, setAs] = usePictureView()
  const lanes = lanesOf(migration, clock)
  return (
    <div className="flex flex-col gap-3">
      <PictureOrTable
        title={words.title}
        aside={words.axis[zone]}
        view={as}
        onView={setAs}
        picture={
          <Lanes
            label={words.title}
            lanes={lanes}
            bands={bandsOf(migration)}
            hint={words.hint}
            legend={<Legend migration={migration} />}
          />
        }
        table={<Table bare label={words.title} columns={laneColumns} rows={rowsOf(lanes)} rowKey={laneKey} />}
      />
      <Table bare label={words.steps} columns={stepColumns} rows={stepRows(migration)} rowKey={rowKey} />
    </div>
  )
}

/** Only marks present in the picture. */
function Legend({ migration: { spans, unattended, overdueAt, outcome } }: { migration: MigrationDetail }) {
  const marks = [
    ...(spans.length > 0
      ? [
          { text: words.heldBy.instance, className: 'w-4 bg-map-held' },
          { text: words.heldBy.migration, className: 'w-4 bg-map-outgoing' },
        ]
      : []),
    ...(spans.some(({ side, holder }) => side === 'target' && holder === 'instance')
      ? [{ text: words.heldOnTarget, className: 'w-4 bg-map-incoming' }]
      : []),
    ...(unattended.length > 0 ? [{ text: words.unattended, className: UNATTENDED_CLASSES }] : []),
    ...(overdueAt !== null && outcome === null ? [{ text: words.overdueFrom, className: 'w-0.5 bg-warn' }] : []),
  ]
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      {marks.map(({ text, className }) => (
        <span key={text} className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className={cx('inline-block h-2.5 rounded-sm', className)} />
          {text}
        </span>
      ))}
    </span>
  )
}

const UNATTENDED_CLASSES = 'w-4 bg-bad-wash ring-1 ring-bad/60 ring-inset'
const rowKey = (step: StepRow) => String(step.seq)
const laneKey = (row: LaneRow) => row.key
const laneColumns: readonly Column<LaneRow>[] = [
  { id: 'lane', head: words.lane, fixed: true, width: 180, value: (row) => row.lane },
  { id: 'what', head: words.what, secondLine: 'value', value: (row) => row.what },
  {
    id: 'from',
    head: words.fromHead,
    width: 160,
    value: (row) => row.from,
    timestamp: true,
    absolute: true,
    cell: (row) => <AbsoluteTime at={row.from} className="font-mono text-xs" />,
  },
  {
    id: 'took',
    head: words.took,
    width: 110,
    keep: true,
    align: 'end',
    value: (row) => (row.to ?? 0) - row.from,
    exported: (row, now) => wholeSeconds((row.to ?? now) - row.from),
    exportUnit: 'seconds',
    cell: (row) => <Elapsed from={row.from} to={row.to} />,
  },
]
