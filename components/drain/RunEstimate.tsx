import type { RunEstimate as Estimate } from '@/server/api/run/estimate'
import type { RunDetail } from '@/server/api/run/view'
import { operationWords } from '../step/words'
import { duration } from '../ui/format'
import { uiWords } from '../ui/words'
import { drainWords } from './words'

const words = drainWords.estimate

/** Null if nothing is left to migrate. */
export function timeText({ leftMs, without, calculated }: Estimate): string {
  if (leftMs && leftMs.p50 === leftMs.p95 && calculated > 0) return words.calculated(duration(leftMs.p50), calculated)
  if (leftMs) return words.of(duration(leftMs.p50), duration(leftMs.p95))
  return words.noneFor(uiWords.list(without.map((operation) => operationWords[operation].noun)))
}

export const downtimeText = ({ downtimeMs }: Estimate): string =>
  downtimeMs === null ? words.none : duration(downtimeMs)

const MOVING = new Set(['planned', 'waiting', 'moving'])

/**
 * Remaining time and instance downtime: estimated, and caused so far. An evacuation causes none: its instances are down
 * since their host failed, for a time that is not known.
 */
export function RunEstimate({ run: { estimate, migrations, state, kind } }: { run: RunDetail }) {
  const over = state === 'done' || state === 'stopped' || !migrations.some((migration) => MOVING.has(migration.state))
  const { causedMs } = estimate
  const hasDowntime = kind === 'drain'
  const facts = [
    ...(over ? [] : [{ key: words.left, value: timeText(estimate) }]),
    ...(over || !hasDowntime ? [] : [{ key: words.downtime, value: downtimeText(estimate) }]),
    ...(state === 'draft' || !hasDowntime
      ? []
      : [{ key: words.caused, value: causedMs === null ? words.unknown : duration(causedMs) }]),
  ]
  if (facts.length === 0) return null
  return (
    <dl aria-label={words.title} className="m-0 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {facts.map(({ key, value }) => (
        <div key={key} className="flex items-baseline gap-2">
          <dt className="shrink-0 text-xs text-soft">{key}</dt>
          <dd className="m-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
