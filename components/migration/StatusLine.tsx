'use client'
import type { MigrationDetail } from '@/server/api/migration/detail'
import { stepBadges } from '../step/words'
import { cx } from '../ui/cx'
import { bytes, duration, rate } from '../ui/format'
import { Glyph } from '../ui/Glyph'
import { Elapsed, RelativeTime } from '../ui/time/Clock'
import { paceText, useOverdueBy } from './Pace'
import { ActionChips } from './requested-action/ActionChips'
import { outcomeBadges, migrationWords as words } from './words'

/**
 * The step's duration against its history, and the state of the last requested action. The line is always there, so
 * that a new requested action or overdue mark does not push the page down.
 */
export function StatusLine({ migration }: { migration: MigrationDetail }) {
  const trail = migration.requestedActions.at(-1)
  return (
    <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-5 gap-y-1 text-xs text-soft">
      {migration.outcome === null ? <Pacing migration={migration} /> : <Ended migration={migration} />}
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

function Ended({ migration }: { migration: MigrationDetail }) {
  if (migration.outcome === null || migration.endedAt === null) return <span />
  return (
    <span>
      {words.status.ended(outcomeBadges[migration.outcome].label)} <RelativeTime at={migration.endedAt} />
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

function Pacing({ migration }: { migration: MigrationDetail }) {
  const by = useOverdueBy(migration)
  return (
    <span className={cx('flex flex-wrap items-center gap-x-1.5', by !== null && 'text-warn')}>
      <Glyph shape={by === null ? 'half' : 'triangle'} className={by === null ? 'text-flow' : ''} />
      <span>
        {words.status.inStep(stepBadges[migration.step].label)} <Elapsed from={migration.stepSince} />
        {by === null ? null : words.status.overdue(duration(by))}
      </span>
      <span className="text-faint">{paceText(migration.pace)}</span>
      {migration.step === 'transfer' && migration.progress ? <Transferring progress={migration.progress} /> : null}
    </span>
  )
}
