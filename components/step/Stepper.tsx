import type { MigrationDetail } from '@/server/api/migration/detail'
import type { StepView } from '@/server/api/migration/view'
import type { Step } from '@/server/engine/migration/state'
import {
  isParked,
  outcomeBadges,
  parkedBadge,
  resultBadges,
  stepMeans,
  stepMeansBack,
  stepMeansVerified,
  migrationWords as words,
} from '../migration/words'
import { cx } from '../ui/cx'
import { Glyph, type Shape } from '../ui/Glyph'
import { type Tone, toneText, toneWash } from '../ui/tone'
import { stepBadges } from './words'

const ORDER: readonly Step[] = ['claim', 'prepare', 'transfer', 'switch', 'verify', 'release', 'ended']
/** Operations that an operator confirms have this step; others skip it. */
const VERIFIED: ReadonlySet<string> = new Set(['cold-migrate', 'resize'])

const borders: Readonly<Record<Tone, string>> = {
  idle: 'border-edge',
  ok: 'border-ok',
  flow: 'border-flow',
  warn: 'border-warn',
  bad: 'border-bad',
  twice: 'border-twice',
}

interface Tile {
  readonly shape: Shape
  /** Set for the current step. */
  readonly tone: Tone | null
  readonly reached: boolean
  readonly label: string
  readonly means: string
  /** For screen readers, which neither see the mark nor the frame; null where the text says it. */
  readonly state: string | null
}

function currentTone(migration: MigrationDetail): Tone {
  if (migration.outcome) return outcomeBadges[migration.outcome].tone
  if (isParked(migration)) return parkedBadge.tone
  return migration.direction === 'source' || migration.step === 'verify' ? 'warn' : 'flow'
}

const AHEAD: Shape = 'dash'
const currentShape = (step: Step): Shape => (step === 'verify' ? stepBadges[step].shape : resultBadges.running.shape)

/** The step's last pass; a step passed only while rolling back says so. Its mark is its state, never its kind. */
function tileOf(step: Step, migration: MigrationDetail): Tile {
  const record = migration.steps.findLast((each: StepView) => each.step === step)
  const back = record?.direction === 'source'
  const current = step === migration.step
  const ended = step === 'ended' && migration.outcome ? outcomeBadges[migration.outcome] : null
  const parked = current && isParked(migration) ? parkedBadge : null
  // What the step is for did not happen.
  const failed = record?.result === 'failed' ? resultBadges.failed.label : null
  const isAnswered = step === 'verify' && record && !current && VERIFIED.has(migration.operation)
  const answer = isAnswered ? stepMeansVerified[migration.direction] : undefined
  const result = record?.result ? resultBadges[record.result].shape : null
  return {
    shape: ended?.shape ?? parked?.shape ?? (current ? currentShape(step) : (result ?? AHEAD)),
    tone: current ? currentTone(migration) : null,
    reached: record !== undefined,
    label: ended?.label ?? stepBadges[step].label,
    state: current || failed ? null : record ? words.stepper.done : words.stepper.ahead,
    means: parked?.label ?? failed ?? answer ?? (back ? stepMeansBack[step] : undefined) ?? stepMeans[step],
  }
}

// In one row as soon as no label is cut there; before, in rows of about the same length.
const SIX = '@2xl:grid-flow-col @2xl:auto-cols-fr @2xl:grid-cols-none'
const SEVEN = '@xl:grid-cols-4 @3xl:grid-flow-col @3xl:auto-cols-fr @3xl:grid-cols-none'

/** The six steps and the end, with the current position. All have the same width: the lanes show durations. */
export function Stepper({ migration }: { migration: MigrationDetail }) {
  const passedVerify = migration.steps.some((step) => step.step === 'verify')
  const steps = ORDER.filter((step) => step !== 'verify' || VERIFIED.has(migration.operation) || passedVerify)
  return (
    <div className="@container">
      <ol className={cx('m-0 grid list-none grid-cols-3 gap-1 p-0', steps.length > 6 ? SEVEN : SIX)}>
        {steps.map((step) => {
          const { shape, tone, reached, label, means, state } = tileOf(step, migration)
          return (
            <li
              key={step}
              aria-current={tone ? 'step' : undefined}
              className={cx(
                'flex items-center gap-1.5 rounded-md border px-2 py-1.5',
                tone ? cx(borders[tone], toneWash[tone], toneText[tone]) : 'border-line',
                !tone && (reached ? 'text-soft' : 'border-dashed text-faint'),
              )}
            >
              <Glyph shape={shape} />
              <span className="flex min-w-0 flex-col leading-4">
                <span className={cx('text-sm', tone && 'font-semibold')}>{label}</span>
                <span className="text-2xs leading-3.5">{means}</span>
                {state ? <span className="sr-only">{state}</span> : null}
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
