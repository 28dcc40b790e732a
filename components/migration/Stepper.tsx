import type { MigrationRow } from '@/server/api/contract-moves'
import type { Step } from '@/server/engine/migration/state'
import { cx } from '../ui/cx'
import { Glyph, type Shape } from '../ui/Glyph'
import { outcomeLooks, stepLooks, stepMeans, migrationWords as words } from './words'

const ORDER: readonly Step[] = ['claim', 'prepare', 'transfer', 'switch', 'verify', 'release', 'ended']
/** Operations that a person confirms have this step; the others pass it by. */
const VERIFIED: ReadonlySet<string> = new Set(['cold-migrate', 'resize'])

/** The six steps and the end, with where the move is. Same width for all: it says where, the lanes say how long. */
export function Stepper({ move, passed }: { move: MigrationRow; passed: ReadonlySet<Step> }) {
  const steps = ORDER.filter((step) => step !== 'verify' || VERIFIED.has(move.operation) || passed.has('verify'))
  return (
    <ol className="m-0 flex list-none flex-wrap gap-1 p-0">
      {steps.map((step) => {
        const current = step === move.step
        const done = !current && passed.has(step)
        const shape: Shape = current ? stepLooks[step].shape : done ? 'tick' : 'ring'
        return (
          <li
            key={step}
            aria-current={current ? 'step' : undefined}
            className={cx(
              'flex min-w-24 flex-1 items-center gap-2 rounded-md border px-2.5 py-1.5',
              current
                ? (move.heading === 'source' && step !== 'ended') || step === 'verify'
                  ? 'border-warn bg-warn-wash text-warn'
                  : 'border-flow bg-flow-wash text-flow'
                : done
                  ? 'border-line text-soft'
                  : 'border-dashed border-line text-faint',
            )}
          >
            <Glyph shape={shape} />
            <span className="flex min-w-0 flex-col leading-4">
              <span className={cx('text-sm', current && 'font-semibold')}>
                {step === 'ended' && move.outcome ? outcomeLooks[move.outcome].label : stepLooks[step].label}
              </span>
              <span className="truncate text-2xs">{stepMeans[step]}</span>
              {current ? null : <span className="sr-only">{done ? words.stepper.done : words.stepper.ahead}</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
