'use client'
import { useMemo } from 'react'
import type { MigrationDetail } from '@/server/api/migration/detail'
import type { Progress } from '@/server/engine/migration/state'
import { LineChart } from '../ui/chart/LineChart'
import { cx } from '../ui/cx'
import { bytes, rate } from '../ui/format'
import { Panel } from '../ui/Panel'
import { useTimes } from '../ui/time/zone'
import { downtimeMark, isCounted, progressPoints, roundMarks, thinned, unattendedMarks } from './rounds'
import { tabWords } from './tab/words'

const words = tabWords.transfer

type Figure = 'remainingBytes' | 'dirtyBytesPerS' | 'bandwidthBytesPerS'

const lines = [
  { of: 'remainingBytes', label: words.remaining, role: '--flow' },
  { of: 'dirtyBytesPerS', label: words.dirty, role: '--warn', dash: [5, 4], scale: 'right' },
  { of: 'bandwidthBytesPerS', label: words.bandwidth, role: '--ok', dash: [2, 3], scale: 'right' },
] as const satisfies readonly { of: Figure; label: string; role: string; dash?: number[]; scale?: 'right' }[]

/** Remaining memory, dirty rate and copy rate in one chart: it shows whether the transfer converges. */
export function Convergence({ migration }: { migration: MigrationDetail }) {
  const { progressHistory, steps, unattended } = migration
  const { clock } = useTimes()
  const history = useMemo(() => progressHistory.filter(isCounted), [progressHistory])
  const points = useMemo(() => progressPoints(history), [history])
  const times = useMemo(() => points.map(({ at }) => at), [points])
  const series = useMemo(
    () => lines.map(({ of: figure, ...line }) => ({ ...line, values: points.map(({ of }) => of?.[figure] ?? null) })),
    [points],
  )
  const marks = useMemo(() => {
    const until = history.at(-1)?.at ?? 0
    const all = [
      ...unattendedMarks(unattended, until),
      ...thinned(roundMarks(history)),
      ...downtimeMark(steps, history),
    ]
    return all.sort((a, b) => a.at - b.at)
  }, [history, steps, unattended])
  const read = (index: number) => {
    const point = points[index]
    if (!point) return words.none
    return point.of ? words.at(clock(point.at), reading(point.of)) : words.gap(clock(point.at))
  }
  return (
    <Panel title={words.chart} aside={<Legend hasGaps={unattended.length > 0} />}>
      <LineChart
        label={words.chart}
        times={times}
        series={series}
        marks={marks}
        format={bytes}
        formatRight={rate}
        read={read}
        hint={words.keys}
        height={220}
      />
    </Panel>
  )
}

const reading = ({ iteration, remainingBytes, dirtyBytesPerS, bandwidthBytesPerS }: Progress) => ({
  iteration,
  left: bytes(remainingBytes),
  dirty: rate(dirtyBytesPerS),
  sent: rate(bandwidthBytesPerS),
})

const LEGEND = [
  { label: words.legend.remaining, className: 'border-t-2 border-flow' },
  { label: words.legend.dirty, className: 'border-t-2 border-dashed border-warn' },
  { label: words.legend.bandwidth, className: 'border-t-2 border-dotted border-ok' },
  { label: words.legend.round, className: 'h-2.5 w-px border-l border-faint' },
] as const
const GAP = { label: tabWords.timeline.unattended, className: 'h-2.5 bg-bad-wash ring-1 ring-bad/60 ring-inset' }

function Legend({ hasGaps }: { hasGaps: boolean }) {
  return [...LEGEND, ...(hasGaps ? [GAP] : [])].map(({ label, className }) => (
    <span key={label} className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={cx('inline-block w-4', className)} />
      {label}
    </span>
  ))
}
