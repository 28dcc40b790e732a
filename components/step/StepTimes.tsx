'use client'
import { useQuery } from '@tanstack/react-query'
import type { StepHistoryView, StepTimesView } from '@/server/api/migration/pace'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { usePictureView } from '../console/url'
import { tabWords } from '../migration/tab/words'
import { duration } from '../ui/format'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import { PictureOrTable } from '../ui/PictureOrTable'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { AbsoluteTime } from '../ui/time/zone'
import { OPERATION_ORDER, STEP_ORDER } from './order'
import { p95Of, StepMultiple } from './StepMultiple'
import { operationWords, stepBadges } from './words'

const words = tabWords.stepTimes

/** Historical durations of each operation's steps: the basis of "overdue". */
export function StepTimes() {
  const trpc = useTRPC()
  const history = useQuery(trpc.migration.stepTimes.queryOptions())
  return (
    <Loaded query={history} what={words.title} minHeight={320}>
      {(view) => <Times view={view} />}
    </Loaded>
  )
}

function Times({ view }: { view: StepHistoryView }) {
  const [as, setAs] = usePictureView()
  const { range } = view
  if (range === null || view.rows.length === 0) return <EmptyState title={words.none}>{words.noneMore}</EmptyState>
  return (
    <PictureOrTable
      title={words.title}
      aside={
        <span>
          <AbsoluteTime at={range.from} className="whitespace-nowrap" /> {words.until}{' '}
          <AbsoluteTime isNamed at={range.to} className="whitespace-nowrap" />
        </span>
      }
      view={as}
      onView={setAs}
      picture={<Multiples view={view} range={range} />}
      table={<Table bare label={words.title} columns={columns} rows={sorted(view.rows)} rowKey={rowKey} />}
    />
  )
}

const sorted = (rows: readonly StepTimesView[]) =>
  [...rows].sort(
    (a, b) =>
      OPERATION_ORDER.indexOf(a.operation) - OPERATION_ORDER.indexOf(b.operation) ||
      STEP_ORDER.indexOf(a.step) - STEP_ORDER.indexOf(b.step),
  )

function Multiples({ view, range }: { view: StepHistoryView; range: { from: number; to: number } }) {
  const operations = OPERATION_ORDER.filter((operation) => view.rows.some((row) => row.operation === operation))
  const steps = STEP_ORDER.filter((step) => view.rows.some((row) => row.step === step))
  return (
    <div className="flex flex-col gap-2">
      <p className="m-0 text-xs text-soft">{words.reading}</p>
      {operations.map((operation) => (
        <section key={operation} aria-label={operationWords[operation].noun} className="flex flex-col gap-1">
          <h3 className="m-0 text-xs font-semibold">
            <TextLink href={paths.migrations({ view: 'history', q: `operation:${operation}` })}>
              {operationWords[operation].noun}
            </TextLink>
          </h3>
          <div
            className="grid gap-2 max-lg:grid-cols-3! max-sm:grid-cols-2!"
            style={{ gridTemplateColumns: `repeat(${steps.length},minmax(0,1fr))` }}
          >
            {steps.map((step) => {
              const row = view.rows.find((each) => each.operation === operation && each.step === step)
              return row ? (
                <StepMultiple key={step} row={row} range={range} />
              ) : (
                <span key={step} className="rounded-md border border-dashed border-line p-2 text-xs text-faint">
                  {words.never(stepBadges[step].label)}
                </span>
              )
            })}
          </div>
        </section>
      ))}
    </div>
  )
}

const rowKey = (row: StepTimesView) => `${row.operation} ${row.step}`

const time = (id: 'p50Ms' | 'p95Ms', head: string): Column<StepTimesView> => {
  const of = (row: StepTimesView) => (id === 'p95Ms' ? p95Of(row) : row.p50Ms)
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000)
  return {
    ...{ id, head, width: 76, align: 'end', keep: true, value: of },
    exported: (row) => seconds(of(row)),
    exportUnit: 'seconds',
    cell: (row) => {
      const ms = of(row)
      return ms === null ? <span className="text-faint italic">{words.highNeeds}</span> : duration(ms)
    },
  }
}

const columns: readonly Column<StepTimesView>[] = [
  {
    id: 'operation',
    head: words.operation,
    fixed: true,
    minWidth: 104,
    value: (row) => operationWords[row.operation].noun,
  },
  {
    id: 'step',
    head: words.step,
    width: 70,
    keep: true,
    value: (row) => row.step,
    cell: (row) => stepBadges[row.step].label,
  },
  time('p50Ms', words.p50),
  time('p95Ms', words.p95),
  {
    id: 'samples',
    head: words.samples,
    width: 100,
    align: 'end',
    value: (row) => row.samples,
  },
]
