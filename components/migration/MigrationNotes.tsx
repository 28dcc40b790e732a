import dynamic from 'next/dynamic'
import type { MigrationDetail } from '@/server/api/migration/detail'
import { claimTotalsText } from '../claim/amount/words'
import { Pending } from '../console/Failure'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { Elapsed, RelativeTime } from '../ui/time/Clock'
import { isParked, waitingBadges, waitingText, migrationWords as words } from './words'

// Only a migration that failed on hosts has refusals, and the text of all rules is as large as a page.
const RefusalList = dynamic(() => import('../refusal/RefusalList').then((code) => code.RefusalList), {
  loading: () => <Pending />,
})

/** Notes about this migration: why it waits, why it rolls back, what it holds twice and since when. */
export function MigrationNotes({ migration }: { migration: MigrationDetail }) {
  const { waiting, cause, heldTwice } = migration
  return (
    <>
      {waiting ? (
        <Note tone={waitingBadges[waiting.for].tone} shape={waitingBadges[waiting.for].shape}>
          <strong className="inline-block font-medium first-letter:uppercase">
            {waitingBadges[waiting.for].label}
          </strong>
          {/* Its label already says what it waits for. */}
          {words.waitingFor(waiting.for === 'person' ? null : waitingText(waiting))} <Elapsed from={waiting.since} />
          {isParked(migration) ? words.parked : null}
          {heldTwice ? '. ' : null}
          {heldTwice ? words.heldTwiceNow(claimTotalsText(heldTwice)) : null}
          {heldTwice && migration.heldTwiceSince !== null ? (
            <>
              {words.heldTwiceFor} <Elapsed from={migration.heldTwiceSince} />
            </>
          ) : null}
          {heldTwice || isParked(migration) ? '.' : null}
          {migration.dueAt === null ? '' : ' '}
          {migration.dueAt === null ? null : (
            <>
              {words.due} <RelativeTime at={migration.dueAt} />.
            </>
          )}
        </Note>
      ) : migration.notConverging ? (
        <Note tone="warn" shape="triangle">
          {words.notConvergingMore}{' '}
          <TextLink href={paths.migration(migration.id, { tab: 'adviser' })}>{words.whatIsSafe}</TextLink>
        </Note>
      ) : migration.outcome === null && !cause ? (
        <Note tone="idle" shape="half">
          {words.inProgress}
        </Note>
      ) : null}
      {cause ? (
        <Note tone={cause.kind === 'failed' ? 'bad' : 'warn'} shape={cause.kind === 'failed' ? 'cross' : 'outof'}>
          <strong className="font-medium">{words.cause[cause.kind === 'failed' ? 'failed' : 'other']}</strong>:{' '}
          {cause.message}
          {cause.refusals.length > 0 ? (
            <>
              {'. '}
              <TextLink href={paths.explain(questionOf(migration))}>{words.whyNot}</TextLink>
              <details className="pt-1">
                <summary className="w-fit cursor-default">{words.hostsRefused(cause.refusals.length)}</summary>
                <div className="flex max-h-80 flex-col gap-1 overflow-auto pt-1">
                  {cause.refusals.map(({ host, refusals }) => (
                    <details key={host.id}>
                      <summary className="cursor-default">
                        <HostLink host={host} />
                      </summary>
                      <RefusalList refusals={refusals} />
                    </details>
                  ))}
                </div>
              </details>
            </>
          ) : null}
        </Note>
      ) : null}
    </>
  )
}

/** The migration's request to all hosts, to repeat it. */
function questionOf({ instance, operation, newFlavor, newImage }: MigrationDetail) {
  return {
    ...{ instance: instance.id, operation },
    ...(operation === 'resize' ? { flavor: newFlavor.name } : {}),
    ...(operation === 'rebuild' ? { image: newImage.name } : {}),
  }
}
