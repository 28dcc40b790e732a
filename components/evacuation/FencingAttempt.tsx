import type { FencingAttempt as Attempt } from '@/server/api/fencing/view'
import { StateBadge } from '../ui/Badge'
import { ClockTime } from '../ui/time/zone'
import { evacuationWords } from './words'

const words = evacuationWords.fencing

/** The commands sent to the fencing device and its replies, during the attempt and afterwards. */
export function FencingAttempt({ attempt }: { attempt: Attempt }) {
  const { state, method, by, askedAt, log } = attempt
  return (
    <section aria-label={words.attempt} aria-live="polite" className="flex flex-col gap-1.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateBadge badge={words.attemptBadges[state]} />
        <span className="text-xs text-soft">
          {words.askedBy(method, by)} <ClockTime at={askedAt} />
        </span>
      </div>
      <ol className="m-0 flex list-none flex-col gap-0.5 p-0 text-xs">
        {log.map(({ at, says }) => (
          <li key={`${at} ${says}`} className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3">
            <span className="text-faint tabular-nums">
              <ClockTime at={at} />
            </span>
            <span className="min-w-0 break-words">{says}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
