'use client'
import dynamic from 'next/dynamic'
import { useMemo } from 'react'
import type { MigrationDetail } from '@/server/api/migration/detail'
import type { Progress } from '@/server/engine/migration/state'
import { Pending } from '../../console/Failure'
import { bytes, duration, rate } from '../../ui/format'
import { Unknown } from '../../ui/KeyValue'
import { EmptyState, Note } from '../../ui/Message'
import type { Column } from '../../ui/table/column'
import { Table } from '../../ui/table/Table'
import { RelativeTime } from '../../ui/time/Clock'
import { ClockTime } from '../../ui/time/zone'
import { isCounted } from '../rounds'
import { EstimateAndResult } from './EstimateAndResult'
import { TransferLimits } from './TransferLimits'
import { tabWords } from './words'

// It loads the chart code, which no other tab needs.
const Convergence = dynamic(() => import('../Convergence').then((code) => code.Convergence), {
  loading: () => <Pending />,
})

const words = tabWords.transfer

/** Remaining bytes against the guest's dirty rate, which shows whether the transfer converges. */
export function TransferTab({ migration }: { migration: MigrationDetail }) {
  const { progress, progressHistory } = migration
  const newestFirst = useMemo(() => progressHistory.filter(isCounted).reverse(), [progressHistory])
  if (!progress) return <EmptyState title={words.none}>{words.noneMore}</EmptyState>
  return (
    <div className="flex flex-col gap-3">
      <Verdict migration={migration} progress={progress} />
      {isCounted(progress) ? <Figures progress={progress} /> : null}
      {migration.limits ? <TransferLimits migration={migration} limits={migration.limits} /> : null}
      <EstimateAndResult migration={migration} />
      {/* One point is no line, and its scales would be meaningless. */}
      {newestFirst.length > 1 ? <Convergence migration={migration} /> : null}
      <Table label={words.table} columns={columns} rows={newestFirst} rowKey={rowKey} />
    </div>
  )
}

/** The note that it does not converge is above every tab. */
function Verdict({ migration, progress }: { migration: MigrationDetail; progress: Progress }) {
  const over = migration.outcome !== null
  if (progress.postCopy) {
    return (
      <Note tone="bad" shape="triangle">
        {over ? words.postCopyOver : words.postCopy}
      </Note>
    )
  }
  if (migration.step !== 'transfer' || over || migration.notConverging) return null
  return (
    <Note tone="flow" shape="half">
      {words.converging}
    </Note>
  )
}

function Figures({ progress }: { progress: Progress }) {
  const figures = [
    [words.remaining, bytes(progress.remainingBytes)],
    [words.total, bytes(progress.totalBytes)],
    [words.dirty, rate(progress.dirtyBytesPerS)],
    [words.bandwidth, rate(progress.bandwidthBytesPerS)],
    [words.iteration, String(progress.iteration)],
    [words.downtime, progress.downtimeMs === null ? <Unknown key="u" /> : duration(progress.downtimeMs)],
    [words.measured, <RelativeTime key="t" at={progress.at} />],
  ] as const
  return (
    <dl className="m-0 grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-px overflow-hidden rounded-lg border border-line bg-surface">
      {figures.map(([name, value]) => (
        <div key={name} className="px-3 py-2 outline outline-line">
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="m-0 text-base font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const rowKey = (point: Progress) => String(point.at)

interface Figure extends Pick<Column<Progress>, 'id' | 'head' | 'exportUnit'> {
  readonly of: (progress: Progress) => number
  readonly format: (value: number) => string
}

const figures: readonly Figure[] = [
  { id: 'iteration', head: words.iteration, of: (p) => p.iteration, format: String },
  { id: 'remaining', head: words.remaining, exportUnit: 'bytes', of: (p) => p.remainingBytes, format: bytes },
  { id: 'dirty', head: words.dirty, exportUnit: 'bytesPerS', of: (p) => p.dirtyBytesPerS, format: rate },
  { id: 'bandwidth', head: words.bandwidth, exportUnit: 'bytesPerS', of: (p) => p.bandwidthBytesPerS, format: rate },
]

const columns: readonly Column<Progress>[] = [
  {
    id: 'time',
    head: words.time,
    width: 110,
    value: (p) => p.at,
    timestamp: true,
    absolute: true,
    cell: (p) => <ClockTime at={p.at} />,
  },
  ...figures.map(
    ({ of, format, ...rest }): Column<Progress> => ({ ...rest, align: 'end', value: of, cell: (p) => format(of(p)) }),
  ),
]
