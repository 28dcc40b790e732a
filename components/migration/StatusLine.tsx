'use client'
import type { MigrationDetail } from '@/server/api/migration/detail'
import { stepLooks } from '../step/words'
import { cx } from '../ui/cx'
import { bytes, duration, rate } from '../ui/format'
import { Glyph } from '../ui/Glyph'
import { Elapsed, RelativeTime } from '../ui/time/Clock'
import { paceText, useOverdueBy } from './Pace'
import { ActionChips } from './requested-action/ActionChips'
import { outcomeLooks, migrationWords as words } from './words'

/**
 * The step's duration against its history, and the state of the last requested action. The line is always there, so
 * that a new requested action or overdue mark does not push the page down.
 */
export function StatusLine({ move }: { move: MigrationDetail }) {
  const trail = move.requestedActions.at(-1)
  return (
    <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-5 gap-y-1 text-xs text-soft">
      {move.outcome === null ? <Pacing move={move} /> : <Ended move={move} />}
      {trail ? (
        <span className="flex flex-wrap items-center gap-2">
          <ActionChips trail={trail} />
          {trail.by}, <RelativeTime at={trail.askedAt} />
          {trail.reason ? <q>{trail.reason}</q> : null}
        </span>
      ) : null}
    </div>
  )
}

function Ended({ move }: { move: MigrationDetail }) {
  if (move.outcome === null || move.endedAt === null) return <span />
  return (
    <span>
      {words.status.ended(outcomeLooks[move.outcome].label)} <RelativeTime at={move.endedAt} />
    </span>
  )
}

/** The last figures that the hypervisor reported, with their age: nothing is extrapolated between reports. */
function Transferring({ progress }: { progress: NonNullable<MigrationDetail['progress']> }) {
  return (
    <span className="text-soft">
      {words.status.transfer({
        left: bytes(progress.remainingBytes),
        total: bytes(progress.totalBytes),
        copied: rate(progress.bandwidthBytesPerS),
        dirtied: rate(progress.dirtyBytesPerS),
      })}{' '}
      (<RelativeTime at={progress.at} />)
    </span>
  )
}

function Pacing({ move }: { move: MigrationDetail }) {
  const by = useOverdueBy(move)
  return (
    <span className={cx('flex flex-wrap items-center gap-x-1.5', by !== null && 'text-warn')}>
      <Glyph shape={by === null ? 'half' : 'triangle'} className={by === null ? 'text-flow' : ''} />
      <span>
        {words.status.inStep(stepLooks[move.step].label)} <Elapsed from={move.stepSince} />
        {by === null ? null : words.status.overdue(duration(by))}
      </span>
      <span className="text-faint">{paceText(move.pace)}</span>
      {move.step === 'transfer' && move.progress ? <Transferring progress={move.progress} /> : null}
    </span>
  )
}
