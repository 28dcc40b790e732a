import type { HeldSpan, MigrationDetail, StepView } from '@/server/api/contract-moves'
import { heldText } from '../claim/words'
import { StateBadge } from '../ui/Badge'
import { Elapsed } from '../ui/Clock'
import { duration } from '../ui/format'
import { type Lane, Lanes } from '../ui/Lanes'
import { Panel } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { AbsoluteTime, type Times, useClockZone, useTimes } from '../ui/zone'
import { migrationWords, resultLooks, sideWords, stepLooks } from './words'

const words = migrationWords.timeline

const stepBar = (step: StepView, { clock }: Times) => ({
  key: String(step.seq),
  from: step.startedAt,
  to: step.endedAt,
  label: stepLooks[step.step].label,
  tip: words.stepTip(
    stepLooks[step.step].label,
    clock(step.startedAt),
    step.endedAt === null ? null : duration(step.endedAt - step.startedAt),
  ),
  className:
    step.result === 'failed'
      ? 'bg-bad-wash text-bad ring-1 ring-bad ring-inset'
      : step.heading === 'source'
        ? 'bg-warn-wash text-warn ring-1 ring-warn/50 ring-inset'
        : 'bg-flow-wash text-flow ring-1 ring-flow/50 ring-inset',
})

/** The map's colours: what will be given back, what the guest heads to, what is simply held. */
const spanLook = ({ holder, side }: HeldSpan) => {
  if (holder === 'migration') return 'bg-map-outgoing text-[oklch(0.2_0.02_60)]'
  return side === 'target' ? 'bg-map-incoming text-map-on-held' : 'bg-map-held text-map-on-held'
}

const spanBar = (span: HeldSpan, index: number, { clock }: Times) => ({
  key: String(index),
  from: span.from,
  to: span.to,
  label: words.spanLabel(words.heldBy[span.holder], heldText(span.held)),
  tip: words.spanTip(words.heldBy[span.holder], heldText(span.held), clock(span.from)),
  className: spanLook(span),
})

/** Steps above, and under the same axis what each side holds and by whom (N1). A same-host move has two lanes too. */
export function TimelineTab({ move }: { move: MigrationDetail }) {
  const times = useTimes()
  const { zone } = useClockZone()
  const lanes: readonly Lane[] = [
    { key: 'steps', label: words.steps, bars: move.steps.map((step) => stepBar(step, times)) },
    ...(['source', 'target'] as const).flatMap((side) => {
      const spans = move.spans.filter((span) => span.side === side)
      const [first] = spans
      if (!first) return []
      return [
        {
          key: side,
          label: words.held(sideWords[side], first.host.name),
          bars: spans.map((span, index) => spanBar(span, index, times)),
        },
      ]
    }),
  ]
  return (
    <div className="flex flex-col gap-3">
      <Panel title={words.title} aside={words.axis[zone]}>
        <Lanes label={words.title} lanes={lanes} />
      </Panel>
      <Table bare label={words.steps} columns={columns} rows={move.steps} rowKey={rowKey} />
    </div>
  )
}

const rowKey = (step: StepView) => String(step.seq)

const columns: readonly Column<StepView>[] = [
  {
    id: 'step',
    head: words.step,
    width: 150,
    value: (step) => step.seq,
    cell: (step) => <StateBadge look={{ ...stepLooks[step.step], tone: step.endedAt === null ? 'flow' : 'idle' }} />,
  },
  {
    id: 'heading',
    head: words.heading,
    width: 190,
    value: (step) => step.heading,
    cell: (step) => <span className="text-soft">{migrationWords.heading[step.heading]}</span>,
  },
  {
    id: 'from',
    head: words.from,
    width: 160,
    value: (step) => step.startedAt,
    cell: (step) => <AbsoluteTime at={step.startedAt} className="font-mono text-xs" />,
  },
  {
    id: 'took',
    head: words.took,
    width: 110,
    align: 'end',
    value: (step) => (step.endedAt ?? 0) - step.startedAt,
    cell: (step) => <Elapsed from={step.startedAt} to={step.endedAt} />,
  },
  {
    id: 'result',
    head: words.result,
    width: 130,
    value: (step) => step.result,
    cell: (step) => <StateBadge look={resultLooks[step.result ?? 'running']} />,
  },
  { id: 'note', head: words.note, value: (step) => step.note, cell: (step) => step.note ?? '' },
]
