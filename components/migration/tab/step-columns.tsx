import type { MigrationDetail } from '@/server/api/migration/detail'
import type { StepView, WaitingView } from '@/server/api/migration/view'
import { stepBadges } from '../../step/words'
import { StateBadge } from '../../ui/Badge'
import { cx } from '../../ui/cx'
import type { Column } from '../../ui/table/column'
import { wholeSeconds } from '../../ui/table/exported'
import { Elapsed } from '../../ui/time/Clock'
import { AbsoluteTime } from '../../ui/time/zone'
import { PaceText } from '../Pace'
import { migrationWords, resultBadges, waitingStepBadges } from '../words'
import { tabWords } from './words'

const words = tabWords.timeline

const directionCell = (step: StepView) => <span className="text-soft">{migrationWords.direction[step.direction]}</span>

export interface StepRow extends StepView {
  /** What the migration waits for in this step. */
  readonly waitsFor: WaitingView['for'] | null
}

/** The rows of a migration: only its last step may still wait. */
export const stepRows = ({ steps, waiting }: Pick<MigrationDetail, 'steps' | 'waiting'>): readonly StepRow[] =>
  steps.map((step) => ({ ...step, waitsFor: step.endedAt === null ? (waiting?.for ?? null) : null }))

/** A step that waits does not run, whatever its clock says. */
const resultBadge = ({ result, waitsFor }: StepRow) =>
  result === null && waitsFor ? waitingStepBadges[waitsFor] : resultBadges[result ?? 'running']

/** Steps of a migration, each with its time, its result and how long it usually takes. */
export const stepColumns: readonly Column<StepRow>[] = [
  {
    id: 'step',
    head: words.step,
    fixed: true,
    width: 100,
    value: (step) => step.seq,
    // Its name alone: the mark of a step is that of a migration in it, and here most have ended.
    cell: (step) => <span className={cx(step.endedAt === null && 'font-medium')}>{stepBadges[step.step].label}</span>,
    exported: (step) => stepBadges[step.step].label,
  },
  {
    id: 'direction',
    head: words.direction,
    width: 130,
    secondLine: 'value',
    value: (step) => step.direction,
    cell: directionCell,
  },
  {
    id: 'from',
    head: words.fromHead,
    width: 150,
    value: (step) => step.startedAt,
    timestamp: true,
    absolute: true,
    secondLine: 'value',
    cell: (step) => <AbsoluteTime at={step.startedAt} className="font-mono text-xs" />,
  },
  {
    id: 'took',
    head: words.took,
    width: 100,
    keep: true,
    align: 'end',
    value: (step) => (step.endedAt ?? 0) - step.startedAt,
    exported: (step, now) => wholeSeconds((step.endedAt ?? now) - step.startedAt),
    exportUnit: 'seconds',
    cell: (step) => <Elapsed from={step.startedAt} to={step.endedAt} />,
  },
  {
    id: 'pace',
    head: words.pace,
    width: 262,
    secondLine: 'value',
    value: (step) => step.pace?.p95Ms ?? null,
    cell: (step) => <PaceText pace={step.pace} />,
  },
  {
    id: 'result',
    head: words.result,
    width: 104,
    keep: true,
    value: (step) => resultBadge(step).label,
    cell: (step) => <StateBadge badge={resultBadge(step)} />,
  },
  { id: 'note', head: words.note, minWidth: 90, secondLine: 'value', value: (step) => step.note },
]
