import type { MigrationDetail } from '@/server/api/migration/detail'
import { estimateTexts, transferEstimateWords } from '../../migrate/transfer-words'
import { duration, rate } from '../../ui/format'
import { Unknown } from '../../ui/KeyValue'
import { Panel } from '../../ui/Panel'
import type { Column } from '../../ui/table/column'
import { Table } from '../../ui/table/Table'
import { tabWords } from './words'

const words = tabWords.transfer.result

interface Line {
  readonly figure: string
  readonly estimate: string | undefined
  /** Undefined if unknown. */
  readonly measured: string | undefined
}

/** The estimate at the start of the migration beside the measurement. */
export function EstimateAndResult({ migration }: { migration: MigrationDetail }) {
  const { transferEstimate: estimate } = migration
  if (estimate === null) return null
  return (
    <Panel title={words.title} flush>
      <Table
        label={words.title}
        columns={columns}
        rows={linesOf(migration, estimate)}
        rowKey={({ figure }) => figure}
      />
    </Panel>
  )
}

function linesOf(
  { steps, progress, outcome }: MigrationDetail,
  estimate: NonNullable<MigrationDetail['transferEstimate']>,
): Line[] {
  const transfer = steps.find(({ step, direction }) => step === 'transfer' && direction === 'target')
  const isDone = transfer?.result === 'done' && outcome !== 'aborted'
  const took = isDone && transfer.endedAt !== null ? duration(transfer.endedAt - transfer.startedAt) : undefined
  // Before that it is only the hypervisor's estimate.
  const final = isDone ? progress : null
  const downtimeMs = final?.downtimeMs ?? null
  const { duration: durationWord, downtime, dirty, bandwidth } = transferEstimateWords
  return [
    { figure: durationWord, estimate: estimateTexts.duration(estimate).text, measured: took },
    {
      ...{ figure: downtime, estimate: estimateTexts.downtime(estimate).text },
      measured: downtimeMs === null ? undefined : duration(downtimeMs),
    },
    {
      figure: dirty,
      estimate: estimateTexts.dirty(estimate).text,
      measured: final ? rate(final.dirtyBytesPerS) : undefined,
    },
    {
      ...{ figure: bandwidth, estimate: estimateTexts.bandwidth(estimate).text },
      measured: final ? rate(final.bandwidthBytesPerS) : undefined,
    },
  ]
}

const columns: readonly Column<Line>[] = [
  { id: 'figure', head: words.figure, width: 120, fixed: true, value: ({ figure }) => figure },
  {
    ...{ id: 'estimate', head: words.estimate, minWidth: 160, value: ({ estimate }) => estimate ?? null },
    cell: ({ estimate }) => estimate ?? <Unknown />,
  },
  {
    ...{ id: 'measured', head: words.measured, width: 140, value: ({ measured }) => measured ?? null },
    cell: ({ measured }) => measured ?? <Unknown />,
  },
]
